"""All commands, gathered."""

from __future__ import annotations

from typing import Annotated

import typer

from morningdeck import __version__
from morningdeck.cli import (
    briefing,
    db,
    demo,
    item,
    opml,
    queue,
    report,
    run,
    search,
    source,
    status,
    user,
)
from morningdeck.cli.desk import Group

commands = typer.Typer(
    name="morningdeck",
    cls=Group,
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


commands.command()(run.run)
commands.command()(demo.demo)
commands.command()(status.status)
commands.command()(status.config)
commands.add_typer(source.app, name="source")
commands.add_typer(opml.app, name="opml")
commands.add_typer(briefing.app, name="briefing")
commands.add_typer(item.app, name="item")
commands.add_typer(report.app, name="report")
commands.command()(search.search)
commands.command()(search.reindex)
commands.add_typer(queue.app, name="queue")
commands.add_typer(user.app, name="user")
commands.add_typer(db.app, name="db")
commands.command()(db.cleanup)
