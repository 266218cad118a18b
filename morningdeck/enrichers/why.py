"""What decided a score, in words: where the wish stands in the article, or what it is like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np

from morningdeck.enrichers.calibration import Evidence
from morningdeck.enrichers.criteria import CriteriaPhrases, Phrase
from morningdeck.enrichers.profiles import COUNT, IN_LEAD, IN_TITLE, WORD_BYTES
from morningdeck.enrichers.reasons import Reasons
from morningdeck.enrichers.wishes import Wish, kind_of, phrase_keys
from morningdeck.model.making import Profile
from morningdeck.model.wanting import ON_THE_SUBJECT

WISHES_REMEMBERED = 1_024
TOUCHES = ON_THE_SUBJECT / 2

TITLE, LEAD, TEXT = "title", "lead", "text"
PLACES = ((IN_TITLE, TITLE), (IN_LEAD, LEAD), (COUNT, TEXT))


def uses_of_profile(profile: Profile) -> Mapping[int, int]:
    """How the article uses each of its words."""
    size = len(profile.words) // WORD_BYTES
    keys = np.frombuffer(profile.words, "<u4", size)
    return dict(zip(keys.tolist(), profile.words[size * 4 :], strict=True))


def why(
    wish: Wish,
    value: float,
    uses: Mapping[int, int],
    language: str,
    told: Reasons,
    evidence: Evidence,
) -> str:
    """Of one article, whose words stand where `uses` says."""
    alike = float(evidence.near[0]) > float(evidence.meaning[0])
    met = _met(wish, uses, language)
    subject = [wish.asked.as_written(phrase) for phrase in wish.asked.wanted]
    sentences = {TITLE: told.in_title, LEAD: told.in_lead, TEXT: told.in_text}
    for _, place in PLACES:
        if met[place] and (value >= ON_THE_SUBJECT or (place == TITLE and value >= TOUCHES)):
            if alike and place == TEXT:
                break
            return sentences[place].format(told.quote(met[place]))
    if value >= ON_THE_SUBJECT:
        return (told.like_the_best if alike else told.meaning).format(told.quote(subject))
    anywhere = [word for _, place in PLACES for word in met[place]]
    if anywhere:
        return told.touches.format(told.quote(anywhere[:1]))
    if value >= TOUCHES:
        return told.resembles.format(told.quote(subject[:1]))
    return off_topic(wish.asked, told)


@lru_cache(WISHES_REMEMBERED)
def off_topic(asked: CriteriaPhrases, told: Reasons) -> str:
    """What most articles are."""
    subject = [asked.as_written(phrase) for phrase in asked.wanted[:2]]
    return told.off.format(told.quote(subject, told.either))


def _met(wish: Wish, uses: Mapping[int, int], language: str) -> dict[str, list[str]]:
    """By place, the best first: the wanted phrases that stand there, and words of others."""
    found: dict[str, list[str]] = {TITLE: [], LEAD: [], TEXT: []}
    parts: dict[str, list[str]] = {TITLE: [], LEAD: [], TEXT: []}
    for phrase in wish.asked.wanted:
        places = dict(_places(phrase, uses, language))
        whole = _whole(places, len(phrase))
        if whole:
            found[whole].append(wish.asked.as_written(phrase))
            continue
        for word, place in places.items():
            parts[place].append(wish.asked.as_written((word,)))
    return {place: [*dict.fromkeys((*found[place], *parts[place]))] for place in found}


def _whole(places: Mapping[str, str], size: int) -> str:
    """Where all words of a phrase stand together."""
    if len(places) < size:
        return ""
    order = [place for _, place in PLACES]
    return max(places.values(), key=order.index)


def _places(phrase: Phrase, uses: Mapping[int, int], language: str) -> Iterator[tuple[str, str]]:
    kind = kind_of(phrase)
    for word, keys in phrase_keys(phrase, language):
        use = 0
        for key in keys:
            use |= uses.get(key, 0)
        place = next((name for mask, name in PLACES if use & mask), "")
        if place:
            yield word, place
        elif kind is not None and kind in uses:
            yield word, TEXT
