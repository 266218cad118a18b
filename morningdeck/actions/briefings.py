"""Briefings: made, resumed, previewed, run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from morningdeck import plans
from morningdeck.actions import reports
from morningdeck.errors import ConfigError, ConflictError, NotFoundError, TransientError
from morningdeck.model.making import Criteria
from morningdeck.model.sending import Briefing, Report
from morningdeck.model.wanting import BriefingChanges, NewBriefing
from morningdeck.model.weighing import Scope
from morningdeck.schedule import next_run
from morningdeck.selection import WEEKLY_WINDOW
from morningdeck.views.reading import TunedView
from morningdeck.views.sent import (
    BriefingRunView,
    BriefingView,
    PreviewView,
    ReportItemView,
    ReportView,
)
from morningdeck.work import Stage

if TYPE_CHECKING:
    from morningdeck.engine.on_demand import OnDemand
    from morningdeck.refining import Refiner
    from morningdeck.store.store import Store

UNSTORED = 0
"""The version of criteria that no briefing has."""
BEFORE_A_BRIEFING = (Stage.FETCH, Stage.PROCESSING)
WRITING_SECONDS = 60.0
MOST_OVERDUE = 1_000
"""Sources; who has more has a daemon."""

Tell = Callable[[str], None]
ChannelsTo = Callable[[tuple[str, ...]], tuple[str, ...]]
CheckChannels = Callable[[tuple[str, ...], tuple[str, ...]], None]
"""Refuses channels that could deliver to nobody, given the recipients."""


def add(
    store: Store,
    user_id: int,
    new: NewBriefing,
    *,
    channels_to: ChannelsTo,
    check_channels: CheckChannels,
    now: datetime,
) -> BriefingView:
    """Add a briefing, sent from its next time on; `channels_to` chooses, if it names no channel."""
    if not new.channels:
        new = replace(new, channels=channels_to(new.recipients))
    check_channels(new.channels, new.recipients)
    return store.briefings.add(user_id, new, now=now, next_run_at=next_run(new.plan, now))


def edit(
    store: Store,
    user_id: int,
    briefing_id: int,
    changes: BriefingChanges,
    when: plans.When,
    *,
    check_channels: CheckChannels,
    now: datetime,
) -> BriefingView:
    """Change what `changes` and `when` name, and nothing else."""
    briefing = _load(store, user_id, briefing_id)
    plan = when.changed(briefing.plan)
    changes = replace(changes, plan=plan)
    if changes == BriefingChanges():
        raise ConfigError("say what to change, see: morningdeck briefing edit --help")
    if changes.channels is not None or changes.recipients is not None:
        channels, to = changes.channels, changes.recipients
        check_channels(channels or briefing.channels, to or briefing.recipients)
    next_run_at = None if plan is None else next_run(plan, now, briefing.last_slot)
    return store.briefings.edit(user_id, briefing_id, changes, now=now, next_run_at=next_run_at)


def resume(store: Store, user_id: int, briefing_id: int, *, now: datetime) -> BriefingView:
    """From its next time on."""
    briefing = _load(store, user_id, briefing_id)
    next_run_at = next_run(briefing.plan, now, briefing.last_slot)
    return store.briefings.resume(user_id, briefing_id, now=now, next_run_at=next_run_at)


# ---- what would be sent, and what is not known yet


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a briefing cannot weigh yet: so many sources unread, so many items unscored."""

    unread_sources: int
    unscored: int

    def __bool__(self) -> bool:
        return bool(self.unread_sources or self.unscored)


@dataclass(frozen=True, slots=True)
class Preview:
    report: Report
    left_out: LeftOut

    @property
    def view(self) -> PreviewView:
        report = self.report
        items = tuple(map(ReportItemView.of, report.items))
        return PreviewView(
            id=report.id,
            briefing_id=report.briefing_id,
            slot=report.slot,
            status="PREVIEW",
            subject=report.subject,
            summary=report.overview,
            generated_at=report.generated_at,
            closed_at=None,
            weighed=report.weighed,
            weekly=report.weekly,
            items=items,
            moved=report.moved,
            left_out=report.left_out,
            undelivered=report.undelivered,
            deliveries=(),
            unscored=self.left_out.unscored,
            unread_sources=self.left_out.unread_sources,
        )


def preview(store: Store, user_id: int, briefing_id: int, *, now: datetime) -> Preview:
    """The report that would be sent now."""
    from morningdeck import brief  # lists and help write no report

    briefing = _load(store, user_id, briefing_id)
    report = brief.preview_report(briefing, briefings=store.briefing_rows, now=now)
    return Preview(report, _left_out(store, _scope(briefing, now)))


def for_test(
    store: Store, user_id: int, briefing_id: int, *, now: datetime
) -> tuple[Briefing, Preview]:
    briefing = _load(store, user_id, briefing_id)
    return briefing, preview(store, user_id, briefing_id, now=now)


def _left_out(store: Store, scope: Scope) -> LeftOut:
    unread, unscored = (store.expected.count(stage, scope) for stage in BEFORE_A_BRIEFING)
    return LeftOut(unread, unscored)


def _scope(briefing: Briefing, now: datetime) -> Scope:
    from morningdeck import edition

    return Scope(briefing.id, now - edition.window(briefing.plan))


def _load(store: Store, user_id: int, briefing_id: int) -> Briefing:
    briefing = store.briefing_rows.load(briefing_id)
    if briefing is None or briefing.user_id != user_id or briefing.at_once:
        raise NotFoundError(f"there is no briefing {briefing_id}")
    return briefing


# ---- what it thinks of what there is


