"""`source`: what is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from morningdeck.actions import sources, words
from morningdeck.addresses import source_type, source_url
from morningdeck.cli.desk import THE_ID, Desk, Id, Limit, desk, group, id_option, on_one
from morningdeck.errors import ConfigError
from morningdeck.model.kinds import Health
from morningdeck.model.wanting import NewSource, SourceChanges
from morningdeck.sources import SOURCE_TYPES

if TYPE_CHECKING:
    from morningdeck.views.reading import SourceView

app = group("What is read.")

Url = Annotated[
    str,
    typer.Argument(metavar="URL", help="Of a feed, a page (--type web), reddit://NAME, imap://..."),
]


OneId = Annotated[int | None, THE_ID]
All = Annotated[bool, typer.Option("--all", help="All your sources.")]
Type = Annotated[
    str | None,
    typer.Option(
        "--type",
        metavar="|".join(SOURCE_TYPES).lower(),
        help="rss, if the address does not say.",
    ),
]


# ---- what `add` and `edit` are told

NAME = typer.Option(show_default=False, help="Your own name for it.")
PROMPT = typer.Option(show_default=False, help="web: what to look for.")
Every = Annotated[str | None, typer.Option(metavar="15m", help="How often it is read.")]
Topics = Annotated[
    list[str] | None, typer.Option(help="What its items are about, until they are read.")
]
FolderTags = Annotated[
    list[str] | None, typer.Option(metavar="TAG", help="Your own; the first is its folder in OPML.")
]


@app.command()
def add(
    context: typer.Context,
    url: Url,
    type_: Type = None,
    name: Annotated[str, NAME] = "",
    briefing: Annotated[list[int] | None, id_option("A briefing that takes its items.")] = None,
    every: Every = None,
    topic: Topics = None,
    prompt: Annotated[str, PROMPT] = "",
    no_check: Annotated[bool, typer.Option("--no-check", help="Do not read it first.")] = False,
) -> None:
    """Read a source from now on."""
    type_ = source_type(url, type_)
    new = NewSource(
        url=source_url(url, type_),
        type=type_,
        name=name.strip(),
        topics=tuple(topic or ()),
        prompt=prompt.strip(),
        refresh=words.length(every) if every else None,
    )
    with desk(context) as at, at.out.busy(f"reading {new.url}"):
        readers = at.adapters.waiting_readers
        found = None if no_check else sources.look(new.url, type_, readers=readers)
        added = sources.add(
            at.store.subscriptions, at.user.id, new, found, now=at.now, briefing_ids=briefing or ()
        )
    at.out.show(added)


@app.command()
def edit(
    context: typer.Context,
    id: Id,
    name: Annotated[str | None, NAME] = None,
    every: Every = None,
    topic: Topics = None,
    tag: FolderTags = None,
    prompt: Annotated[str | None, PROMPT] = None,
) -> None:
    """Change what you name; the rest stays as it is."""
    changes = SourceChanges(
        name=None if name is None else name.strip(),
        topics=tuple(topic) if topic else None,
        tags=tuple(tag) if tag else None,
        prompt=None if prompt is None else prompt.strip(),
        refresh=words.length(every) if every else None,
    )
    if changes == SourceChanges():
        raise ConfigError("say what to change, see: morningdeck source edit --help")
    _change(context, lambda at: at.store.subscriptions.edit(at.user.id, id, changes, now=at.now))


@app.command()
def check(context: typer.Context, url: Url, type_: Type = None) -> None:
    """Look what a source would bring, without adding it."""
    type_ = source_type(url, type_)
    address = source_url(url, type_)
    with desk(context) as at, at.out.busy(f"reading {address}"):
        found = sources.check(address, type_, readers=at.adapters.waiting_readers)
    at.out.show(found)


@app.command("list")
def list_(
    context: typer.Context,
    limit: Limit = 50,
    health: Annotated[
        Health | None, typer.Option(help="Only those in this state of health.")
    ] = None,
) -> None:
    """Your sources, the newest first."""
    with desk(context) as at:
        at.out.list(
            at.store.subscriptions.list(at.user.id, limit, health=health),
            "id name health items next_fetch_at last_error last_success_at type paused",
        )


one = on_one(app, lambda store: store.subscriptions)
one("show", "Everything about one.", lambda sources, user, id, now: sources.show(user, id))
one("pause", "Do not read it for now.", lambda sources, user, id, now: sources.pause(user, id))
one("resume", "Read it again.", lambda sources, user, id, now: sources.resume(user, id, now=now))


@app.command()
def refresh(context: typer.Context, id: OneId = None, everything: All = False) -> None:
    """Read it now."""
    _say_which(id, everything)
    with desk(context) as at:
        of = at.store.subscriptions
        if id is None:
            at.out.show({"refreshed": of.refresh_all(at.user.id, now=at.now)})
        else:
            at.out.show(of.refresh(at.user.id, id, now=at.now))


@app.command()
def reset(context: typer.Context, id: OneId = None, everything: All = False) -> None:
    """Forget its failures and what it said, and read it anew, now."""
    _say_which(id, everything)
    with desk(context) as at:
        of = at.store.subscriptions
        if id is None:
            at.out.show({"reset": of.reset_all(at.user.id, now=at.now)})
        else:
            at.out.show(of.reset(at.user.id, id, now=at.now))


def _say_which(id: int | None, everything: bool) -> None:
    if (id is None) != everything:
        raise ConfigError("say what: either the id of a source, or --all")


@app.command()
def deactivate(
    context: typer.Context,
    id: Id,
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="Why; shown as its last error.", show_default=False)
    ] = "",
) -> None:
    """Have nobody read it until it is reset or resumed."""
    why = reason.strip()
    _change(context, lambda at: at.store.subscriptions.deactivate(at.user.id, id, why))


@app.command()
def remove(context: typer.Context, id: Id) -> None:
    """End the subscription; saved items stay."""
    with desk(context) as at:
        view = at.store.subscriptions.show(at.user.id, id)
        at.store.subscriptions.remove(at.user.id, id)
        at.out.show(view)


def _change(context: typer.Context, change: Callable[[Desk], SourceView]) -> None:
    with desk(context) as at:
        at.out.show(change(at))
