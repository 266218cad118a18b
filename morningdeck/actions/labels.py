"""Labels, as reader apps know them: folders of sources, and what a briefing has chosen.

A folder is a tag of sources. A briefing is called by its title; folders and briefings of one name
are one label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from morningdeck.actions import briefings
from morningdeck.errors import ConfigError, ConflictError, NotFoundError
from morningdeck.model.finding import ItemFilter, Stream
from morningdeck.model.wanting import BriefingChanges, SourceChanges
from morningdeck.plans import When
from morningdeck.views.reading import FollowedView, ItemView
from morningdeck.views.sent import BriefingView

if TYPE_CHECKING:
    from morningdeck.store.store import Store
    from morningdeck.store.views.subscriptions import Subscriptions

EVERY_BRIEFING = 1_000_000
LONGEST_FOLDER = 200


@dataclass(frozen=True, slots=True)
class Label:
    name: str
    source_ids: tuple[int, ...] = ()
    briefings: tuple[BriefingView, ...] = ()

    @property
    def stream(self) -> Stream:
        filters = (
            ItemFilter(briefing_id=one.id, min_score=one.min_score) for one in self.briefings
        )
        return Stream(tuple(filters), self.source_ids)

    def has(self, item: ItemView) -> bool:
        return item.source_id in self.source_ids or any(_takes(one, item) for one in self.briefings)


def _takes(briefing: BriefingView, item: ItemView) -> bool:
    wishes = {briefing.id, *(section.id for section in briefing.sections)}
    return any(one.briefing_id in wishes and one.score >= briefing.min_score for one in item.scores)


def labels_of(
    store: Store, user_id: int, followed: Sequence[FollowedView] | None = None
) -> dict[str, Label]:
    """By name: folders in the order of their sources, then briefings."""
    if followed is None:
        followed = store.subscriptions.followed(user_id)
    sources: dict[str, list[int]] = {}
    for source in followed:
        for tag in source.tags:
            sources.setdefault(tag, []).append(source.id)
    titled: dict[str, list[BriefingView]] = {}
    for briefing in reversed(store.briefings.list(user_id, EVERY_BRIEFING)):
        titled.setdefault(briefing.title, []).append(briefing)
    return {
        name: Label(name, tuple(sources.get(name, ())), tuple(titled.get(name, ())))
        for name in {**sources, **titled}
    }


def label_named(labels: dict[str, Label], name: str) -> Label:
    if name not in labels:
        raise NotFoundError(f"there is no folder and no briefing {name[:LONGEST_FOLDER]!r}")
    return labels[name]


def rename(
    store: Store,
    user_id: int,
    name: str,
    new: str,
    *,
    check_channels: briefings.CheckChannels,
    now: datetime,
) -> None:
    """The folder, and the briefings of that title."""
    label, new = label_named(labels_of(store, user_id), name), _valid(new)
    for briefing in label.briefings:
        changes = BriefingChanges(title=new)
        briefings.edit(
            store, user_id, briefing.id, changes, When(), check_channels=check_channels, now=now
        )
    store.subscriptions.retag(user_id, name, new)


def remove(store: Store, user_id: int, name: str) -> None:
    """The folder; its sources stay, and so do briefings."""
    label = label_named(labels_of(store, user_id), name)
    if not label.source_ids:
        number = label.briefings[0].id
        raise ConflictError(
            f"{name!r} is a briefing: if it is to go, use morningdeck briefing remove {number}"
        )
    store.subscriptions.retag(user_id, name, None)


def file_source(
    subscriptions: Subscriptions,
    user_id: int,
    source: FollowedView,
    *,
    into: Sequence[str] = (),
    out_of: Sequence[str] = (),
    name: str | None = None,
    now: datetime,
) -> None:
    """Into these folders and out of those, and under that name."""
    kept = (tag for tag in source.tags if tag not in out_of)
    tags = tuple(dict.fromkeys((*kept, *map(_valid, into))))
    changes = SourceChanges(name=name, tags=None if tags == source.tags else tags)
    if changes != SourceChanges():
        subscriptions.edit(user_id, source.id, changes, now=now)


def _valid(name: str) -> str:
    if not name.strip() or len(name) > LONGEST_FOLDER or not name.isprintable():
        raise ConfigError(f"a label is a line of at most {LONGEST_FOLDER} characters")
    return name.strip()