def tune(
    store: Store,
    user_id: int,
    briefing_id: int,
    *,
    limit: int = 50,
    criteria: str | None = None,
    refiner: Callable[[], Refiner],
    now: datetime,
) -> tuple[TunedView, ...]:
    """The newest items with their scores, and beside them those by other criteria, if there are
    such, without a model. Nothing changes. `refiner` makes one that nobody else asks.
    """
    views = store.briefings.scored(user_id, briefing_id, limit)
    if criteria is None:
        return views
    from morningdeck.refining import tried

    if not criteria.strip():
        raise ConfigError("criteria: what is its reader interested in?")
    language = store.briefings.language(user_id, briefing_id)
    wish = Criteria(briefing_id, UNSTORED, criteria.strip(), user_id, language)
    ids = [view.item_id for view in views]
    found = tried(store.profile_rows, refiner(), wish, ids, now - WEEKLY_WINDOW)
    return tuple(
        replace(view, tried_score=one.value, tried_reason=one.reason)
        if (one := found.get(view.item_id))
        else view
        for view in views
    )


# ---- now


@dataclass(frozen=True, slots=True)
class Run:
    report: ReportView
    left_out: LeftOut

    @property
    def view(self) -> BriefingRunView:
        report, left = self.report, self.left_out
        return BriefingRunView(
            report.id, len(report.items), report.deliveries, left.unscored, left.unread_sources
        )


def run(
    store: Store,
    work: OnDemand,
    user_id: int,
    briefing_id: int,
    *,
    wait_seconds: float = 0.0,
    tell: Tell = lambda news: None,
) -> Run:
    """Fetch what is due and score what is new for up to `wait_seconds`, then build and deliver."""
    briefing = _load(store, user_id, briefing_id)
    scope = _overdue(store, _scope(briefing, work.clock()), work.clock())
    with work.at_work():
        _work_off(store, work, scope, wait_seconds, tell)
        tell("building the briefing")
        report_id = _write(store, work, briefing)
        reports.deliver_report(store, work, report_id)
    return Run(store.reports.show(user_id, report_id), _left_out(store, scope))


def ask(
    store: Store, user_id: int, briefing_id: int, *, wake: Callable[[str], None], now: datetime
) -> BriefingView:
    """Leave a manual run to the daemon; asked for again before it begins, it is still one."""
    _load(store, user_id, briefing_id)
    if not store.briefing_rows.ask_run(briefing_id, now):
        raise ConflictError(f"briefing {briefing_id} is being written just now, try again")
    wake(Stage.BRIEFING.value)
    return store.briefings.show(user_id, briefing_id)


def _overdue(store: Store, scope: Scope, now: datetime) -> Scope:
    """Where no daemon runs, nobody has read the sources since the last command."""
    overdue = store.expected.overdue(scope, now, MOST_OVERDUE)
    return replace(scope, asked_at=now, overdue=tuple(overdue))


def _write(store: Store, work: OnDemand, briefing: Briefing) -> int:
    """Returns the report's id."""
    rows = store.briefing_rows
    before = rows.last_report(briefing.id)
    if not rows.request_run(briefing.id, work.clock()):
        raise ConflictError(f"briefing {briefing.id} is being written just now, try again")
    if work.claim(Stage.BRIEFING, briefing.id):
        work.run(Stage.BRIEFING, briefing.id)
    else:
        _await_daemon(store, briefing.id)
    report_id = rows.last_report(briefing.id)
    if report_id is None or report_id == before:
        reason = store.briefings.show(briefing.user_id, briefing.id).last_error
        reason = reason or "a daemon is still at it"
        raise TransientError(f"briefing {briefing.id} could not be written: {reason}")
    return report_id


def _await_daemon(store: Store, briefing_id: int) -> None:
    """One that runs was faster: the run that was asked for is its own."""
    patience = time.monotonic() + WRITING_SECONDS
    while time.monotonic() < patience:
        briefing = store.briefing_rows.load(briefing_id)
        if briefing is None or not briefing.manual:
            return
        time.sleep(0.05)


def _work_off(store: Store, work: OnDemand, scope: Scope, seconds: float, tell: Tell) -> None:
    """Fetch the sources that are due and score new items, until nothing is left or time is up.

    An item that was told to wait, as for a model, is tried once: this report cannot wait for it.
    """
    from morningdeck.engine.on_demand import AHEAD, LOOK_SECONDS  # a list needs no engine

    until, patience = work.clock() + timedelta(seconds=seconds), time.monotonic() + seconds
    expected = store.expected
    stages = [stage for stage in BEFORE_A_BRIEFING if stage in work.threads]
    tried: set[int] = set()

    def put_off(stage: Stage) -> list[int]:
        if stage is not Stage.PROCESSING:
            return []
        found = expected.put_off(scope, work.clock(), AHEAD + len(tried))
        return [item_id for item_id in found if item_id not in tried]

    def anything_left() -> bool:
        now = work.clock()
        return any(expected.any_soon(one, scope, now, until) or put_off(one) for one in stages)

    if not seconds or not anything_left():
        return
    with work.crews(stages, patience) as crews:
        while time.monotonic() < patience:
            for crew in crews:
                crew.give(expected.due(crew.stage, scope, work.clock(), AHEAD))
                tried.update(crew.give(put_off(crew.stage)))
            if not anything_left() and not any(crew.at_work for crew in crews):
                return
            left = _left_out(store, scope)
            tell(f"first what is new: {left.unread_sources:,} to fetch, {left.unscored:,} to score")
            time.sleep(LOOK_SECONDS)
