"""A briefing's reports as a feed, at an address that is a secret: who knows it may read them."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from morningdeck.actions.tokens import RANDOM_BYTES, digest
from morningdeck.views.sent import BriefingFeedView

if TYPE_CHECKING:
    from morningdeck.model.sending import Report
    from morningdeck.store.views.feeds import BriefingFeeds
    from morningdeck.views.sent import FeedOwnerView

FEED_PREFIX = "mdf_"
MOST_REPORTS = 30


def open_feed(
    feeds: BriefingFeeds, user_id: int, briefing_id: int, base_url: str, *, anew: bool
) -> BriefingFeedView:
    """Its addresses, told this once; `anew` ends those that it had."""
    secret = FEED_PREFIX + secrets.token_urlsafe(RANDOM_BYTES)
    feeds.put(user_id, briefing_id, digest(secret), anew=anew)
    rss, atom, json = (f"{base_url}/feeds/{secret}.{kind}" for kind in ("rss", "atom", "json"))
    return BriefingFeedView(briefing_id, rss, atom, json)


def read_feed(feeds: BriefingFeeds, secret: str) -> tuple[FeedOwnerView, list[Report]]:
    """Whose it is, and the newest reports first."""
    owner = feeds.owner(digest(secret))
    return owner, feeds.newest(owner.briefing_id, MOST_REPORTS)
