"""What a theme is called: the names and words that tell its stories from all others.

names, topics      that were found in its articles
runs of a title    up to three words, as "Bank of England"
    -> those that many of its stories have and few others -> the best, and a second beside it

A theme of which no word says enough has no label: its stories have nothing in common that a
reader could name.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from morningdeck.enrichers.stopwords import TOO_GENERAL
from morningdeck.enrichers.words import WORD_PATTERN, normalised, stem, stop_words, telling
from morningdeck.model.themes import ThemeLabel, ThemeText

LONGEST_TERM, LONGEST_RUN = 60, 3
PARTS_LONGEST = 300
"""Characters of a title that are looked at."""
FEWEST_TELLERS = 2
SHARE_OF_FIRST, SHARE_OF_SECOND = 0.3, 0.2
"""How many of the stories have the term at least."""
SHARE_OF_BOTH, SHARE_OF_MOST = 0.4, 0.6
SHARE_NAMED = 0.2
BESIDE = 0.45
"""What the second term is worth at least, of the best one's worth."""
STAYS = 0.6
"""The label before stays while its terms are worth so much of the best one's."""
FREQUENT = 0.7
"""Below 1: what is in all stories is not worth twice what is in half of them."""
EACH_WORD, BEING_NAMED = 0.35, 0.25
"""What a further word adds to the worth of a term, and being a name or a topic."""
WHOLE = 0.5
"""A term gives way to a longer one with its words, if that has half of its stories."""
SAME_BEGINNING = 4
BETWEEN = ", "
_ADDRESS = "://"
_POSSESSIVE = re.compile(r"['’]s$")

TermKey = tuple[str, ...]


@dataclass(slots=True)
class _Uses:
    stories: set[int] = field(default_factory=set)
    forms: Counter[str] = field(default_factory=Counter)
    texts: int = 0
    named: int = 0
    """Of the texts, those in which it is a name or a topic."""


Terms = Mapping[TermKey, _Uses]


class ThemeLabels:
    """Of some themes, told from each other and from what belongs to none."""

    def __init__(self, themes: Sequence[Sequence[ThemeText]], others: Sequence[ThemeText]) -> None:
        self._stories = len({text.story_id for those in (*themes, others) for text in those})
        self._tellers: Counter[TermKey] = Counter()
        for those in (*themes, others):
            self._tellers.update(_tellers(those))

    def label(self, texts: Sequence[ThemeText], before: str = "") -> ThemeLabel | None:
        """The label before stays while it is still a good one."""
        terms, size = _terms(texts), len({text.story_id for text in texts})
        worth = {
            key: self._worth(key, uses, size)
            for key, uses in terms.items()
            if len(uses.stories) >= max(FEWEST_TELLERS, SHARE_OF_SECOND * size)
        }
        best = sorted(worth, key=lambda key: (-worth[key], key))
        chosen = self._chosen(best, worth, terms, size)
        if not chosen:
            return None
        kept = _kept(before, terms, worth, worth[chosen[0]])
        return ThemeLabel(before if kept else _told(chosen, terms), (kept or chosen)[0])

    def _worth(self, key: TermKey, uses: _Uses, size: int) -> float:
        share = len(uses.stories) / size
        others = max(0, self._tellers[key] - len(uses.stories))
        # a part of a large theme may have stories that were in no sample
        elsewhere = (others + 0.5) / max(1, self._stories - size + 1)
        odds = math.log(share / elsewhere) if share > elsewhere else 0.0
        words = 1 + EACH_WORD * (len(key) - 1)
        return (
            float(share**FREQUENT)
            * odds
            * words
            * (1 - BEING_NAMED + BEING_NAMED * uses.named / uses.texts)
        )

    def _chosen(
        self, best: Sequence[TermKey], worth: Mapping[TermKey, float], terms: Terms, size: int
    ) -> list[TermKey]:
        chosen: list[TermKey] = []
        for key in best:
            if chosen and worth[key] < BESIDE * worth[chosen[0]]:
                break
            whole = _whole(key, best, terms)
            if any(_beginnings(whole) & _beginnings(other) for other in chosen):
                continue
            if _fits(whole, terms[whole], size, beside=bool(chosen)):
                chosen.append(whole)
            if len(chosen) == 2:
                break
        told = set().union(*(terms[key].stories for key in chosen))
        return chosen if len(told) >= SHARE_OF_BOTH * size else []


