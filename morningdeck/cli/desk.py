"""What a command works with: the application, the user it acts for, and its output."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from typer.core import TyperGroup

from morningdeck import folders, logs
from morningdeck.actions import words
from morningdeck.cli.globals import Globals
from morningdeck.cli.output import Output, readable

if TYPE_CHECKING:
    from morningdeck.adapters import Adapters
    from morningdeck.app import App
    from morningdeck.engine.node import ProcessKind
    from morningdeck.settings.sections import LoggingSettings, Settings
    from morningdeck.store.store import Store
    from morningdeck.views.reading import UserView

THE_ID = typer.Argument(parser=words.identity, metavar="ID", help="Its number, as lists show it.")
Id = Annotated[int, THE_ID]
Limit = Annotated[int, typer.Option(parser=words.how_many, metavar="N", help="How many at most.")]

T = TypeVar("T")


def id_option(help_text: str) -> Any:
    """An option that names something by its id."""
    return typer.Option(parser=words.identity, metavar="ID", help=help_text)


@dataclass(frozen=True, slots=True)
class Desk:
    app: App
    user: UserView
    out: Output
    shows_progress: bool = False
    """A line of progress stands in for the log."""

    @property
    def store(self) -> Store:
        return self.app.store

    @property
    def adapters(self) -> Adapters:
        return self.app.adapters

    @property
    def now(self) -> datetime:
        return self.app.clock()


def settings(context: typer.Context) -> Settings:
    # imported only when a command runs: `--help` needs no database and no parser
    from morningdeck.settings.reading import load

    return load(_globals(context).config)


def output(context: typer.Context) -> Output:
    return Output(json=_globals(context).json)


@contextmanager
def desk(
    context: typer.Context, kind: ProcessKind = "command", chosen: Settings | None = None
) -> Iterator[Desk]:
    """Open the application for one command, which logs only trouble unless it runs for long; with
    settings as they are `chosen`, or as they are read.
    """
    with _no_garbage():
        from morningdeck.app import open_app

    given, chosen = _globals(context), chosen or settings(context)
    level, lasts = chosen.logging.level, kind != "command"
    line = kind == "daemon" and not given.json and _shows_progress(chosen.logging)
    logged = (lasts and not line) or level == "DEBUG"
    logs.configure(level if logged else "WARNING", chosen.logging.format)
    say_where(chosen, logged=lasts and not line)
    with open_app(chosen, kind=kind) as app:
        users = app.store.users
        user = users.by_email(given.user) if given.user else users.first()
        yield Desk(app, user, Output(json=given.json, zone=user.timezone, now=app.clock()), line)


def _shows_progress(logging: LoggingSettings) -> bool:
    """At a terminal, unless its user has asked for the log itself."""
    return sys.stderr.isatty() and logging.format == "auto" and logging.level == "INFO"


@contextmanager
def _no_garbage() -> Iterator[None]:
    """No garbage collection during imports: it frees nothing, in a tenth of a short command."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def say_where(chosen: Settings, *, logged: bool = False) -> None:
    """Say once in which folder a new deck begins, if the user has not named one."""
    folder = chosen.data_dir
    if not folders.begins(folder) or folder != folders.data_folder(os.environ):
        return
    if logged:
        logs.log.info("deck_begins", data_dir=str(folder.absolute()))
    else:
        said = f"a new deck begins in {folder.absolute()} (data_dir names another folder)"
        print(readable(said), file=sys.stderr)


def _globals(context: typer.Context) -> Globals:
    return context.ensure_object(Globals)


class CommandGroup(TyperGroup):
    """Shows its commands when it is called without one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            print(ctx.get_help(), file=sys.stderr)
            raise typer.Exit(2)
        return super().parse_args(ctx, args)


def group(help_text: str) -> typer.Typer:
    return typer.Typer(
        help=help_text, cls=CommandGroup, rich_markup_mode=None, add_completion=False
    )


def on_one(
    app: typer.Typer, table: Callable[[Store], T]
) -> Callable[[str, str, Callable[[T, int, int, datetime], object]], None]:
    """Returns what adds a command that is given an id: a name, a help, and what is done and shown.

    That is done with the table, the user's id, the id that was given, and the time.
    """

    def add(name: str, help_text: str, do: Callable[[T, int, int, datetime], object]) -> None:
        @app.command(name, help=help_text)
        def command(context: typer.Context, id: Id) -> None:
            with desk(context) as at:
                at.out.show(do(table(at.store), at.user.id, id, at.now))

    return add
