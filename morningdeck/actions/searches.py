"""Searches that are saved, and where they tell what they find."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from morningdeck.asked.parse import finished_query
from morningdeck.asked.understood import understood
from morningdeck.errors import ConfigError
from morningdeck.model.query import AnyOf
from morningdeck.model.wanting import NewSearch
from morningdeck.schedule import zone_or_utc
from morningdeck.views.reading import UserView
from morningdeck.views.sent import SavedSearchView

if TYPE_CHECKING:
    from morningdeck.store.views.saved_searches import SavedSearches

NOWHERE = "@localhost"
"""How the address of somebody ends who has told none."""

ChannelsFor = Callable[[tuple[str, ...]], tuple[str, ...]]
CheckWays = Callable[[tuple[str, ...], tuple[str, ...]], None]
"""Refuses channels that could deliver to nobody, given the recipients."""


def save(
    searches: SavedSearches,
    user: UserView,
    wanted: NewSearch,
    *,
    channels_for: ChannelsFor,
    check_channels: CheckWays,
    now: datetime,
) -> SavedSearchView:
    """Mails of its own go to the user's own address, or where the first briefing goes."""
    zone = zone_or_utc(user.timezone)
    asked = finished_query(wanted.query, now=now, zone=zone)
    if asked.asks == AnyOf():
        raise ConfigError(f"there is nothing in {wanted.query!r} that could be looked for")
    if wanted.at_once:
        wanted = _on_its_way(searches, user, wanted, channels_for, check_channels)
    elif wanted.recipients or wanted.channels:
        raise ConfigError("only --alert now has mails of its own that go somewhere")
    saved = searches.save(user.id, wanted, now=now)
    return replace(saved, understood=understood(asked))


def _on_its_way(
    searches: SavedSearches,
    user: UserView,
    wanted: NewSearch,
    channels_for: ChannelsFor,
    check_channels: CheckWays,
) -> NewSearch:
    to = wanted.recipients
    if not to:
        unknown = user.email.endswith(NOWHERE)
        to = tuple(searches.usual_recipients(user.id)) if unknown else (user.email,)
    channels = wanted.channels or channels_for(to)
    check_channels(channels, to)
    return replace(wanted, recipients=to, channels=channels)
