"""`user`: who reads."""

from __future__ import annotations

from typing import Annotated

import typer

from morningdeck.cli.desk import Limit, desk, group

app = group("Who reads.")


@app.command()
def add(
    context: typer.Context,
    email: Annotated[str, typer.Argument(metavar="EMAIL", help="The address that names the user.")],
    name: Annotated[str, typer.Option(help="What to call the user.", show_default=False)] = "",
    timezone: Annotated[
        str, typer.Option(metavar="ZONE", help="Whose times are shown, Europe/Berlin.")
    ] = "UTC",
    admin: Annotated[
        bool, typer.Option("--admin", help="May do everything, not only for themselves.")
    ] = False,
) -> None:
    """Add somebody who reads."""
    with desk(context) as at:
        at.out.show(
            at.store.users.add(email, now=at.now, name=name, timezone=timezone, admin=admin)
        )


@app.command()
def edit(
    context: typer.Context,
    email: Annotated[str, typer.Argument(metavar="EMAIL", help="The address that names the user.")],
    name: Annotated[str | None, typer.Option(help="What to call the user.")] = None,
    timezone: Annotated[
        str | None, typer.Option(metavar="ZONE", help="Whose times are shown, Europe/Berlin.")
    ] = None,
) -> None:
    """Change a name or a time zone; briefings that were planned keep theirs."""
    with desk(context) as at:
        at.out.show(at.store.users.edit(email, name=name, timezone=timezone))


@app.command("list")
def list_(context: typer.Context, limit: Limit = 50) -> None:
    """All users, the newest first."""
    with desk(context) as at:
        at.out.list(
            at.store.users.list(limit), "id", "email", "name", "role", "timezone", "enabled"
        )
