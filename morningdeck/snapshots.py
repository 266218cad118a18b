"""What a report keeps of the articles it was drawn up from: places and what has none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from morningdeck.model.sending import PassedOver, ReportItem, WhyNot
from morningdeck.model.weighing import Candidate
from morningdeck.selection import rank, story_of

if TYPE_CHECKING:
    from morningdeck.model.sending import Teller
    from morningdeck.ports.verbs import BriefingRows

SAME = {field.name for field in fields(ReportItem)} & {field.name for field in fields(Candidate)}
"""What a place takes from its article as it is."""
MOST_PASSED_OVER = 100
"""So many are kept; all are counted."""


@dataclass(frozen=True, slots=True)
class Placed:
    candidate: Candidate
    section: str
    missed: bool = False


def snapshots(
    places: Sequence[Placed],
    tellers: Mapping[int, Mapping[int, Teller]],
    rows: BriefingRows,
    alone: bool,
) -> tuple[ReportItem, ...]:
    """Links of mail may log their reader in, or take note of who follows them: they are for that
    reader `alone`.
    """
    minutes = rows.minutes([place.candidate.item_id for place in places])
    made = (
        _snapshot(number, place, tellers, minutes.get(place.candidate.item_id, 0))
        for number, place in enumerate(places, start=1)
    )
    return tuple(made) if alone else tuple(map(_without_own_links, made))


def _without_own_links(item: ReportItem) -> ReportItem:
    tellers = (replace(one, url=None) if one.private else one for one in item.also_in)
    return replace(item, url=None if item.private else item.url, also_in=tuple(tellers))


def _snapshot(
    position: int, place: Placed, tellers: Mapping[int, Mapping[int, Teller]], minutes: int
) -> ReportItem:
    candidate = place.candidate
    told_by = tellers.get(candidate.story_id or 0, {})
    others = _by_name(one for source, one in told_by.items() if source != candidate.source_id)
    candidate = replace(candidate, url=_without_login(candidate.url))
    return ReportItem(
        position=position,
        also_in=tuple(
            replace(one, url=_without_login(one.url))
            for name, one in others.items()
            if name != candidate.source_title
        ),
        section=place.section,
        minutes=minutes,
        missed=place.missed,
        **{name: getattr(candidate, name) for name in SAME},
    )


def _by_name(tellers: Iterable[Teller]) -> Mapping[str, Teller]:
    """Several feeds of one paper are one paper to a reader."""
    found: dict[str, Teller] = {}
    for one in tellers:
        found.setdefault(one.source, one)
    return found


def _without_login(url: str | None) -> str | None:
    """Some feeds have name and password in their links: all services of the web would get them."""
    try:
        parts = urlsplit(url or "")
    except ValueError:
        return url
    if "@" not in parts.netloc:
        return url
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def left_out(
    over: Iterable[tuple[Candidate, WhyNot]], places: Sequence[Placed]
) -> Sequence[tuple[Candidate, WhyNot]]:
    """Each item once, the best first, without what has a place; another article of what was missed
    is told twice.
    """
    missed = {story_of(place.candidate) for place in places if place.missed}
    shown = {place.candidate.item_id for place in places}
    once: dict[int, tuple[Candidate, WhyNot]] = {}
    for one, why in sorted(over, key=lambda pair: rank(pair[0])):
        if one.item_id not in shown:
            told = WhyNot.TOLD_TWICE if story_of(one) in missed else why
            once.setdefault(one.item_id, (one, told))
    return tuple(once.values())


def kept(over: Sequence[tuple[Candidate, WhyNot]]) -> tuple[PassedOver, ...]:
    return tuple(
        PassedOver(
            position=number,
            item_id=one.item_id,
            title=one.title,
            url=one.url,
            source=one.source_title,
            score=one.score,
            why=why,
        )
        for number, (one, why) in enumerate(over[:MOST_PASSED_OVER], start=1)
    )
