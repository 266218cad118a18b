"""Copies of articles, and articles that only look like copies, planted among real ones.

exact      the same words at another address
near       another headline in part, a sentence less, a few words changed, a line added
rewritten  the same facts in other words, in another order, under another headline
look-alike the same sentences of something else: other names, numbers and days
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

OTHER_WORDS = {
    "said": "stated", "says": "states", "told": "informed", "company": "firm", "rose": "climbed",
    "fell": "dropped", "profit": "earnings", "profits": "earnings", "net": "bottom-line",
    "year": "twelve months", "quarter": "three months", "bank": "lender", "buy": "acquire",
    "sell": "dispose of", "sold": "disposed of", "bought": "acquired", "about": "roughly",
    "would": "is going to", "will": "is set to", "also": "in addition", "however": "yet",
    "because": "since", "government": "authorities", "minister": "secretary", "talks": "debates",
    "agreement": "accord", "agreed": "consented", "plan": "scheme", "plans": "intends",
    "market": "trade", "prices": "costs", "price": "cost", "increase": "growth", "decrease": "drop",
    "higher": "larger", "lower": "smaller", "expected": "anticipated", "expects": "anticipates",
    "report": "account", "reported": "announced", "announced": "made known", "week": "seven days",
    "month": "four weeks", "today": "on the day", "yesterday": "the day before", "shares": "stock",
    "stock": "equity", "offer": "bid", "meeting": "gathering", "officials": "representatives",
    "official": "delegate", "billion": "thousand million", "mln": "million", "dlrs": "dollars",
    "pct": "percent", "analysts": "observers", "traders": "dealers", "industry": "sector",
    "problem": "difficulty", "problems": "difficulties", "major": "leading", "new": "fresh",
    "show": "indicate", "showed": "indicated", "total": "sum", "amount": "sum", "over": "above",
    "under": "below", "against": "versus", "between": "among", "after": "following",
    "before": "ahead of", "during": "throughout", "while": "whereas", "but": "though",
    "help": "assist", "need": "require", "needs": "requires", "made": "produced", "make": "produce",
    "large": "sizeable", "small": "modest", "last": "past", "next": "coming", "many": "numerous",
}  # fmt: skip
ADDED_LINE = "Reporting by our correspondents. This article was updated to correct a figure."
INVENTED = ("oakhurst", "benmore", "tallis", "verrano", "kestwick", "dunmarra", "hollin", "sarkova")
BEGINNINGS = [first + second for first in "BDFKLMNPRT" for second in ("ax", "el", "om", "ur")]
"""One for each article, so that no two invented ones have a name in common."""
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
KINDS = ("exact", "near", "rewritten", "look-alike")

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"])")
_WORD = re.compile(r"[A-Za-z]+")
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}|(?<=<)[a-z.]+(?=>)")


@dataclass(frozen=True, slots=True)
class Planted:
    title: str
    text: str
    url: str
    event: int
    """The same for all that are to be one story."""
    kind: str = "original"


def plant(originals: Sequence[Planted], each: int, chance: Random) -> tuple[Planted, ...]:
    """So many copies of each kind, of one original each, shuffled among the originals."""
    chosen = chance.sample(list(originals), each * len(KINDS))
    copies = [
        copy_of(original, KINDS[number % len(KINDS)], number, chance)
        for number, original in enumerate(chosen)
    ]
    mixed = [*originals, *copies]
    chance.shuffle(mixed)
    return tuple(mixed)


def copy_of(original: Planted, kind: str, number: int, chance: Random) -> Planted:
    here = replace(original, kind=kind, url=f"https://{kind}.example/{number}")
    match kind:
        case "exact":
            return here
        case "near":
            return _near(here)
        case "rewritten":
            return _rewritten(here, chance)
    return replace(_of_something_else(here, number), event=-1 - number)


def _near(article: Planted) -> Planted:
    sentences = _SENTENCE_END.split(article.text)
    kept = sentences[: max(2, len(sentences) - 1)]
    words = " ".join(kept).split(" ")
    for at in range(20, len(words), 60):
        words[at] = OTHER_WORDS.get(words[at].lower(), words[at].upper())
    return replace(
        article, title=f"{article.title} - update", text=f"{' '.join(words)} {ADDED_LINE}"
    )


def _rewritten(article: Planted, chance: Random) -> Planted:
    sentences = _SENTENCE_END.split(article.text)
    first, others = sentences[0], sentences[1:]
    chance.shuffle(others)
    told = [first, *others[: max(2, len(others) * 3 // 4)]]
    headline = " ".join(_in_other_words(first).split()[:11])
    return replace(article, title=headline, text=" ".join(map(_in_other_words, told)))


def _in_other_words(text: str) -> str:
    return _WORD.sub(lambda word: OTHER_WORDS.get(word[0].lower(), word[0]), text)


def _of_something_else(article: Planted, number: int) -> Planted:
    names = dict.fromkeys(_NAME.findall(f"{article.title} . {article.text}"))
    beginning = BEGINNINGS[number % len(BEGINNINGS)]
    given = {
        name: DAYS[(DAYS.index(name) + 2) % len(DAYS)]
        if name in DAYS
        else f"{beginning}{INVENTED[at % len(INVENTED)]}{chr(97 + at % 26)}"
        for at, name in enumerate(names)
    }
    return replace(
        article, title=_renamed(article.title, given), text=_renamed(article.text, given)
    )


def _renamed(text: str, given: dict[str, str]) -> str:
    lower = {name.lower(): new for name, new in given.items()}
    renamed = _WORD.sub(lambda word: lower.get(word[0].lower(), word[0]), text)
    return _NUMBER.sub(
        lambda number: str((int(number[0]) * 7 + 13) % 10 ** len(number[0])), renamed
    )
