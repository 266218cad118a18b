"""Prompts: ours are whole, a user's are checked before anything is asked with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from morningdeck.errors import ConfigError
from morningdeck.prompts import ALLOWED, NEEDED, read_prompts

OWN = "# mine, version 7\nSay it in {{language}}. {{wishes}}\n---\n{{title}}: {{text}}\n"


def test_ours_are_whole() -> None:
    assert set(read_prompts()) == set(NEEDED) == set(ALLOWED)


def test_a_prompt_is_filled_and_parted_around_its_text() -> None:
    said = {"language": "de", "wishes": "{{title}}", "title": "Quay"}

    instructions, (before, after) = read_prompts()["enrich"].around(said, "text")

    assert 'in the language "de"' in instructions
    assert instructions.endswith("{{title}}"), "what is filled in is not looked at again"
    assert before.endswith("Title: Quay\n\n")
    assert after == ""
    assert "{{" not in before


def test_a_user_s_file_stands_in_for_ours(tmp_path: Path) -> None:
    (tmp_path / "enrich.txt").write_text(OWN)

    prompts = read_prompts(tmp_path)

    assert prompts["enrich"].instructions.startswith("Say it in")
    assert prompts["score"] == read_prompts()["score"]


@pytest.mark.parametrize(
    ("name", "text", "mistake"),
    [
        ("enrich.txt", OWN.replace("{{wishes}}", ""), "it makes no use of {{wishes}}"),
        (
            "enrich.txt",
            OWN.replace("{{title}}", "{{title}} {{titel}}"),
            "there is no {{titel}}, only",
        ),
        ("enrich.txt", OWN.replace("---", ""), "one line --- must part"),
        (
            "enrich.txt",
            OWN.replace("mine", "with {{text}}").replace(": {{text}}", ""),
            "no use of {{text}}",
        ),
        ("enrich.txt", OWN.replace("Say", "{{text}}: say"), "{{text}} must stand below the line"),
        ("enrich.txt", "\udcff", "can't decode"),
        ("enriched.txt", OWN, "only enrich.txt, score.txt"),
    ],
)
def test_a_mistake_in_it_is_told(tmp_path: Path, name: str, text: str, mistake: str) -> None:
    (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))

    with pytest.raises(ConfigError) as caught:
        read_prompts(tmp_path)

    assert mistake in str(caught.value)
    assert name in str(caught.value)


def test_a_folder_that_is_not_there_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no folder"):
        read_prompts(tmp_path / "none")
