"""A wish before it is a briefing: what would be sent today. Nothing is kept of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from morningdeck.actions.briefings import UNSTORED, LeftOut, Preview
from morningdeck.errors import ConfigError
from morningdeck.model.making import Criteria
from morningdeck.model.sending import Briefing
from morningdeck.schedule import next_run
from morningdeck.selection import WEEKLY_WINDOW

if TYPE_CHECKING:
    from morningdeck.model.wanting import NewBriefing
    from morningdeck.refining import Refiner
    from morningdeck.store.store import Store
    from morningdeck.views.reading import UserView

NO_BRIEFING = 0
PER_SOURCE = 3


def preview_wish(
    store: Store,
    user: UserView,
    wanted: NewBriefing,
    *,
    refiner: Callable[[], Refiner],
    now: datetime,
) -> Preview:
    """The report that such a briefing would send now, scored without a model; `refiner` makes one
    that nobody else asks.
    """
    from morningdeck import brief, edition
    from morningdeck.refining import tried
    from morningdeck.store.rows.wished import SqlWishedRows

    text = wanted.criteria.strip()
    if not text:
        raise ConfigError("say in a sentence what it is to be about")
    rows = SqlWishedRows(store.database, user.id, wanted.source_ids)
    since = now - edition.window(wanted.plan)
    found = rows.unscored(since)
    wish = Criteria(NO_BRIEFING, UNSTORED, text, user.id, wanted.language)
    ids = [one.item_id for one in found]
    scores = tried(store.profile_rows, refiner(), wish, ids, now - WEEKLY_WINDOW) if ids else {}
    rows.scored = tuple(
        replace(one, score=score.value, reason=score.reason)
        for one in found
        if (score := scores.get(one.item_id)) is not None
    )
    briefing = _as_if_saved(wanted, user, next_run(wanted.plan, now))
    report = brief.preview_report(briefing, briefings=rows, now=now)
    return Preview(report, LeftOut(*rows.not_known(since)))


def _as_if_saved(wanted: NewBriefing, user: UserView, next_run_at: datetime) -> Briefing:
    return Briefing(
        id=NO_BRIEFING,
        user_id=user.id,
        title=wanted.title.strip() or "Your briefing",
        plan=wanted.plan,
        recipients=wanted.recipients,
        channels=wanted.channels,
        max_items=wanted.max_items,
        min_score=wanted.min_score,
        per_source=PER_SOURCE,
        language=wanted.language,
        quiet_note=wanted.quiet_note,
        next_run_at=next_run_at,
        manual=True,
        user_email=user.email,
    )
