"""What an article says, in its own words: two or three of its sentences, in their order.

A sentence counts for the words it shares with the rest of the text and with the title,
and for standing early, where news says what happened.
"""

from __future__ import annotations

import math
import re

from morningdeck.enrichers.document import Document, Sentence

LONGEST_SUMMARY = 400
MOST_SENTENCES = 3
CONSIDERED = 60
MENU_SHARE = 0.65
"""Of capitalised words; German sentences stay below one half."""

_ENDS_WELL = re.compile(r"[.!…。！][\"'”’»)\]]*$")
_LEANS_BACK = re.compile(
    r"^(?:but|and|so|yet|however|he|she|they|it|this|that|these|those|his|her|their|also|meanwhile"
    r"|then|still|aber|und|doch|er|sie|es|dies\w*|auch|mais|et|il|elle|ils|cela|pero|y|él|ella|esto"
    r"|ma|e|lui|lei|questo|questa|maar|en|hij|zij|dit|dat|ook)\b",
    re.IGNORECASE,
)
_SPOKEN = re.compile(r"^[\"“„«‘']|\?[\"'”’»)\]]*$")


def summarise(document: Document) -> str:
    """At most 400 characters; the title where the text has nothing to say."""
    usable = [
        (position, sentence)
        for position, sentence in enumerate(document.sentences[:CONSIDERED])
        if _is_statement(sentence, document)
    ]
    if not usable:
        return _shortened(_whole_text(document) or document.title)
    ranked = sorted(usable, key=lambda one: -_worth(one[1], one[0], document))
    chosen = _choose(ranked)
    if not chosen:
        return _shortened(ranked[0][1].text)
    return " ".join(sentence.text for _, sentence in sorted(chosen, key=lambda one: one[0]))


def _is_statement(sentence: Sentence, document: Document) -> bool:
    long_enough = len(sentence.text) >= 30 and len(sentence.terms) >= 3
    return (
        long_enough
        and _ENDS_WELL.search(sentence.text) is not None
        and not _is_menu(sentence.text)
        and sentence.text.rstrip(".!") != document.title.rstrip(".!")
    )


def _is_menu(text: str) -> bool:
    """`Home News Gewinnspiele Kontakt ...`: what a page's menu leaves behind."""
    found = text.split()
    return sum(word[0].isupper() for word in found) > MENU_SHARE * len(found)


def _worth(sentence: Sentence, position: int, document: Document) -> float:
    different = dict.fromkeys(sentence.terms)  # not a set: the order of adding must not vary
    weights = document.weights
    central = sum(math.log2(weights[term]) for term in different) / math.sqrt(len(different))
    shared = len(document.title_terms.intersection(different)) / (len(document.title_terms) or 1)
    early = 1.0 / (1 + position / 2)
    worth = central * 0.5 + shared * 1.5 + early * 2.0
    if position and _LEANS_BACK.search(sentence.text):
        worth *= 0.7
    if _SPOKEN.search(sentence.text):
        worth *= 0.6
    return worth


def _choose(ranked: list[tuple[int, Sentence]]) -> list[tuple[int, Sentence]]:
    chosen: list[tuple[int, Sentence]] = []
    room = LONGEST_SUMMARY
    for position, sentence in ranked:
        if len(sentence.text) > room or any(_repeats(sentence, other) for _, other in chosen):
            continue
        chosen.append((position, sentence))
        room -= len(sentence.text) + 1
        if len(chosen) == MOST_SENTENCES:
            break
    return chosen


def _repeats(sentence: Sentence, other: Sentence) -> bool:
    mine, theirs = set(sentence.terms), set(other.terms)
    return len(mine & theirs) > 0.6 * min(len(mine), len(theirs))


def _whole_text(document: Document) -> str:
    return " ".join(sentence.text for sentence in document.sentences)


def _shortened(text: str) -> str:
    if len(text) <= LONGEST_SUMMARY:
        return text
    head = text[: LONGEST_SUMMARY - 1]
    return (head.rpartition(" ")[0] or head).rstrip(",;:-– ") + "…"
