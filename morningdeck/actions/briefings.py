"""Briefings: made, resumed, previewed, run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from morningdeck import brief, plans
from morningdeck.actions import reports
from morningdeck.errors import ConfigError, ConflictError, NotFoundError, TransientError
from morningdeck.model.sending import Briefing, Report, Scope
from morningdeck.model.wanting import BriefingChanges, NewBriefing
from morningdeck.schedule import next_run
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
    from morningdeck.store.store import Store

BEFORE_A_BRIEFING = (Stage.FETCH, Stage.PROCESSING)

Tell = Callable[[str], None]
CheckChannels = Callable[[tuple[str, ...], tuple[str, ...]], None]
"""Refuses channels that could deliver to nobody, given the recipients."""


def add(
    store: Store,
    user_id: int,
    new: NewBriefing,
    *,
    mail_works: bool,
    check_channels: CheckChannels,
    now: datetime,
) -> BriefingView:
    """Add a briefing, sent from its next time on; by mail if that works and it names no channel."""
    if not new.channels:
        by_mail = mail_works and new.recipients
        new = replace(new, channels=("smtp" if by_mail else "folder",))
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
    """What a briefing cannot weigh yet: so many sources never read, so many items unscored."""

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
        same = {field.name for field in fields(ReportItemView)} - {"source"}
        items = tuple(
            ReportItemView(source=item.source_title, **{name: getattr(item, name) for name in same})
            for item in report.items
        )
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
            items=items,
            deliveries=(),
            unscored=self.left_out.unscored,
            unread_sources=self.left_out.unread_sources,
        )


def preview(store: Store, user_id: int, briefing_id: int, *, now: datetime) -> Preview:
    """The report that would be sent now."""
    briefing = _load(store, user_id, briefing_id)
    report = brief.preview_report(briefing, briefings=store.briefing_rows, now=now)
    return Preview(report, _left_out(store, _scope(briefing, now)))


def _left_out(store: Store, scope: Scope) -> LeftOut:
    unread, unscored = (store.expected.count(stage, scope) for stage in BEFORE_A_BRIEFING)
    return LeftOut(unread, unscored)


def _scope(briefing: Briefing, now: datetime) -> Scope:
    return Scope(briefing.id, now - brief.window(briefing.plan))


def _load(store: Store, user_id: int, briefing_id: int) -> Briefing:
    briefing = store.briefing_rows.load(briefing_id)
    if briefing is None or briefing.user_id != user_id:
        raise NotFoundError(f"there is no briefing {briefing_id}")
    return briefing


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
    """Fetch and score new items for up to `wait_seconds`, then build and deliver the briefing."""
    briefing = _load(store, user_id, briefing_id)
    with work.at_work():
        _work_off(store, work, briefing, wait_seconds, tell)
        tell("building the briefing")
        report_id = _write(store, work, briefing)
        reports.deliver_report(store, work, report_id)
    left = _left_out(store, _scope(briefing, work.clock()))
    return Run(store.reports.show(user_id, report_id), left)


def _write(store: Store, work: OnDemand, briefing: Briefing) -> int:
    """Returns the report's id."""
    rows = store.briefing_rows
    before = rows.last_report(briefing.id)
    asked = rows.request_run(briefing.id, work.clock())
    if not asked or not work.claim(Stage.BRIEFING, briefing.id):
        raise ConflictError(f"briefing {briefing.id} is being written just now, try again")
    work.run(Stage.BRIEFING, briefing.id)
    report_id = rows.last_report(briefing.id)
    if report_id is None or report_id == before:
        reason = store.briefings.show(briefing.user_id, briefing.id).last_error
        raise TransientError(f"briefing {briefing.id} could not be written: {reason}")
    return report_id


def _work_off(store: Store, work: OnDemand, briefing: Briefing, seconds: float, tell: Tell) -> None:
    """Fetch sources never fetched and score new items, until nothing is left or time is up."""
    from morningdeck.engine.on_demand import AHEAD, LOOK_SECONDS  # a list needs no engine

    until, patience = work.clock() + timedelta(seconds=seconds), time.monotonic() + seconds
    expected, scope = store.expected, _scope(briefing, work.clock())
    stages = [stage for stage in BEFORE_A_BRIEFING if stage in work.threads]

    def anything_left() -> bool:
        return any(expected.any_soon(stage, scope, work.clock(), until) for stage in stages)

    if not seconds or not anything_left():
        return
    with work.crews(stages, patience) as crews:
        while time.monotonic() < patience:
            for crew in crews:
                crew.give(expected.due(crew.stage, scope, work.clock(), AHEAD))
            if not anything_left():
                return
            left = _left_out(store, scope)
            tell(f"first what is new: {left.unread_sources:,} to fetch, {left.unscored:,} to score")
            time.sleep(LOOK_SECONDS)
