"""The lines that several pages of a host share: consent, paywalls, navigation, signatures.

They say nothing of an article, so they are taken out before anything compares or summarises
it. A host's last pages are kept in mind, as fingerprints of their lines; two that tell the
same, by their titles, may well share what they say.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Set
from dataclasses import dataclass
from zlib import crc32

from morningdeck.hosts import host_of
from morningdeck.stories.likeness import beginnings

MOST_HOSTS = 500
PAGES_KEPT = 8
MOST_LINES_KEPT = 200
SAME_TITLE = 0.5
"""The share of their words that the titles of one story have in common."""


@dataclass(frozen=True, slots=True)
class PageLines:
    url: str
    title: frozenset[int]
    lines: frozenset[int]


class SharedLines:
    """For any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hosts: OrderedDict[str, deque[PageLines]] = OrderedDict()

    def without(self, url: str | None, title: str, text: str) -> str:
        """The text without what other pages of its host say as well."""
        host = host_of(url or "")
        lines = text.splitlines()
        marks = [crc32(line.strip().casefold().encode("utf-8", "replace")) for line in lines]
        if not host or not text:
            return text
        words = frozenset(crc32(one.encode("utf-8", "replace")) for one in beginnings(title))
        page = PageLines(url or "", words, frozenset(marks[:MOST_LINES_KEPT]))
        shared = self._met(host, page)
        kept = [line for line, mark in zip(lines, marks, strict=True) if mark not in shared]
        return "\n".join(kept).strip()

    def _met(self, host: str, page: PageLines) -> Set[int]:
        """Remember the page; the lines of others that tell something else."""
        with self._lock:
            pages = self._hosts.setdefault(host, deque(maxlen=PAGES_KEPT))
            self._hosts.move_to_end(host)
            if len(self._hosts) > MOST_HOSTS:
                self._hosts.popitem(last=False)
            others = [one for one in pages if one.url != page.url]
            if page not in pages:
                pages.append(page)
        return set().union(*(one.lines for one in others if not _alike(one.title, page.title)))


def _alike(one: Set[int], other: Set[int]) -> bool:
    return len(one & other) >= SAME_TITLE * min(len(one), len(other))
