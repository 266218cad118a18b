"""`db`: the database itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from morningdeck.actions.status import running_since
from morningdeck.cli.desk import Desk, desk, group, output, say_where, settings
from morningdeck.engine.node import lock_as_daemon, refuse_beside_web
from morningdeck.errors import ConflictError
from morningdeck.views.running import DatabaseView

app = group("The database itself.")

File = Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False, help="The backup.")]


@app.command()
def upgrade(context: typer.Context) -> None:
    """Bring it to this version's schema, as every command does."""
    with desk(context) as at:
        at.out.show(_examine(at))


@app.command()
def check(context: typer.Context) -> None:
    """Is it whole, and is its schema the one that the program knows?"""
    with desk(context) as at:
        view = _examine(at, thorough=True)
        at.out.show(view)
    raise typer.Exit(0 if view.ok else 1)


@app.command()
def backup(
    context: typer.Context,
    file: File,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite FILE although it is no backup of ours.")
    ] = False,
) -> None:
    """Copy it into one file, while it is in use."""
    from morningdeck.store.database import backup as copies  # help needs no database

    out, url = output(context), settings(context).database.url.get_secret_value()
    with out.busy("copying"):
        size = copies.backup(url, file, force=force)
    out.show({"file": str(file.absolute()), "bytes": size})


@app.command()
def restore(context: typer.Context, file: File) -> None:
    """Put everything back as it was at a backup; neither daemon nor web may be running."""
    from morningdeck.store.database import backup as copies

    out, chosen = output(context), settings(context)
    say_where(chosen)
    # before anything is opened: the database may be damaged
    lock = lock_as_daemon(chosen.data_dir)
    refuse_beside_web(chosen.data_dir)
    url = chosen.database.url.get_secret_value()
    if not url.startswith("sqlite"):
        with desk(context) as at:
            if running_since(at.store, chosen.data_dir, at.now) is not None:
                raise ConflictError("a daemon is running on this database: stop it first")
    with out.busy("restoring"):
        copies.restore(url, file)
    with desk(context) as at:
        at.out.show(_examine(at))
    lock.close()


def _examine(at: Desk, *, thorough: bool = False) -> DatabaseView:
    from morningdeck.store.database.revision import examine

    return examine(at.store.database, thorough=thorough)


def cleanup(context: typer.Context) -> None:
    """Remove now what the settings keep no longer."""
    with desk(context) as at, at.out.busy("cleaning up"):
        at.out.show(at.store.retention.apply(at.app.keep, at.now))
