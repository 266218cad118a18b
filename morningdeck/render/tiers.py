"""How much room a story has: a lead with all its summary, a few shorts, a line for the rest."""

from __future__ import annotations

from dataclasses import dataclass

from morningdeck.model.sending import Report, ReportItem

FEWEST_SHORTS, MOST_SHORTS = 3, 5
MOST_IN_SECTION = 3
"""Shorts of a section that has no lead."""


@dataclass(frozen=True, slots=True)
class Tiers:
    """The stories under one title; only the first section has a lead."""

    title: str
    lead: ReportItem | None
    shorts: tuple[ReportItem, ...]
    lines: tuple[ReportItem, ...]


def tiers(report: Report) -> tuple[Tiers, ...]:
    """Of each section what no daily has shown."""
    found: list[Tiers] = []
    for section in report.sections:
        fresh = tuple(item for item in section.items if not item.told)
        if not fresh:
            continue
        lead, rest = (None, fresh) if found else (fresh[0], fresh[1:])
        few = min(len(rest), MOST_IN_SECTION) if found else _shorts(len(rest))
        found.append(Tiers(section.title, lead, rest[:few], rest[few:]))
    return tuple(found)


def shown_by_dailies(report: Report) -> tuple[ReportItem, ...]:
    return tuple(item for item in report.items if item.told and not item.missed)


def _shorts(rest: int) -> int:
    """All where they are few, else about half."""
    return rest if rest <= MOST_SHORTS else min(max(rest // 2, FEWEST_SHORTS), MOST_SHORTS)
