"""`search`: finding what was read, now or whenever it comes."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from morningdeck.actions import searches, words
from morningdeck.cli.briefing_options import Channels
from morningdeck.cli.desk import CommandGroup, Limit, desk
from morningdeck.cli.search import search
from morningdeck.model.wanting import NewSearch
from morningdeck.views.sent import SavedSearchView

FIND = "find"
"""The command that need not be named."""
HELP = f"""{search.__doc__}
    `morningdeck search QUERY` does so with the options of `search find`. The name of another
    command is searched for with `search find`.
"""

SearchName = Annotated[str, typer.Argument(metavar="NAME", help="What it is called.")]


class SearchGroup(CommandGroup):
    """What is no command is a query."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "--help"):
            args = [FIND, *args]
        return super().parse_args(ctx, args)

    @property
    def unnamed(self) -> Any:
        return self.commands[FIND]


app = typer.Typer(help=HELP, cls=SearchGroup, rich_markup_mode=None, add_completion=False)
app.command(FIND)(search)


@app.command()
def save(
    context: typer.Context,
    name: SearchName,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What it finds, as for a search.")],
    alert: Annotated[
        str | None,
        typer.Option(
            metavar="BRIEFING|now",
            help="Tell what comes: in a section of this briefing, or by a mail of its own.",
        ),
    ] = None,
    to: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="With --alert now: who gets it; at first you."),
    ] = None,
    channel: Channels = None,
) -> None:
    """Keep a search, and be told of what it finds from now on.

    What is there already is not told; whatever comes is told once.
    """
    at_once = alert is not None and alert.strip().lower() == "now"
    with desk(context) as at:
        wanted = NewSearch(
            name=name,
            query=query,
            briefing_id=None if alert is None or at_once else words.identity(alert),
            at_once=at_once,
            recipients=tuple(to or ()),
            channels=tuple(channel or ()),
        )
        ways = at.adapters.ways_out
        saved = searches.save(
            at.store.saved_searches,
            at.user,
            wanted,
            channels_for=ways.to,
            check_channels=ways.check,
            now=at.now,
        )
        at.out.show(saved)


@app.command("list")
def list_(context: typer.Context, limit: Limit = 50) -> None:
    """Your saved searches."""
    with desk(context) as at:
        at.out.list(at.store.saved_searches.list(at.user.id, limit), "name query", alert=_alert)


def _alert(view: SavedSearchView) -> str:
    if view.alert is None:
        return ""
    where = ", ".join(view.to) or ", ".join(view.channels)
    return f"now, to {where}" if view.alert == "now" else f"briefing {view.alert}"


@app.command()
def remove(context: typer.Context, name: SearchName) -> None:
    """Forget a saved search, and the mails of its own that it has sent."""
    with desk(context) as at:
        view = at.store.saved_searches.show(at.user.id, name)
        at.store.saved_searches.remove(at.user.id, name)
        at.out.show(view)