def _beginnings(key: TermKey) -> set[str]:
    """ "Canada" and "Canadian" say one thing."""
    return {word[:SAME_BEGINNING] for word in key}


def _fits(key: TermKey, uses: _Uses, size: int, *, beside: bool) -> bool:
    """Somebody has found it to be a name or a topic: titles have verbs, too."""
    share = len(uses.stories) / size
    often = len(key) > 1 or share >= SHARE_OF_MOST
    named = uses.named >= SHARE_NAMED * uses.texts or (uses.named > 0 and often)
    if beside:
        return named
    return share >= SHARE_OF_FIRST and (named or len(key) > 1)


def _whole(key: TermKey, best: Sequence[TermKey], terms: Terms) -> TermKey:
    least = WHOLE * len(terms[key].stories)
    longer = (
        other
        for other in best
        if len(other) > len(key) and set(key) < set(other) and len(terms[other].stories) >= least
    )
    return next(longer, key)


def _kept(before: str, terms: Terms, worth: Mapping[TermKey, float], best: float) -> list[TermKey]:
    """The terms of the label before, if all are still worth it."""
    by_form = {form: key for key, uses in terms.items() for form in uses.forms}
    keys = [by_form.get(_small(part)) for part in before.split(BETWEEN)] if before else []
    known = [key for key in keys if key is not None and worth.get(key, 0.0) >= STAYS * best]
    return known if len(known) == len(keys) else []


def _told(chosen: Sequence[TermKey], terms: Terms) -> str:
    shown = [_form(terms[key]) for key in chosen]
    return BETWEEN.join([shown[0][:1].upper() + shown[0][1:], *shown[1:]])


def _form(uses: _Uses) -> str:
    """The commonest; of equals the one with capitals."""
    return max(uses.forms, key=lambda form: (uses.forms[form], sum(map(str.isupper, form)), form))


def _small(text: str) -> str:
    return text.casefold()


def _terms(texts: Iterable[ThemeText]) -> Terms:
    found: dict[TermKey, _Uses] = defaultdict(_Uses)
    for text in texts:
        seen: dict[TermKey, bool] = {}
        for key, form, named in _terms_of(text):
            found[key].forms[form] += 1
            seen[key] = seen.get(key, False) or named
        for key, named in seen.items():
            found[key].stories.add(text.story_id)
            found[key].texts += 1
            found[key].named += named
    return found


def _tellers(texts: Iterable[ThemeText]) -> Iterator[TermKey]:
    """Each term once for each story that has it: of thousands of texts, no more need be held."""
    by_story: dict[int, list[ThemeText]] = defaultdict(list)
    for text in texts:
        by_story[text.story_id].append(text)
    for those in by_story.values():
        yield from {key for text in those for key, _, _ in _terms_of(text)}


def _terms_of(text: ThemeText) -> Iterator[tuple[TermKey, str, bool]]:
    """With its form, and whether that is a name or a topic."""
    for form, named in _forms(text):
        key = tuple(stem(normalised(word), text.language) for word in WORD_PATTERN.findall(form))
        if key and len(form) <= LONGEST_TERM:
            yield key, form, named


def _forms(text: ThemeText) -> Iterator[tuple[str, bool]]:
    """Each with whether it is a name or a topic."""
    yield from ((name, True) for name in text.names if _ADDRESS not in name)
    if _ADDRESS in text.title:
        return
    title = text.title[:PARTS_LONGEST]
    words = list(WORD_PATTERN.finditer(title))
    tells = [_tells(word[0], text.language) for word in words]
    for first, word in enumerate(words):
        for last in range(first, min(first + LONGEST_RUN, len(words))):
            if last > first and title[words[last - 1].end() : words[last].start()] != " ":
                break
            ends = word[0][0].isupper() and words[last][0][0].isupper()
            if tells[first] and tells[last] and (ends or all(tells[first:last])):
                form = title[word.start() : words[last].end()]
                yield _POSSESSIVE.sub("", form), False


def _tells(word: str, language: str | None) -> bool:
    small = normalised(word)
    general = small in TOO_GENERAL or small in stop_words("en")
    return len(small) > 1 and not general and telling(small, language)
