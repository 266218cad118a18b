"""`topics`: what the news of the last two weeks turns around."""

from __future__ import annotations

import typer

from morningdeck.actions import topics
from morningdeck.cli.desk import Id, Limit, desk, group
from morningdeck.views.reading import TopicView

app = group("What the news of the last two weeks turns around.")
COLUMNS_SHOWN = "id label this_week week_before"


@app.command("list")
def list_(context: typer.Context, limit: Limit = 50) -> None:
    """Your topics, the most told this week first.

    The numbers are stories, however many sources tell each. The daemon finds topics by night.
    """
    with desk(context) as at:
        at.out.list(
            at.store.topics.list(at.user.id, limit), COLUMNS_SHOWN, moved=_moved, newest=_newest
        )


@app.command()
def show(context: typer.Context, id: Id) -> None:
    """One of them, with its newest stories."""
    with desk(context) as at:
        at.out.show(at.store.topics.show(at.user.id, id))


@app.command()
def find(context: typer.Context) -> None:
    """Find yours anew, now."""
    with desk(context) as at:
        with at.out.busy("reading two weeks"):
            found = topics.find(at.app.theming, at.store.topics, at.user.id)
        at.out.list(found, COLUMNS_SHOWN, moved=_moved, newest=_newest)


def _moved(view: TopicView) -> str:
    return "" if view.moved is None else f"{view.moved:+d}" if view.moved else "same"


def _newest(view: TopicView) -> str:
    return view.newest[0].title if view.newest else ""
