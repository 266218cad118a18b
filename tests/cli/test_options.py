"""No command takes an option that it does not look at."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import morningdeck.cli

FILES = sorted(Path(morningdeck.cli.__file__).parent.glob("*.py"))
WAITS = {"no_web"}
"""So it is already, until there is a web page."""


def commands(file: Path) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.FunctionDef(args=ast.arguments(args=[ast.arg(arg="context"), *_])):
                yield node


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_option_is_read(file: Path) -> None:
    for command in commands(file):
        names = {argument.arg for argument in command.args.args} - {"self", "context"}
        body = ast.Module(command.body, type_ignores=[])
        read = {node.id for node in ast.walk(body) if isinstance(node, ast.Name)}
        assert names - read <= WAITS, command.name
