"""All commands with their parameters, as the program itself knows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from morningdeck.cli.commands import commands

Command = tuple[tuple[str, ...], Any]


def every_command(node: Any = None, path: tuple[str, ...] = ()) -> Iterator[Command]:
    """The words of each command that does something, and the command itself."""
    node = node or get_command(commands)
    if not hasattr(node, "commands"):
        yield path, node
        return
    for name, child in node.commands.items():
        yield from every_command(child, (*path, name))


def own_parameters(command: Any) -> list[Any]:
    return [each for each in command.params if each.name not in ("help", "context")]
