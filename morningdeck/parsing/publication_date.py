"""When the article of a page came out, as exactly as the page says it anywhere.

    JSON-LD, the head, elements that call themselves the date    said of the article
    the day that was found, dates that stand anywhere            to fall back on

Of what is said of one day the most exact is taken: a moment with its zone, then one without,
then midnight, which is how a day looks that somebody has turned into a moment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from lxml.html import HtmlElement

from morningdeck.parsing.dates import parse_date
from morningdeck.parsing.linkeddata import LinkedData
from morningdeck.parsing.tree import metas

MOST_TIMES = 20
WIDEST_ZONES = timedelta(hours=14)
EARLIEST_YEAR = 1990
"""An earlier year is what machines write for no date."""

_IN_HEAD = (
    *("article:published_time", "datepublished", "og:published_time", "article:published"),
    *("parsely-pub-date", "sailthru.date", "shareaholic:article_published_time"),
    *("dc.date.issued", "dcterms.issued", "dc.date", "dcterms.date", "dc.date.created"),
    *("dcterms.created", "pubdate", "date"),
)
_CHANGED = ("article:modified_time", "datemodified", "og:updated_time")
_NAMED = (
    "//*[not(self::meta) and @itemprop='datePublished'] | //time[@pubdate]"
    " | //*[self::time or self::abbr][contains(concat(' ', @class, ' '), ' published ')]"
)
_COMMENTS = re.compile(r"(?:^|[\s_-])comments?(?:$|[\s_-](?!open|closed|enabled))", re.I)
_DAY = re.compile(r"\s*(\d{4})-(\d\d?)-(\d\d?)")
_NO_DATE = re.compile(r"\s*(?:000[01]|$)")
_CLOCK = re.compile(r"\d:\d\d")
_MIDNIGHT = re.compile(r"[T\s]0?0:00(?::00)?(?:\.0+)?(?![\d:])")
_ZONE = re.compile(r":\d\d(?:[.,]\d+)?\s*(?:[A-Za-z]{1,5}|[+-]\d\d(?::?\d\d)?)\s*$")


@dataclass(frozen=True, slots=True)
class WrittenDate:
    text: str
    moment: datetime

    @property
    def day(self) -> tuple[int, ...]:
        """As it is written, whatever the zone."""
        written = _DAY.match(self.text)
        return tuple(map(int, written.groups())) if written else self.moment.timetuple()[:3]

    @property
    def exactness(self) -> int:
        if not _CLOCK.search(self.text):
            return 0
        if _MIDNIGHT.search(self.text):
            return 1
        return 3 if _ZONE.search(self.text) else 2

    def agrees(self, other: WrittenDate) -> bool:
        near = abs(self.moment - other.moment) <= WIDEST_ZONES
        return self.day == other.day or (near and self.exactness > 1)


def dates_of_article(root: HtmlElement, linked: LinkedData) -> list[WrittenDate]:
    """The dates that the page gives for its article, not for other things on it."""
    said = _said((linked.published, *metas(root, *_IN_HEAD)))
    named = _said(_texts(root.xpath(_NAMED)))
    return said + named if len({each.day for each in named}) == 1 else said


def published_at(
    root: HtmlElement, linked: LinkedData, said: Sequence[WrittenDate], day: str = ""
) -> datetime | None:
    """`day` is what trafilatura has found; it counts where the page says nothing of its article."""
    anywhere = (each for each in root.iter("time") if not _is_of_others(each))
    others = _said((*_texts(root.xpath(_NAMED)), *_texts(anywhere)))
    if not said:
        said = _said([day])
        others += _said((linked.modified, *metas(root, *_CHANGED)))
    if not said:
        return next((each.moment for each in others), None)
    first = said[0]
    agreeing = [each for each in said if first.agrees(each)]
    same_day = [each for each in others if each.day == first.day]
    return max([*agreeing, *same_day], key=lambda each: each.exactness).moment


def _said(texts: Iterable[str]) -> list[WrittenDate]:
    read = ((text, parse_date(text)) for text in texts if not _NO_DATE.match(text))
    return [
        WrittenDate(text, moment)
        for text, moment in read
        if moment and moment.year >= EARLIEST_YEAR
    ]


def _texts(times: Iterable[HtmlElement]) -> Iterator[str]:
    for each in islice(times, MOST_TIMES):
        said = (each.get(name) for name in ("datetime", "content", "title"))
        yield next(filter(None, said), None) or "".join(each.itertext())


def _is_of_others(element: HtmlElement) -> bool:
    return any(
        above.tag in ("aside", "footer", "nav")
        or _COMMENTS.search(f"{above.get('id')} {above.get('class')}")
        for above in element.iterancestors()
        if above.tag not in ("html", "body")
    )
