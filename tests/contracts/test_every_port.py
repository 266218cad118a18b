"""There is a suite for every port, and somebody runs it."""

from __future__ import annotations

import ast
from pathlib import Path

from morningdeck.ports import asking, engine, verbs

HERE = Path(__file__).parent
SUITE = "Contract"


def classes(folder: Path) -> list[ast.ClassDef]:
    trees = (ast.parse(file.read_text(encoding="utf-8")) for file in folder.rglob("*.py"))
    return [node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)]


def test_every_port_has_a_suite() -> None:
    named = {one.name.removesuffix(SUITE) for one in classes(HERE) if one.name.endswith(SUITE)}
    there = {
        name
        for ports in (asking, engine, verbs)
        for name, port in vars(ports).items()
        if getattr(port, "_is_protocol", False) and port.__module__ == ports.__name__
    }
    assert named == there


def test_every_suite_is_run() -> None:
    suites = {one.name for one in classes(HERE) if one.name.endswith(SUITE)}
    tests = [one for one in classes(HERE.parent) if one.name.startswith("Test")]

    run = {base.id for one in tests for base in one.bases if isinstance(base, ast.Name)}

    assert suites <= run
