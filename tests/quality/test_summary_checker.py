"""The checker of summaries finds what was planted, and nothing in a good one."""

from __future__ import annotations

import pytest

from tests.quality.summaries import overlap
from tests.quality.summary_checker import faults, pieces

TITLE = "Port of Emden reopens its quay"
TEXT = """\
By Ida Moss
The port of Emden, which has 900 workers, opened its largest quay again on 5 May. It cost nine
million euros. Ships can switch off their engines while they lie there, Dr. Weber of the port said.
"We are glad that it is over," she said. The quay of the port of Emden reopens.
We use cookies to make this page better. Read more about it in our newsletter, it is free.
Photo: a ship at the quay of the port. See https://example.org for more of these pictures.
"""


def found(summary: str) -> set[str]:
    return {fault.split(":")[0].split(" ")[0] for fault in faults(summary, title=TITLE, text=TEXT)}


@pytest.mark.parametrize(
    "summary",
    [
        "",
        "The port of Emden, which has 900 workers, opened its largest quay again on 5 May.",
        "Ships can switch off their engines while they lie there, Dr. Weber of the port said.",
        "The port of Emden, which has 900 workers, opened its largest quay again on 5 May. It cost"
        " nine million euros.",
        "The port of Emden, which has 900 workers, opened its largest quay again on 5 May. Ships"
        " can switch off their engines while they lie there, Dr. Weber of the port said.",
    ],
)
def test_a_good_summary_has_no_faults(summary: str) -> None:
    assert faults(summary, title=TITLE, text=TEXT) == []


@pytest.mark.parametrize(
    ("summary", "fault"),
    [
        ("Opened its largest quay again on 5 May.", "fragment"),
        ("The port of Emden, which has 900 workers, opened its", "fragment"),
        ("Ships can switch off their engines while they lie there, Dr.", "fragment"),
        ("Ships can switch off all that they have on board.", "fragment"),
        ("It cost nine million euros.", "leans"),
        ('"We are glad that it is over," she said.', "leans"),
        ("The quay of the port of Emden reopens.", "title"),
        ("We use cookies to make this page better.", "cookies"),
        ("Read more about it in our newsletter, it is free.", "pitch"),
        ("Photo: a ship at the quay of the port.", "caption"),
        ("See https://example.org for more of these pictures.", "address"),
        (f"{TEXT} " * 2, "long"),
    ],
)
def test_what_a_reader_would_hold_against_it_is_found(summary: str, fault: str) -> None:
    assert fault in found(summary)


def test_it_splits_in_a_way_of_its_own() -> None:
    assert pieces("Dr. Weber came at 5 p.m. and left. He was late! 雨だ。風だ。") == [
        "Dr. Weber came at 5 p.m. and left.",
        "He was late!",
        "雨だ。",
        "風だ。",
    ]


def test_two_texts_share_what_is_in_both() -> None:
    assert overlap("The port is open", "the port is closed") == 0.75
    assert overlap("open", "closed") == 0
