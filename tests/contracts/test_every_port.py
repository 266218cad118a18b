"""There is a suite for every port."""

from __future__ import annotations

import ast
from pathlib import Path

from morningdeck import ports

NO_SUITE_YET = {"JobStore", "HttpWithForms"}
"""HttpWithForms is Http and a form, which tests/net/test_forms.py is about."""


def test_every_port_has_a_suite() -> None:
    named = {
        node.name.removesuffix("Contract")
        for file in Path(__file__).parent.glob("*.py")
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name.endswith("Contract")
    }
    there = {
        name
        for name, port in vars(ports).items()
        if getattr(port, "_is_protocol", False) and port.__module__ == ports.__name__
    }
    assert there - named == NO_SUITE_YET
    assert named <= there
