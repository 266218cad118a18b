"""What a briefing says when nobody else has said it: subject, overview, headlines, dates.

Deterministic and pure: the same report always reads the same. Every sentence of an
overview names the items it speaks of ([1], [2]).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

from morningdeck.languages import Phrases, phrases
from morningdeck.model.sending import Report, ReportItem
from morningdeck.plaintext import shorten

# ---- dates


def local_day(report: Report) -> date:
    """The day a report is for: its slot's, where that is a day, even if it ran after midnight."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", report.slot):
        return date.fromisoformat(report.slot)
    return report.generated_at.astimezone(ZoneInfo(report.timezone)).date()


def long_date(report: Report) -> str:
    spoken = phrases(report.language)
    return _written(spoken, spoken.full_day, local_day(report))


def moment(report: Report, at: datetime | None) -> str:
    """When something was published, as the reader's clock says; the day only if it is another."""
    if at is None:
        return ""
    try:
        local = at.astimezone(ZoneInfo(report.timezone))
    except OverflowError:  # a feed may claim the year 1
        return ""
    today = local_day(report)
    if local.date() == today:
        return f"{local:%H:%M}"
    spoken = phrases(report.language)
    day = _written(spoken, spoken.day, local.date())
    return f"{day}, {local:%H:%M}" if local.year == today.year else f"{day} {local.year}"


def _written(spoken: Phrases, pattern: str, day: date) -> str:
    return pattern.format(
        weekday=spoken.weekdays.split()[day.weekday()],
        day=day.day,
        month=spoken.months.split()[day.month - 1],
    )


# ---- subject and overview


def worded(report: Report) -> Report:
    """The report with its subject and overview."""
    return replace(report, subject=subject(report), overview=overview(report))


def subject(report: Report, top: str = "") -> str:
    """What the inbox list shows: the briefing, its `top` story, how many more there are."""
    spoken = phrases(report.language)
    title = shorten(report.briefing_title, 40)
    if not report.items:
        quiet = spoken.quiet_week if report.weekly else spoken.quiet_day
        return f"{title}: {quiet}, {long_date(report)}"
    name = f"{title}, {spoken.week}" if report.weekly else title
    others = len(report.items) - 1
    return f"{name}: {top or headline(report.items[0], 60)}" + (f" (+{others})" if others else "")


def overview(report: Report) -> str:
    """Two or three sentences on the items, or the note of a quiet day."""
    spoken = phrases(report.language)
    if not report.items:
        return spoken.quiet_note
    lead, *others = report.items
    leading = spoken.lead_of_week if report.weekly else spoken.lead_of_day
    sentences = [leading.format(_named(spoken, lead))]
    if others:
        named = [_named(spoken, item) for item in others[:2]]
        sentences.append(
            spoken.runners_up.format(spoken.both.format(*named) if len(named) == 2 else named[0])
        )
    if themes := _themes(report.items):
        sentences.append(spoken.themes.format("; ".join(themes)))
    return " ".join(sentences)


def headline(item: ReportItem, limit: int) -> str:
    """The item's title, or whatever else can stand for it."""
    return shorten(item.title, limit) or shorten(item.source_title, limit) or "…"


def _named(spoken: Phrases, item: ReportItem) -> str:
    return f"{spoken.quoted.format(headline(item, 80))} [{item.position}]"


def _themes(items: Iterable[ReportItem]) -> list[str]:
    """The two topics that most items share, each with the first items that have it."""
    holders: dict[str, list[int]] = {}
    for item in items:
        for topic in dict.fromkeys(shorten(topic, 30) for topic in item.topics):
            holders.setdefault(topic, []).append(item.position)
    counts = Counter({topic: len(held) for topic, held in holders.items() if topic})
    return [
        f"{topic} " + ", ".join(f"[{position}]" for position in holders[topic][:4])
        for topic, count in counts.most_common(2)
        if count > 1
    ]
