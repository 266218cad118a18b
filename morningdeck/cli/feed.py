"""`briefing feed`: reports for feed readers."""

from __future__ import annotations

from typing import Annotated

import typer

from morningdeck.actions import feeds
from morningdeck.cli.desk import Id, desk
from morningdeck.errors import ConfigError


def feed(
    context: typer.Context,
    id: Id,
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Make a new address; the one it had ends.")
    ] = False,
    end: Annotated[bool, typer.Option("--end", help="Be no feed any more.")] = False,
) -> None:
    """Have its reports as a feed, at a secret address; it is shown this once."""
    if rotate and end:
        raise ConfigError("--rotate or --end, not both")
    with desk(context) as at:
        if end:
            at.store.feeds.end(at.user.id, id)
            at.out.show(at.store.briefings.show(at.user.id, id))
            return
        base_url = at.app.settings.web.address
        at.out.show(feeds.open_feed(at.store.feeds, at.user.id, id, base_url, anew=rotate))
        at.out.note("this is the only time that these addresses are shown")
