"""Verb three: select, write, render, commit, and hand over to the deliveries.

One report per slot. Every candidate that was weighed is marked with the report, chosen
or not, in the transaction that commits it: so nothing comes twice, and a score that
arrives late is in the next report. Nothing is sent from here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Protocol

from morningdeck.edition import draw_at_once, draw_up, window
from morningdeck.errors import PermanentError
from morningdeck.model.sending import AT_ONCE_SLOT, Briefing, Envelope, Rendered, Report, Written
from morningdeck.schedule import due_slots, made_up_within, next_run, zone_or_utc
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


Quiet = Callable[[datetime, str], bool]
"""Whether mails carry no notices then, by the clock of that zone."""
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
    quiet: Quiet = lambda at, timezone: False,
    most_at_once: int = 10,
) -> Outcome:
    """`most_at_once`: how many mails of saved searches a user gets in a day."""
    briefing = briefings.load(job.id)
    if briefing is None:
        return Failed("the briefing is gone", permanent=True)
    now = clock()
    if briefing.at_once:
        return _at_once(briefing, briefings, writer, words, quiet, most_at_once, now)
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
        drawn = draw_up(report_id, due.slot or "manual", briefing, briefings, now)
        report = words(_with_notices(drawn.report, briefing, briefings, quiet))
        written = replace(
            written,
            report=report,
            weighed=drawn.weighed,
            found=drawn.found,
            passed_over=drawn.passed_over,
        )
        if report.items or briefing.quiet_note:
            written = _with_mails(written, report, briefing, writer)
    return Done(written, due_at=due.next_run_at, wake=(Stage.DELIVERY.value,))


# ---- what a saved search has found


def _at_once(
    briefing: Briefing,
    briefings: BriefingRows,
    writer: ReportWriter,
    words: Words,
    quiet: Quiet,
    most: int,
    now: datetime,
) -> Outcome:
    """All that is there goes together; quiet hours, and a day that has had its mails, wait."""
    written = Written(report=None, next_run_at=briefing.next_run_at)
    found = briefings.found(briefing, now - window(briefing.plan))
    if not found:
        return Done(written, due_at=briefing.next_run_at)
    if (loud_at := _not_quiet(now, briefing.plan.timezone, quiet)) > now:
        return Postponed(loud_at)
    day = now.astimezone(zone_or_utc(briefing.plan.timezone)).date()
    report_id = briefings.open_at_once(briefing, day, most)
    if report_id is None:
        return Postponed(_begin_of(day + timedelta(days=1), briefing.plan.timezone))
    drawn = draw_at_once(report_id, f"{AT_ONCE_SLOT}{day}", briefing, found, briefings, now)
    report = words(drawn.report)
    written = replace(written, report=report, found=drawn.found, passed_over=drawn.passed_over)
    written = _with_mails(written, report, briefing, writer)
    return Done(written, due_at=briefing.next_run_at, wake=(Stage.DELIVERY.value,))


def _not_quiet(at: datetime, timezone: str, quiet: Quiet) -> datetime:
    """The first minute from then on, however the clocks are set meanwhile."""
    minutes = (at + timedelta(minutes=number) for number in range(24 * 60))
    return next((minute for minute in minutes if not quiet(minute, timezone)), at)


def _begin_of(day: date, timezone: str) -> datetime:
    return datetime.combine(day, time(), zone_or_utc(timezone)).astimezone(UTC)


# ---- what a planned run owes


def _with_notices(
    report: Report, briefing: Briefing, briefings: BriefingRows, quiet: Quiet
) -> Report:
    """What the user must know goes along, unless others read the same mail, or it is too late."""
    first = not briefings.has_reports(briefing.id)
    alone = len(briefing.recipients) <= 1
    if not alone or quiet(report.generated_at, briefing.plan.timezone):
        return replace(report, is_first=first)
    return replace(report, is_first=first, untold=briefings.untold(briefing.user_id))


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
    if not envelopes and briefing.at_once:
        return written  # whoever got it has left
    if not envelopes:
        raise PermanentError(
            f"it goes to nobody: {', '.join(briefing.channels)} needs an address, use:"
            f" morningdeck briefing edit {briefing.id} --to ADDRESS, or --channel folder"
        )
    return replace(written, rendered=rendered, envelopes=envelopes)


def preview_report(briefing: Briefing, *, briefings: BriefingRows, now: datetime) -> Report:
    """What would be sent now; marks nothing."""
    report = draw_up(0, "preview", briefing, briefings, now).report
    return worded(_with_notices(report, briefing, briefings, lambda at, timezone: False))
