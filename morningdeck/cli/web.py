"""`web`: pages and API, in a process of their own."""

from __future__ import annotations

import typer

from morningdeck.cli import claiming
from morningdeck.cli.desk import desk


def web(context: typer.Context) -> None:
    """Serve the pages and the REST API until told to stop, for a daemon that runs elsewhere.

    It listens on web.host and web.port of the settings. Tokens: morningdeck user token.
    """
    with desk(context, "web") as at:
        claiming.invite(at)
        from morningdeck.web.server import serve_web  # which no other command pays for

        serve_web(at.app)
