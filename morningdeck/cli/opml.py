"""`opml`: lists of feeds, in and out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from morningdeck.actions import opml
from morningdeck.cli.desk import desk, group, id_option
from morningdeck.errors import PermanentError

app = group("Lists of feeds, in and out.")


@app.command("import")
def import_(
    context: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", allow_dash=True, help="The list; - is the standard input."),
    ],
    briefing: Annotated[int | None, id_option("A briefing that takes their items.")] = None,
) -> None:
    """Read all the feeds of an OPML file from now on."""
    try:
        body = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise PermanentError(f"cannot read {str(file)!r}: {error.strerror}") from error
    with desk(context) as at, at.out.busy(f"reading {file}") as say:
        at.out.show(
            opml.import_(
                at.store.subscriptions,
                at.user.id,
                at.adapters.parser.opml(body),
                now=at.now,
                briefing_ids=() if briefing is None else (briefing,),
                progress=lambda done, of: say(f"{done} of {of} feeds"),
            )
        )


@app.command()
def export(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="Where to; an earlier export is replaced."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE whatever it is.")] = False,
) -> None:
    """Write your feeds, pages and subreddits as OPML, to the terminal without FILE.

    Pages have marks that only Morning Deck knows; for other readers they are links.
    """
    with desk(context) as at:
        feeds = opml.feeds_of(at.store.subscriptions, at.user.id)
        document = opml.outline(feeds)
        if file is None:
            at.out.text("opml", document)
            return
        opml.write_list(file, document, force=force)
        at.out.show({"feeds": len(feeds), "file": str(file.absolute())})
