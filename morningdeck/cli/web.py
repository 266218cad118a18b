"""`web`: the API, in a process of its own."""

from __future__ import annotations

import typer

from morningdeck.cli.desk import desk


def web(context: typer.Context) -> None:
    """Serve the REST API until told to stop; the daemon runs beside it.

    It listens on web.host and web.port of the settings. Tokens: morningdeck user token.
    """
    with desk(context, "web") as at:
        from morningdeck.web.server import serve_web  # which no other command pays for

        serve_web(at.app)
