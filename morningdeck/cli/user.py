"""`user`: who reads."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from morningdeck.actions import accounts, words
from morningdeck.actions import tokens as actions
from morningdeck.cli import asked, claiming
from morningdeck.cli.desk import Id, Limit, desk, group
from morningdeck.errors import ConfigError
from morningdeck.model.kinds import TokenScope

app = group("Who reads.")


Email = Annotated[str, typer.Argument(metavar="EMAIL", help="The address that names the user.")]
NAME = typer.Option(help="What to call the user.", show_default=False)
ZONE = typer.Option(metavar="ZONE", help="Whose times are shown, Europe/Berlin.")
ADMIN = "May do everything, not only for themselves."


@app.command()
def add(
    context: typer.Context,
    email: Email,
    name: Annotated[str, NAME] = "",
    timezone: Annotated[str, ZONE] = "UTC",
    admin: Annotated[bool, typer.Option("--admin", help=ADMIN)] = False,
) -> None:
    """Add somebody who reads."""
    with desk(context) as at:
        at.out.show(
            at.store.users.add(email, now=at.now, name=name, timezone=timezone, admin=admin)
        )


@app.command()
def edit(
    context: typer.Context,
    email: Email,
    name: Annotated[str | None, NAME] = None,
    timezone: Annotated[str | None, ZONE] = None,
    admin: Annotated[bool | None, typer.Option("--admin/--no-admin", help=ADMIN)] = None,
) -> None:
    """Change what you name; briefings that were planned keep their time zone."""
    if (name, timezone, admin) == (None, None, None):
        raise ConfigError("say what to change, see: morningdeck user edit --help")
    with desk(context) as at:
        at.out.show(at.store.users.edit(email, name=name, timezone=timezone, admin=admin))


@app.command()
def credits(
    context: typer.Context,
    email: Email,
    left: Annotated[str, typer.Argument(metavar="N|unlimited", help="How many are left.")],
) -> None:
    """How many items the model may still score for somebody; the others are scored offline."""
    number = words.credits_left(left)
    with desk(context) as at:
        at.out.show(at.store.users.set_credits(email, number, now=at.now))


@app.command()
def disable(context: typer.Context, email: Email) -> None:
    """Switch somebody off: they get in nowhere, and keep what is theirs."""
    with desk(context) as at:
        at.out.show(accounts.switch(at.store, email, on=False))


@app.command()
def enable(context: typer.Context, email: Email) -> None:
    """Switch somebody on again."""
    with desk(context) as at:
        at.out.show(accounts.switch(at.store, email, on=True))


@app.command()
def export(
    context: typer.Context,
    email: Email,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to, as deck.zip.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE whatever it is.")] = False,
) -> None:
    """Write all that somebody owns into one archive: JSON, and the sources as OPML."""
    from morningdeck.actions.exporting import write_archive

    with desk(context) as at, at.out.busy(f"writing {file}"):
        user = at.store.users.by_email(email)
        size = write_archive(at.store, user, file, now=at.now, force=force)
        at.out.show({"email": user.email, "file": str(file.absolute()), "bytes": size})


@app.command()
def remove(
    context: typer.Context,
    email: Email,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove somebody with all that is theirs, for good; what others read as well stays.

    Where it was interrupted, it goes on when it is called again.
    """
    with desk(context) as at:
        user = at.store.users.by_email(email)
        if not yes:
            asked.sure(f"Remove {user.email}, with all briefings, reports and marks", "--yes")
        at.out.show(accounts.remove(at.store, user, now=at.now))


@app.command()
def password(context: typer.Context, email: Email) -> None:
    """Set the password of somebody; asks for it, or reads it from a pipe.

    All their browsers have to log in again.
    """
    with desk(context) as at:
        user = at.store.users.by_email(email)
        accounts.set_password(at.store.accounts, user, asked.new_password())
        at.out.show(user)


@app.command()
def claim(
    context: typer.Context,
    email: Annotated[
        str | None, typer.Argument(metavar="[EMAIL]", help="Whose account; the first one's.")
    ] = None,
) -> None:
    """Print a one-time code, good for a day, for the first visit or a new password."""
    with desk(context) as at:
        user = at.store.users.by_email(email) if email else at.store.users.first()
        at.out.show(claiming.code_for(at.app, user))
        at.out.note("this is the only time that the code is shown")


@app.command("list")
def list_(context: typer.Context, limit: Limit = 50) -> None:
    """All users, the newest first."""
    with desk(context) as at:
        at.out.list(at.store.users.list(limit), "id email name role timezone credits enabled")


@app.command()
def token(
    context: typer.Context,
    email: Email,
    name: Annotated[str, typer.Option(help="What it is for, as lists show it.")],
    scope: Annotated[TokenScope, typer.Option(help="How far it reaches.")] = TokenScope.READ,
) -> None:
    """Make a token for the interface; it is shown this once."""
    with desk(context) as at:
        user = at.store.users.by_email(email)
        at.out.show(actions.issue(at.store.api_tokens, user, name, scope, now=at.now))
        at.out.note("this is the only time that the token is shown")


@app.command()
def tokens(context: typer.Context, email: Email, limit: Limit = 50) -> None:
    """The tokens of somebody, the newest first."""
    with desk(context) as at:
        user = at.store.users.by_email(email)
        found = at.store.api_tokens.list(user.id, limit)
        at.out.list(found, "id name scope created_at last_used_at")


@app.command()
def revoke(context: typer.Context, id: Id) -> None:
    """End a token, whosever it is; nobody gets in by it any more."""
    with desk(context) as at:
        at.out.show(at.store.api_tokens.remove(id))
