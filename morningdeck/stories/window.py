"""The likenesses of the last days in memory, in some 600 bytes each, and what is like them.

fingerprints   of address and text, compared with those of all recent items at once
words          give the candidates: the newest that have a rare word in common
stories        of the candidates: each is asked as a whole whether it tells the item
"""

from __future__ import annotations

from datetime import datetime
from hashlib import blake2b
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from morningdeck.hosts import host_of
from morningdeck.model.making import Likeness, StoryMatch
from morningdeck.stories.columns import FIRST_ROOM, GrowingArray
from morningdeck.stories.likeness import NO_SIMHASH, in_whole_numbers, title_words
from morningdeck.stories.rules import WORDS_NEEDED, Centroid, Codes, KnownItems, Pairs
from morningdeck.stories.word_index import WORDS_KEPT, WordIndex

MOST_KNOWN = 100_000
"""Where more items come in those days, the oldest is forgotten earlier."""
MOST_TELLERS = 48
"""The newest of a story that are asked."""
MOST_ASKED = 5
"""Stories, and subjects."""
NEAR_BITS = 6
"""SimHash bits that nearly equal texts may differ in: measured 1-6, unrelated texts 13 and more."""
NEAR_PAIR, NEAR_STORY, NEAR_STORIES = 0.44, 0.38, 0.43
"""How close an item must be to another, to several that tell one story, and two stories to each
other to be one: chance makes a pair alike more easily than three.
"""
NEAR_SUBJECT = 0.33
NOT_CLOSE = 0.15
"""A story of which no item is closer is not asked."""
SAME_HOST = 0.3
"""Two pages of a host may share all their text, if that is none of theirs, but hardly a title."""
NO_HASH = 0


