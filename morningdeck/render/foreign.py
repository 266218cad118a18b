"""Foreign text made fit for a mail: one line each, lengths capped, web links only."""

from __future__ import annotations

from dataclasses import dataclass, replace

from morningdeck import wording
from morningdeck.model.sending import Movement, Report, ReportItem, Teller
from morningdeck.plaintext import shorten
from morningdeck.render.links import web_link

MOST_BROKEN, MOST_MOVEMENTS, MOST_REMARKS = 10, 8, 5


@dataclass(frozen=True, slots=True)
class Lengths:
    """How many characters the parts of one story may have, and how many names its lists.

    `overview` is for one line of it.
    """

    title: int
    summary: int
    reason: int
    url: int
    names: int
    overview: int


LENGTHS = (
    Lengths(
        title=240, summary=wording.LONGEST_OF_LEAD, reason=160, url=2000, names=6, overview=600
    ),
    Lengths(title=200, summary=600, reason=120, url=1000, names=4, overview=600),
    Lengths(title=160, summary=320, reason=90, url=600, names=3, overview=600),
    Lengths(title=120, summary=200, reason=60, url=400, names=2, overview=400),
    Lengths(title=90, summary=90, reason=0, url=300, names=0, overview=300),
    Lengths(title=60, summary=0, reason=0, url=300, names=0, overview=200),
)
"""From what is usual to what always fits."""


def tidy(report: Report, lengths: Lengths) -> Report:
    lines = [line for line in report.overview.splitlines() if line.strip()][:MOST_REMARKS]
    return replace(
        report,
        briefing_title=shorten(report.briefing_title, 80) or "…",
        subject=shorten(report.subject, 160),
        overview="\n".join(shorten(line, lengths.overview) for line in lines),
        items=tuple(_item(item, lengths) for item in report.items),
        broken_sources=known(report.broken_sources, 40),
        untold=tuple(replace(one, text=shorten(one.text, 400)) for one in report.untold),
        moved=tuple(map(_movement, report.moved[:MOST_MOVEMENTS])),
        undelivered=tuple(
            replace(one, subject=shorten(one.subject, 100)) for one in report.undelivered
        ),
    )


def _item(item: ReportItem, lengths: Lengths) -> ReportItem:
    return replace(
        item,
        title=wording.headline(item, lengths.title),
        url=web_link(item.url, lengths.url),
        summary=shorten(item.summary, lengths.summary),
        update=shorten(item.update, lengths.summary),
        reason=shorten(item.reason, lengths.reason),
        source_title=shorten(item.source_title, min(60, lengths.title // 3)),
        also_in=tuple(_teller(one, lengths) for one in item.also_in),
        section=shorten(item.section, 60),
    )


def _teller(teller: Teller, lengths: Lengths) -> Teller:
    limit = min(lengths.url, 600)
    return Teller(shorten(teller.source, 40), web_link(teller.url, limit))


def _movement(movement: Movement) -> Movement:
    return replace(movement, topic=shorten(movement.topic, 40))


def known(names: tuple[str, ...], limit: int) -> tuple[str, ...]:
    """Those of the names of which something is left."""
    shortened = (shorten(name, limit) for name in names)
    return tuple(name for name in shortened if name)
