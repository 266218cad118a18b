"""What models write as JSON, and what is made of it."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from typing import Any

import pytest

from morningdeck.endpoint.reading import json_in, read_answer, sent
from tests.contracts.model import SCHEMA

GOOD = {"scores": [{"wish": "1", "reason": "ports", "score": 70}]}


def test_every_broken_text_is_read_as_it_was_meant(corpora: Path) -> None:
    pairs = json.loads((corpora / "json-broken" / "pairs.json").read_text(encoding="utf-8"))
    wrong = []
    for pair in pairs:
        meant = pair["expected"]
        if not pair["options"].get("return_objects"):
            meant = json.loads(meant) if meant else ""
        if json_in(pair["input"]) != meant:
            wrong.append(pair["input"])
        with pytest.raises(ValueError, match=r"\w"):  # whoever asked has to do without it
            read_answer(pair["input"], SCHEMA)

    assert len(pairs) > 100
    assert wrong == []


def test_any_text_is_read_or_refused_and_never_both(corpora: Path) -> None:
    suite = json.loads((corpora / "json-broken" / "jsontestsuite.json").read_text())
    for case in (one for one in suite if "b64" in one):
        text = base64.b64decode(case["b64"]).decode("utf-8", "replace")
        try:
            json_in(text)
        except ValueError:
            assert not case["name"].startswith("y_"), case["name"]
        with pytest.raises(ValueError, match=r"\w"):
            read_answer(text, SCHEMA)


@pytest.mark.parametrize(
    "written",
    [
        f"Sure:\n```json\n{json.dumps(GOOD)}\n```\nAnything else?",
        f"<think>The schema says {{ so.</think>{json.dumps(GOOD)}",
        json.dumps([GOOD]),
        json.dumps({"answer": GOOD}),
        json.dumps(GOOD)[:-2],
        "{'scores': [{'wish': '1', 'reason': 'ports', 'score': 70,},]}",
        '{"Scores": [{"Wish": 1, "Reason": "ports", "Score": "70/100"}]}',
    ],
    ids=["prose", "thoughts", "list", "wrapped", "cut", "python", "loose"],
)
def test_what_is_meant_is_found(written: str) -> None:
    assert read_answer(written, SCHEMA) == GOOD


@pytest.mark.parametrize(
    ("score", "kept"),
    [(1000, 100), (-5, 0), (70.4, 70), ("85%", 85), ("1e999", None), (True, None)],
)
def test_a_number_stays_in_its_range(score: Any, kept: int | None) -> None:
    written = json.dumps({"scores": [{"wish": "1", "reason": "", "score": score}]})

    scores = read_answer(written, SCHEMA)["scores"]

    assert [one["score"] for one in scores] == ([] if kept is None else [kept])


def test_what_was_not_named_is_no_answer() -> None:
    written = json.dumps({"scores": [{"wish": "3", "reason": "", "score": 7}]})

    assert read_answer(written, SCHEMA) == {"scores": []}


def test_lists_and_texts_are_no_longer_than_asked_for() -> None:
    one = {"wish": "2", "reason": "x" * 5000, "score": 1}

    found = read_answer(json.dumps({"scores": [one] * 500}), SCHEMA)["scores"]

    assert len(found) == 3
    assert {len(score["reason"]) for score in found} == {100}


@pytest.mark.parametrize(
    "hostile",
    ["[" * 49_000, '{"a":' * 9_000, '"' * 49_000, "x" * 1_000_000, '{"a": "' + '\\"' * 20_000],
    ids=["deep", "deep-objects", "quotes", "long", "escapes"],
)
def test_hostile_texts_cost_little(hostile: str) -> None:
    began = time.process_time()
    with pytest.raises(ValueError, match=r"\w"):
        read_answer(hostile, SCHEMA)

    assert time.process_time() - began < 5


def test_endpoints_are_sent_what_all_of_them_understand() -> None:
    said = sent(SCHEMA)

    score = said["properties"]["scores"]["items"]
    assert score["required"] == ["wish", "reason", "score"]
    assert score["additionalProperties"] is False
    assert score["properties"]["score"] == {"type": "integer"}
