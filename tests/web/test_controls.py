"""docs/security.md names what holds each control: it must be there."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "docs" / "security.md").read_text("utf-8")


def test_each_test_that_holds_a_control_is_there() -> None:
    there = {path.relative_to(TESTS.parent).as_posix(): path for path in TESTS.rglob("test_*.py")}
    texts = {name: path.read_text("utf-8") for name, path in there.items()}
    named = set(re.findall(r"\b(test_\w+)`", PAGE))
    files = re.findall(r"`((?:\w+/)*test_\w+\.py)(?:::(test_\w+))?`", PAGE)

    assert len(named) > 80
    assert {name for name in named if f"def {name}(" not in "".join(texts.values())} == set()
    for file, name in files:
        held = [text for path, text in texts.items() if f"/{path}".endswith(f"/{file}")]
        assert any(f"def {name}" in text for text in held), (file, name)


def test_each_control_has_a_test() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and line.count("|") == 3]

    assert len(rows) > 50
    assert [
        row for row in rows if "`" not in row.split("|")[2] and row.split("|")[2] != " test "
    ] == []