class RecentStories:
    def __init__(self, *, dimensions: int, most: int = MOST_KNOWN) -> None:
        self._dimensions = dimensions
        self._most = most
        self.clear()

    def clear(self) -> None:
        self._index = WordIndex()
        self._stories = GrowingArray(np.int64)
        self._subjects = GrowingArray(np.int64)
        self._seen = GrowingArray(np.float64)
        self._pages = GrowingArray(np.int64)
        self._hosts = GrowingArray(np.int64)
        self._texts = GrowingArray(np.int64)
        self._simhashes = GrowingArray(np.int64)
        self._titled = GrowingArray(np.uint8)
        self._vectors = GrowingArray(np.int8, self._dimensions)
        self._highest = 0
        self._crowds: set[int] = set()
        """Stories and subjects that may have several items; all others have one each."""

    @property
    def _columns(self) -> tuple[GrowingArray, ...]:
        return (
            *(self._stories, self._subjects, self._seen, self._pages, self._hosts),
            *(self._texts, self._simhashes, self._titled, self._vectors),
        )

    def add(
        self, story_id: int, subject_id: int | None, seen_at: datetime, likeness: Likeness
    ) -> None:
        title, lead = _title(likeness), _codes(likeness.lead_words)
        kept, titled = self._index.telling(title, lead)
        self._index.add(kept, np.append(title, lead))
        row = (
            *(story_id, subject_id or 0, seen_at.timestamp(), _page(likeness), _host(likeness)),
            *(_text(likeness), likeness.simhash, titled, self._vector(likeness)),
        )
        for column, value in zip(self._columns, row, strict=True):
            column.append(value)
        self._crowds.update(group for group in row[:2] if group <= self._highest)
        self._highest = max(self._highest, story_id)

    def merge(self, story_id: int, into: int) -> None:
        _rename(self._stories, story_id, into)
        self._crowds.add(into)

    def merge_subjects(self, subject_id: int, into: int) -> None:
        _rename(self._subjects, subject_id, into)
        self._crowds.add(into)

    def forget(self, before: datetime) -> None:
        """Only when a good part is old, because forgetting means to move all the rest."""
        size = len(self._seen)
        old = int(np.searchsorted(self._seen.values, before.timestamp()))
        if size >= self._most:
            old = max(old, size - self._most * 3 // 4)
        if old > max(FIRST_ROOM, size // 4) or size >= self._most:
            self._index.drop(old)
            for column in self._columns:
                column.drop(old)

    def match(self, likeness: Likeness) -> StoryMatch:
        title, lead = _title(likeness), _codes(likeness.lead_words)
        kept, titled = self._index.telling(title, lead)
        same_page = self._of_page(likeness)
        near = dict.fromkeys([*self._with_text(likeness), *self._index.rows_with(kept)])
        if not near:
            return StoryMatch(tuple(dict.fromkeys(same_page)))
        one, words = self._one(kept, titled, likeness), np.append(title, lead)
        rows = np.fromiter(near, np.int64)
        pairs = Pairs.of(one, words, self._rows(rows))
        sure = [*same_page, *self._of_text(likeness, rows, pairs)]
        likely = [*self._of_facts(likeness, rows, pairs), *self._close(one, words, rows, pairs)]
        subjects = self._near_subjects(one, rows, pairs)
        return StoryMatch(self._all_one(sure, likely), tuple(subjects))

    def _all_one(self, sure: list[int], likely: list[int]) -> tuple[int, ...]:
        """The best story, and what is one with it: for sure, or because both are close."""
        first, *others = dict.fromkeys([*sure, *likely]) or (0,)
        if not others:
            return (first,) if first else ()
        center = self._centroid(self._members(self._stories, first))
        return (
            first,
            *(
                story
                for story in others
                if story in sure or self._beside(story, center) >= NEAR_STORIES
            ),
        )

    def _beside(self, story: int, center: Centroid) -> float:
        return self._centroid(self._members(self._stories, story)).closeness(center)

    # ---- what is surely the same

    def _of_page(self, likeness: Likeness) -> list[int]:
        page = _page(likeness)
        if page == NO_HASH:
            return []
        return self._stories_of(np.flatnonzero(self._pages.values == page))

    def _stories_of(self, rows: NDArray[np.int64]) -> list[int]:
        return [int(story) for story in self._stories.values[rows]]

    def _with_text(self, likeness: Likeness) -> list[int]:
        """The items whose text is equal, or nearly so."""
        text, simhash = _text(likeness), likeness.simhash
        found = (self._texts.values == text) & (text != NO_HASH)
        if simhash != NO_SIMHASH:
            known = self._simhashes.values
            bits = np.bitwise_count(known ^ np.int64(simhash))
            found |= (bits <= NEAR_BITS) & (known != NO_SIMHASH)
        return [int(row) for row in np.flatnonzero(found)]

    def _of_text(self, likeness: Likeness, rows: NDArray[np.int64], pairs: Pairs) -> list[int]:
        host, simhash = _host(likeness), likeness.simhash
        equal = (self._texts.values[rows] == _text(likeness)) & (_text(likeness) != NO_HASH)
        known = self._simhashes.values[rows]
        near = np.bitwise_count(known ^ np.int64(simhash)) <= NEAR_BITS
        near &= (known != NO_SIMHASH) & (simhash != NO_SIMHASH) & ~pairs.apart
        elsewhere = (self._hosts.values[rows] != host) | (host == NO_HASH)
        alike = elsewhere | (pairs.close >= SAME_HOST)
        return self._stories_of(rows[(equal | near) & alike])

    # ---- what is close

    def _of_facts(self, likeness: Likeness, rows: NDArray[np.int64], pairs: Pairs) -> list[int]:
        """Those with the same facts, where both texts speak of their titles."""
        if _text(likeness) == NO_HASH:
            return []
        return self._stories_of(rows[pairs.same & (self._texts.values[rows] != NO_HASH)])

    def _close(
        self, one: KnownItems, all_words: Codes, rows: NDArray[np.int64], pairs: Pairs
    ) -> list[int]:
        """The closest, and those that are so close to it that they are one with it."""
        own, found = Centroid.of(one), []
        for story, at in self._closest(self._stories, rows, pairs):
            if story in self._crowds:
                members = self._rows(self._members(self._stories, story))
                words, meaning = own.shares(Centroid.of(members))
                near, beside = NEAR_STORY, None
            else:
                near, beside = NEAR_PAIR, pairs[at]
                words, meaning = float(beside.words[0]), float(beside.meaning[0])
            if words < WORDS_NEEDED or (words + meaning) / 2 < near:
                continue
            if not _are_apart(beside or Pairs.of(one, all_words, members)):
                found.append((words + meaning, story))
        return [story for _, story in sorted(found, reverse=True)]

    def _near_subjects(self, one: KnownItems, rows: NDArray[np.int64], pairs: Pairs) -> list[int]:
        own, found = Centroid.of(one), []
        for subject, at in self._closest(self._subjects, rows, pairs):
            closeness = pairs.close[at]
            if subject in self._crowds:
                closeness = own.closeness(self._centroid(self._members(self._subjects, subject)))
            if closeness >= NEAR_SUBJECT:
                found.append((float(closeness), subject))
        return [subject for _, subject in sorted(found, reverse=True)]

    def _closest(
        self, groups: GrowingArray, rows: NDArray[np.int64], pairs: Pairs
    ) -> list[tuple[int, int]]:
        """Stories or subjects, each with the place of its closest item among the rows."""
        close = pairs.close
        best_first = np.argsort(-close, kind="stable")
        best_first = best_first[close[best_first] >= NOT_CLOSE]
        found: dict[int, int] = {}
        for at, group in zip(
            best_first.tolist(), groups.values[rows[best_first]].tolist(), strict=True
        ):
            found.setdefault(group, at)
            if len(found) == MOST_ASKED:
                break
        return list(found.items())

    def _members(self, groups: GrowingArray, group: int) -> NDArray[np.int64]:
        return np.flatnonzero(groups.values == group)[-MOST_TELLERS:]

    def _centroid(self, members: NDArray[np.int64]) -> Centroid:
        return Centroid.of(self._rows(members))

    def _one(self, kept: Codes, titled: int, likeness: Likeness) -> KnownItems:
        words = np.zeros((1, WORDS_KEPT), np.uint32)
        words[0, : len(kept)] = kept
        vector = self._vector(likeness)
        return KnownItems(
            words, self._index.rarity(words), np.array([titled], np.uint8), vector[None, :]
        )

    def _rows(self, rows: Any) -> KnownItems:
        words = self._index.words(rows)
        return KnownItems(
            words, self._index.rarity(words), self._titled.values[rows], self._vectors.values[rows]
        )

    def _vector(self, likeness: Likeness) -> NDArray[np.int8]:
        return np.frombuffer(in_whole_numbers(likeness.vector, self._dimensions), np.int8)


def _are_apart(pairs: Pairs) -> bool:
    """Do most of those that can tell say so?"""
    return bool(pairs.apart.sum() * 2 > pairs.tell.sum())


def _rename(ids: GrowingArray, before: int, now: int) -> None:
    ids.values[ids.values == before] = now


def _codes(packed: bytes) -> Codes:
    return np.frombuffer(packed, "<u4").astype(np.uint32)


def _title(likeness: Likeness) -> Codes:
    return _codes(likeness.title_words or title_words(likeness.title))


def _page(likeness: Likeness) -> int:
    """Equal addresses; a bare host is none: some sites name their front page on every page."""
    url = likeness.canonical_url or ""
    try:
        parts = urlsplit(url)
    except ValueError:
        return NO_HASH
    return _hash(url) if parts.path.strip("/") or parts.query else NO_HASH


def _host(likeness: Likeness) -> int:
    host = host_of(likeness.canonical_url or "")
    return _hash(host) if host else NO_HASH


def _text(likeness: Likeness) -> int:
    return _hash(likeness.text_hash) if likeness.text_hash else NO_HASH


def _hash(text: str) -> int:
    digest = blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)
