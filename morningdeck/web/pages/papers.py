"""Reports as pages: what their template needs beside the paper that mails are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from morningdeck import wording
from morningdeck.actions import reports
from morningdeck.model.sending import AT_ONCE_SLOT, Report, ReportItem
from morningdeck.render.foreign import LENGTHS, tidy
from morningdeck.render.links import Links
from morningdeck.render.paper import Paper
from morningdeck.views.reading import ItemView
from morningdeck.views.sent import HeadingView
from morningdeck.web.login import Caller

LATEST = 20
"""Reports among which those of today are."""


@dataclass(frozen=True, slots=True)
class Edition:
    paper: Paper
    items: Mapping[int, ItemView]
    """Those of its articles that its reader may still see, by their ids."""
    earlier: HeadingView | None = None
    others: tuple[HeadingView, ...] = ()
    """The newest of the reader's other briefings."""
    following: str = ""
    """When the next one comes, in the briefing's own words."""

    @property
    def left_out(self) -> int:
        return sum(self.paper.report.left_out.values())

    def read(self, item: ReportItem) -> bool:
        return item.item_id in self.items and self.items[item.item_id].read


def paper_of(by: Caller, report_id: int, *, latest: bool = False) -> Edition:
    """The latest has what is unread first, and says when the next one comes."""
    report = reports.loaded(by.store, by.user.id, report_id)
    there = by.store.items.those(by.user.id, [one.item_id for one in report.items])
    if latest:
        report = _unread_first(report, there)
    lengths = LENGTHS[0]
    paper = Paper(tidy(report, lengths), Links(), whole=report, lengths=lengths)
    if report.at_once:
        return Edition(paper, there)
    following = _following(by, report) if latest else ""
    return Edition(paper, there, _earlier(by, report), following=following)


def newest(by: Caller) -> tuple[HeadingView, ...]:
    """The newest report of each briefing; what saved searches tell at once is none of these."""
    found: dict[int, HeadingView] = {}
    for view in by.store.reports.headings(by.user.id, limit=LATEST):
        if not view.slot.startswith(AT_ONCE_SLOT):
            found.setdefault(view.briefing_id, view)
    return tuple(found.values())


def _unread_first(report: Report, there: Mapping[int, ItemView]) -> Report:
    """Within each section."""
    sections: dict[tuple[bool, str], list[ReportItem]] = {}
    for item in report.items:
        sections.setdefault((item.missed, item.section), []).append(item)

    def read(item: ReportItem) -> bool:
        return item.item_id in there and there[item.item_id].read

    ordered = (item for those in sections.values() for item in sorted(those, key=read))
    return replace(report, items=tuple(ordered))


def _earlier(by: Caller, report: Report) -> HeadingView | None:
    of, briefing = by.store.reports, report.briefing_id
    before = of.headings(by.user.id, briefing_id=briefing, limit=1, before=report.id)
    return next(iter(before), None)


def _following(by: Caller, report: Report) -> str:
    at = by.store.briefings.next_run_at(by.user.id, report.briefing_id)
    return wording.moment(report, at) if at is not None and at > by.now else ""
