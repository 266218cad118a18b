"""Verb three: select, write, render, commit, and hand over to the deliveries.

One report per slot. Every candidate that was weighed is marked with the report, chosen
or not, in the transaction that commits it: so nothing comes twice, and a score that
arrives late is in the next report. Nothing is sent from here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from morningdeck.errors import PermanentError
from morningdeck.model.sending import (
    Briefing,
    Candidate,
    Envelope,
    Plan,
    Rendered,
    Report,
    ReportItem,
    Written,
)
from morningdeck.schedule import due_slots, made_up_within, next_run, zone
from morningdeck.selection import DAILY_WINDOW, WEEKLY_WINDOW, select
from morningdeck.wording import worded
from morningdeck.work import Done, Failed, Job, Outcome, Postponed, Stage

if TYPE_CHECKING:
    from morningdeck.ports.engine import Clock
    from morningdeck.ports.verbs import BriefingRows


class ReportWriter(Protocol):
    """Makes a report readable, once, and puts it into the envelopes of its channels."""

    def render(self, report: Report) -> Rendered: ...

    def envelopes(
        self, briefing: Briefing, report: Report, rendered: Rendered
    ) -> tuple[Envelope, ...]: ...


Words = Callable[[Report], Report]
"""Gives a report its subject and its overview."""


@dataclass(frozen=True, slots=True)
class Owed:
    """What a claimed briefing owes: a slot to write, slots that it is too late for."""

    slot: str | None
    missed: tuple[str, ...]
    next_run_at: datetime
    writes: bool


def brief(
    job: Job,
    *,
    briefings: BriefingRows,
    writer: ReportWriter,
    clock: Clock,
    words: Words = worded,
) -> Outcome:
    briefing = briefings.load(job.id)
    if briefing is None:
        return Failed("the briefing is gone", permanent=True)
    now = clock()
    if not briefing.manual and briefing.next_run_at > now:
        return Postponed(briefing.next_run_at)
    due = owed(briefing, now)
    report_id = briefings.open_report(briefing.id, due.slot) if due.writes else None
    written = Written(
        report=None,
        next_run_at=due.next_run_at,
        slot=None if briefing.manual else due.slot,
        missed=due.missed,
    )
    if report_id is not None:
        report, weighed = _draw_up(report_id, due.slot or "manual", briefing, briefings, now)
        report = words(report)
        written = replace(written, report=report, weighed=weighed)
        if report.items or briefing.quiet_note:
            written = _with_mails(written, report, briefing, writer)
    return Done(written, due_at=due.next_run_at, wake=(Stage.DELIVERY.value,))


def owed(briefing: Briefing, now: datetime) -> Owed:
    """A manual run leaves the plan alone; a planned one makes up for every slot up to now."""
    if briefing.manual:
        return Owed(None, (), briefing.next_run_at, writes=True)
    due = due_slots(briefing.plan, briefing.next_run_at, now)
    slot, due_at = due[-1]
    missed = tuple(name for name, _ in due[:-1])
    following = next_run(briefing.plan, now, slot)
    if now - due_at > made_up_within(briefing.plan):
        return Owed(None, (*missed, slot), following, writes=False)
    return Owed(slot, missed, following, writes=True)


def _with_mails(
    written: Written, report: Report, briefing: Briefing, writer: ReportWriter
) -> Written:
    rendered = writer.render(report)
    envelopes = writer.envelopes(briefing, report, rendered)
    if not envelopes:
        raise PermanentError(
            f"it goes to nobody: {', '.join(briefing.channels)} needs an address, use:"
            f" morningdeck briefing edit {briefing.id} --to ADDRESS, or --channel folder"
        )
    return replace(written, rendered=rendered, envelopes=envelopes)


def preview_report(briefing: Briefing, *, briefings: BriefingRows, now: datetime) -> Report:
    """What would be sent now; marks nothing."""
    report, _ = _draw_up(0, "preview", briefing, briefings, now)
    return worded(report)


def window(plan: Plan) -> timedelta:
    """How long ago an item may have been first seen."""
    return DAILY_WINDOW if plan.weekday is None else WEEKLY_WINDOW


def _draw_up(
    report_id: int, slot: str, briefing: Briefing, briefings: BriefingRows, now: datetime
) -> tuple[Report, tuple[int, ...]]:
    """The report without its words, and the items that were weighed for it, chosen or not."""
    zone(briefing.plan.timezone)  # a machine may lose one: said before anything needs it
    candidates = briefings.candidates(briefing, now - window(briefing.plan))
    chosen = select(
        candidates,
        min_score=briefing.min_score,
        max_items=briefing.max_items,
        per_source=briefing.per_source,
    )
    stories = [one.story_id for one in chosen if one.story_id is not None]
    tellers = briefings.also_in(briefing.user_id, stories)
    report = Report(
        id=report_id,
        briefing_id=briefing.id,
        briefing_title=briefing.title,
        slot=slot,
        subject="",
        overview="",
        generated_at=now,
        timezone=briefing.plan.timezone,
        language=briefing.language,
        weighed=len(candidates),
        items=tuple(
            _snapshot(position, one, tellers.get(one.story_id or 0, ()))
            for position, one in enumerate(chosen, start=1)
        ),
        weekly=briefing.plan.weekday is not None,
        broken_sources=briefings.broken_sources(briefing.id),
    )
    return report, tuple(candidate.item_id for candidate in candidates)


def _snapshot(
    position: int, candidate: Candidate, tellers: tuple[tuple[int, str], ...]
) -> ReportItem:
    return ReportItem(
        position=position,
        item_id=candidate.item_id,
        title=candidate.title,
        url=candidate.url,
        summary=candidate.summary,
        score=candidate.score,
        reason=candidate.reason,
        source_title=candidate.source_title,
        published_at=candidate.published_at,
        also_in=tuple(name for source, name in tellers if source != candidate.source_id),
        topics=candidate.topics,
    )
