"""What a briefing says of itself: subject, the line at its head, headlines, dates.

Deterministic and pure: the same report always reads the same.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from morningdeck.languages import phrases
from morningdeck.model.sending import Report, ReportItem, WhyNot
from morningdeck.plaintext import at_sentence, reading_minutes, shorten

LONGEST_SUBJECT = 60
"""More than that no list of mails shows."""
LONGEST_SEARCH = 25
"""Of the name of a search, before the story that it has found."""
LONGEST_OF_LEAD, LONGEST_OF_SHORT = 1200, 280
"""Characters of the summary of a story that is the lead, or is not."""

FIRST_TOLD, FURTHER_TOLD = 6, 3
"""How many stories of the first section are told with their summaries, and of each further one."""

WHY_NOT = {
    WhyNot.OFF_SUBJECT: "off the subject",
    WhyNot.TOLD_TWICE: "told by another article",
    WhyNot.TOLD_BEFORE: "told before",
    WhyNot.SOURCE_FULL: "its source has its places",
    WhyNot.SUBJECT_FULL: "its subject has its places",
    WhyNot.DAY_FULL: "its day has its places",
    WhyNot.NO_PLACE: "others scored higher",
}
"""In English, for lists of what a report has left out."""
_WEEK = timedelta(days=6)

# ---- dates


def local_day(report: Report) -> date:
    """The day a report is for: its slot's, where that is a day, even if it ran after midnight."""
    if day := re.match(r"\d{4}-\d\d-\d\d", report.slot):
        return date.fromisoformat(day[0])
    return report.generated_at.astimezone(ZoneInfo(report.timezone)).date()


def long_date(report: Report) -> str:
    """The day, or the week that ends with it."""
    spoken, day = phrases(report.language), local_day(report)
    return spoken.spanned(day - _WEEK, day) if report.weekly else spoken.dated(day, spoken.full_day)


def moment(report: Report, at: datetime) -> str:
    """When something is or was, by the reader's clock; the day only if it is another."""
    local = at.astimezone(ZoneInfo(report.timezone))
    if local.date() == local_day(report):
        return f"{local:%H:%M}"
    spoken = phrases(report.language)
    return f"{spoken.dated(local.date(), spoken.full_day)}, {local:%H:%M}"


def since_when(report: Report, at: datetime) -> str:
    """`Since yesterday:`, as the reader's calendar says."""
    spoken, today = phrases(report.language), local_day(report)
    local = at.astimezone(ZoneInfo(report.timezone))
    if local.date() == today - timedelta(days=1):
        return spoken.since_yesterday
    same = local.date() == today
    return spoken.since.format(f"{local:%H:%M}" if same else spoken.dated(local.date(), spoken.day))


# ---- subject and overview


def worded(report: Report) -> Report:
    """The report with its subject and overview."""
    return replace(report, subject=subject(report), overview=overview(report))


def subject(report: Report, top: str = "") -> str:
    """The day's news: the `top` story and how many more there are; of a quiet day its date."""
    spoken = phrases(report.language)
    if not report.items:
        quiet = spoken.quiet_week if report.weekly else spoken.quiet_day
        day = long_date(report) if report.weekly else spoken.dated(local_day(report), spoken.day)
        told = spoken.titled.format("", f"{quiet}, {day}")
        return shorten(report.briefing_title, LONGEST_SUBJECT - len(told)) + told
    before = spoken.titled.format(spoken.the_week, "") if report.weekly else ""
    if report.at_once:
        before = spoken.titled.format(shorten(report.briefing_title, LONGEST_SEARCH), "")
    others = len(report.items) - 1
    after = f" (+{others})" if others else ""
    room = LONGEST_SUBJECT - len(before) - len(after)
    return before + (shorten(top, room) or headline(report.items[0], room)) + after


def overview(report: Report) -> str:
    """How much there is and how long it takes, or the note of a quiet day."""
    spoken = phrases(report.language)
    if not report.items:
        return spoken.quiet_note
    minutes = spoken.counted(spoken.minutes, minutes_of(report))
    return f"{stories_from(report)}, {minutes}"


def stories_from(report: Report) -> str:
    """`8 stories from 11 papers`."""
    spoken = phrases(report.language)
    sources = {item.source_title for item in report.items}
    sources |= {teller.source for item in report.items for teller in item.also_in}
    return spoken.stories_from.format(
        stories=spoken.counted(spoken.stories, len(report.items)),
        papers=spoken.counted(spoken.papers, len(sources)),
    )


def minutes_of(report: Report) -> int:
    """How long it takes to read the briefing itself, with what it shows of each story."""
    shown = [shorten(item.title, LONGEST_OF_SHORT) for item in report.items]
    lead = report.lead
    for number, section in enumerate(report.sections):
        fresh = [item for item in section.items if not item.told]
        for item in fresh[: FIRST_TOLD if number == 0 else FURTHER_TOLD]:
            text = item.update or item.summary
            most = LONGEST_OF_LEAD if item is lead else LONGEST_OF_SHORT
            shown.append(shorten(text, most) if item is lead else at_sentence(text, most))
    return reading_minutes(" ".join(shown))


def marked_as_test(report: Report) -> Report:
    """Told to be a test where people look first, and above all that it shows."""
    spoken = phrases(report.language)
    note = spoken.test_note.format(spoken.quoted.format(shorten(report.briefing_title, 80)))
    return replace(
        report,
        subject=shorten(spoken.titled.format(spoken.test, report.subject), LONGEST_SUBJECT),
        overview=f"{note}\n{report.overview}".rstrip(),
    )


def headline(item: ReportItem, limit: int) -> str:
    """The item's title, or whatever else can stand for it."""
    return shorten(item.title, limit) or shorten(item.source_title, limit) or "…"
