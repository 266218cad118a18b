"""What a briefing says when nobody else has said it: subject, overview, dates and labels.

Deterministic and pure: the same report always reads the same. Every sentence of an
overview names the items it speaks of ([1], [2]).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

from morningdeck.languages import Words, words
from morningdeck.model import Report, ReportItem

_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BREAKS = re.compile(r"\s+")


# ---- foreign text


def one_line(text: str) -> str:
    """The text without line breaks, control characters, lone surrogates and bidi overrides."""
    flat = _BREAKS.sub(" ", text)
    return "".join(character for character in flat if _harmless(character)).strip()


def _harmless(character: str) -> bool:
    return unicodedata.category(character) not in ("Cc", "Cs") and character not in _BIDI_CONTROLS


def shorten(text: str, limit: int) -> str:
    """One line of at most `limit` characters, cut between words where that loses little."""
    # Cut before cleaning too: a hostile title can be megabytes long.
    line = one_line(text[: 4 * limit + 100])
    if len(line) <= limit:
        return line
    if limit < 2:
        return ""
    cut = line[: limit - 1]
    space = cut.rfind(" ")
    if space > limit // 2:
        cut = cut[:space]
    return cut.rstrip(" ,;:.-\u2013\u2014") + "…"


def slug(title: str, limit: int = 40) -> str:
    """The title as part of a file name: lower-case ASCII and dashes, never empty."""
    ascii_only = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    dashed = re.sub(r"[^a-z0-9]+", "-", ascii_only.lower()).strip("-")
    return dashed[:limit].rstrip("-") or "briefing"


# ---- dates


def local_day(report: Report) -> date:
    """The day a report is for: its slot's, where that is a day, even if it ran after midnight."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", report.slot):
        return date.fromisoformat(report.slot)
    return report.generated_at.astimezone(ZoneInfo(report.timezone)).date()


def long_date(report: Report) -> str:
    spoken = words(report.language)
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
    spoken = words(report.language)
    day = _written(spoken, spoken.day, local.date())
    return f"{day}, {local:%H:%M}" if local.year == today.year else f"{day} {local.year}"


def _written(spoken: Words, pattern: str, day: date) -> str:
    return pattern.format(
        weekday=spoken.weekdays.split()[day.weekday()],
        day=day.day,
        month=spoken.months.split()[day.month - 1],
    )


# ---- subject and overview


def worded(report: Report) -> Report:
    """The report with its subject and overview."""
    return replace(report, subject=subject(report), overview=overview(report))


def subject(report: Report) -> str:
    """What the inbox list shows: the briefing, its top story, how many more there are."""
    spoken = words(report.language)
    title = shorten(report.briefing_title, 40)
    if not report.items:
        quiet = spoken.quiet_week if report.weekly else spoken.quiet_day
        return f"{title}: {quiet}, {long_date(report)}"
    name = f"{title}, {spoken.week}" if report.weekly else title
    others = len(report.items) - 1
    return f"{name}: {headline(report.items[0], 60)}" + (f" (+{others})" if others else "")


def overview(report: Report) -> str:
    """Two or three sentences on the items, or the note of a quiet day."""
    spoken = words(report.language)
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


def _named(spoken: Words, item: ReportItem) -> str:
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
