"""All commands, each in a file that is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Annotated, Any, cast

import typer
from typer.main import get_command

from morningdeck import __version__
from morningdeck.cli.desk import CommandGroup

FOUND_IN = {
    "run": "run:run",
    "worker": "worker:worker",
    "web": "web:web",
    "demo": "demo:demo",
    "status": "status:status",
    "config": "status:config",
    "usage": "usage:usage",
    "search": "saved_searches:app",
    "reindex": "search:reindex",
    "cleanup": "db:cleanup",
    "source": "source:app",
    "opml": "opml:app",
    "briefing": "briefing:app",
    "item": "item:app",
    "topics": "topics:app",
    "report": "report:app",
    "queue": "queue:app",
    "user": "user:app",
    "db": "db:app",
}
"""The file of each command or group, and its name there; in this order they are shown."""


class LazyCommands(Mapping[str, Any]):
    """Loads one command where one is asked for, and all of them where all are shown."""

    def __getitem__(self, name: str) -> Any:
        return _load(name)

    def __iter__(self) -> Iterator[str]:
        return iter(FOUND_IN)

    def __len__(self) -> int:
        return len(FOUND_IN)


@cache
def _load(name: str) -> Any:
    file, _, found_as = FOUND_IN[name].partition(":")
    found = getattr(import_module(f"morningdeck.cli.{file}"), found_as)
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(rich_markup_mode=None, add_completion=False)
        alone.command(name)(found)
        found = alone
    return get_command(found)


class Deck(CommandGroup):
    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = cast("dict[str, Any]", LazyCommands())


commands = typer.Typer(
    name="morningdeck",
    cls=Deck,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(__version__)
        raise typer.Exit


@commands.callback()
def morningdeck(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show it and exit."),
    ] = False,
    config: Annotated[
        str | None, typer.Option(metavar="FILE", help="Where the settings are.")
    ] = None,
    user: Annotated[
        str | None, typer.Option(metavar="EMAIL", help="Act for this user, not for the first.")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document, nothing else.")
    ] = False,
) -> None:
    """Reads your feeds and mails you a briefing, on time, once.

    --config, --user and --json may stand anywhere among a command's words.
    """
    # Those three are taken out before (see `globals`); here they are for help and completion.
