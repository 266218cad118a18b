"""Sources to begin with: a short list by topic, which comes with the program."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from morningdeck.model.wanting import NewSource

if TYPE_CHECKING:
    from morningdeck.store.views.subscriptions import Subscriptions


@dataclass(frozen=True, slots=True)
class StarterTopic:
    title: str
    feeds: tuple[tuple[str, str], ...]
    """Name and address of each."""


@cache
def starter_topics() -> tuple[StarterTopic, ...]:
    text = files("morningdeck").joinpath("starters.toml").read_text(encoding="utf-8")
    return tuple(
        StarterTopic(one["title"], tuple((feed["name"], feed["url"]) for feed in one["feeds"]))
        for one in tomllib.loads(text)["topic"]
    )


def add_starters(
    subscriptions: Subscriptions, user_id: int, titles: Collection[str], *, now: datetime
) -> int:
    """Read the sources of these topics from now on; returns how many were not read before."""
    wanted = [
        NewSource(url, name=name, tags=(topic.title,))
        for topic in starter_topics()
        if topic.title in titles
        for name, url in topic.feeds
    ]
    return subscriptions.subscribe_all(user_id, wanted, now=now)
