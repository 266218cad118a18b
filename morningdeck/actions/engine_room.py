"""The engine room: everything about the machine that a person may want to know, at one look."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from morningdeck.actions.status import NO_WORKER
from morningdeck.model.hours import DepthView, HourView
from morningdeck.views.engine_room import EngineRoomView, NeedView, StageDay
from morningdeck.views.running import DeadLetterView, NoticeView, QueueView, StatusView
from morningdeck.work import Stage

if TYPE_CHECKING:
    from morningdeck.store.store import Store

SHOWN_HOURS = timedelta(hours=23)
"""Before the one that is under way: 24 in all."""
COST_DAYS, ROWS_SHOWN = 14, 50
ABOUT_SOURCES, ABOUT_LETTERS = "source-", "dead-letters"
"""Begin the kinds of notices."""


def look_around(store: Store, status: StatusView, user_id: int, now: datetime) -> EngineRoomView:
    """`status` is this user's."""
    room = store.engine_room
    since = now.replace(minute=0, second=0, microsecond=0) - SHOWN_HOURS
    hours, depths = room.hours(since), room.depths(since)
    letters = store.dead_letters.list(ROWS_SHOWN)
    return EngineRoomView(
        status=status,
        needs=_needs(status, room.notices(user_id), letters),
        stages=tuple(
            _day(stage.value, status.queues.get(stage.value), hours, depths) for stage in Stage
        ),
        processes=store.incarnations.known(now),
        holds=room.holds(now),
        deliveries=room.troubled_deliveries(ROWS_SHOWN),
        dead_letters=letters,
        costs=room.costs(COST_DAYS),
        since=since,
    )


def _day(
    stage: str, queue: QueueView | None, hours: Sequence[HourView], depths: Sequence[DepthView]
) -> StageDay:
    mine = tuple(hour for hour in hours if hour.stage == stage)
    endings: dict[str, int] = {}
    for hour in mine:
        for ending, number in hour.endings.items():
            endings[ending] = endings.get(ending, 0) + number
    worked = [hour for hour in mine if hour.median_seconds is not None]
    return StageDay(
        stage=stage,
        queue=queue,
        depths=tuple(one for one in depths if one.stage == stage),
        hours=mine,
        endings=endings,
        median_seconds=worked[-1].median_seconds if worked else None,
        slow_seconds=worked[-1].slow_seconds if worked else None,
    )


# ---- what needs somebody


def _needs(
    status: StatusView, notices: Sequence[NoticeView], letters: Sequence[DeadLetterView]
) -> tuple[NeedView, ...]:
    needs = []
    if not status.daemon.running:
        nothing = (
            "Nothing runs: no feed is read, and no briefing goes out. Start it: morningdeck run"
        )
        needs.append(NeedView(nothing, status.outlook.last_run_at))
    for name, queue in status.queues.items():
        if queue.limited_by == NO_WORKER:
            needs.append(NeedView(f"No worker takes {name}. Start one: morningdeck worker"))
    needs += [_of_notice(notice) for notice in notices]
    if letters and not any(notice.kind == ABOUT_LETTERS for notice in notices):
        those = "1 article" if len(letters) == 1 else f"{len(letters)} articles"
        since = min(letter.first_seen_at for letter in letters)
        needs.append(NeedView(f"{those} could not be read", since, dead_letters=True))
    return tuple(needs)


def _of_notice(notice: NoticeView) -> NeedView:
    of_source = notice.kind.startswith(ABOUT_SOURCES) and notice.subject.isdigit()
    return NeedView(
        what=f"{notice.text[:1].upper()}{notice.text[1:]}",
        since=notice.since,
        source_id=int(notice.subject) if of_source else None,
        dead_letters=notice.kind == ABOUT_LETTERS,
    )
