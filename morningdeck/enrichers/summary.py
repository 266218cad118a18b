"""What an article says, in its own words: the first two or three sentences that stand alone.

A sentence that leans on the one before it ("He said ...", "However, ...") comes only after
that one. A text of which nothing stands alone has no summary.

Choosing sentences by the words they share with the whole text was tried and dropped: it was no
nearer to what publishers write as a summary, and pulled sentences out of their context.
"""

from __future__ import annotations

import re
from collections.abc import Set

from morningdeck.enrichers.document import Document, Sentence
from morningdeck.enrichers.orders import is_order
from morningdeck.enrichers.sentences import ends_well
from morningdeck.enrichers.stopwords import FUNCTION_WORDS
from morningdeck.enrichers.word_list import word_lists

LONGEST_SUMMARY = 400
SHORTEST_SENTENCE = 30
SHORTEST_SPACELESS = 12
MOST_SENTENCES = 3
CONSIDERED = 60
REACH = 6
"""Sentences; what stands further from the last one speaks of something else."""
SAME_SHARE = 0.6
"""Of the telling words of the shorter one."""
MENU_SHARE = 0.65
"""Of capitalised words; German sentences stay below one half."""
MENU_LENGTH = 9
"""No sentence begins with so many capitals."""
NEW_WORDS = 2
NEW_SHARE = 0.25
"""So many of its telling words must be other than the title's."""

_STATES = re.compile(r"[.。۔।][\"'”’»›)\]」』）]*$")
"""Neither a question nor a shout: both invite to read on."""
_SPACELESS = re.compile(r"[぀-ヿ㐀-鿿]")
_WORD = re.compile(r"[^\W\d_]+")
_NO_PROSE = re.compile(
    r"[{}<>|\\^~•·►→]|https?:|www\.|\w@\w|==|::|\(\)|\[\d*\]|\.{3}|…|_{2}|&\w+;|\s[@\#$%&][,.]|\w\.\w+\(|[;:]$"
)
_CUT = "…"
_QUOTES = "\"'“„«‘‹「『"
_PAIRS = ("()", "[]", "«»", "「」", "『』")
_HE_SAID = re.compile(
    r"""[,”"»’]\ (?:(?:he|she|they|it)\ (?:said|says|added|told|wrote|warned|explained|noted)
        |(?:sagte?|erklärte?|betonte?|meinte?|so|schrieb)\ (?:er|sie)\b
        |(?:a-t-|dit-|explique-t-|ajoute-t-)(?:il|elle)
        |(?:dijo|afirmó|explicó|añadió|aseguró|disse|afirmou|ha\ detto|ha\ spiegato|aldus|zei\ hij
        |zei\ ze|zegt\ hij|zegt\ ze)[.,])""",
    re.VERBOSE | re.IGNORECASE,
)
_LEANING = word_lists("leaning")
_OF_TIME = word_lists("time")["all"]


def summarise(document: Document) -> str:
    """At most 400 characters, or nothing."""
    taken: list[Sentence] = []
    room = LONGEST_SUMMARY
    last = -1
    for place, sentence in enumerate(document.sentences[:CONSIDERED]):
        text = sentence.text
        if taken and place > last + REACH:
            break
        follows = taken and last == place - 1
        if len(text) > room or not _is_statement(sentence, document):
            continue
        if not follows and leans_back(text, document.language):
            continue
        if any(_repeats(sentence, other) for other in taken):
            continue
        taken.append(sentence)
        room -= len(text) + 1
        last = place
        if len(taken) == MOST_SENTENCES:
            break
    texts = [sentence.text for sentence in taken]
    return ("" if texts and _SPACELESS.search(texts[0]) else " ").join(texts)


def leans_back(text: str, language: str | None) -> bool:
    """Whether it means little without the sentence before it."""
    words = [word.lower() for word in _WORD.findall(text[:80])[:4]]
    starts = {" ".join(words[:length]) for length in (1, 2, 3)}
    if _LEANING.get(language or "", _LEANING["en"]).isdisjoint(starts):
        spoken = text[0] in _QUOTES or _HE_SAID.search(text) is not None
        return spoken or (language == "de" and _points_back(text))
    return words[0] == "that" or _OF_TIME.isdisjoint(words[1:3])


def _points_back(text: str) -> bool:
    """`Das teilte die Stadt mit`: what looks like an article stands for what was said."""
    first, second, third, *_ = (*text.split(" ", 3), "", "", "")
    known = FUNCTION_WORDS["de"]
    return (
        first in ("Das", "Der", "Die")
        and second[:1].islower()
        and second not in known
        and third in known
    )


def _is_imperative(text: str, language: str | None) -> bool:
    """`Explain the ...`, but not `Draft rules say ...`."""
    first, second, *_ = (*_WORD.findall(text[:80].lower()), "", "")
    commands, governed = _LEANING["imperatives"], _LEANING["what an imperative governs"]
    return language == "en" and first in commands and second in governed


def _repeats(sentence: Sentence, other: Sentence) -> bool:
    mine, theirs = set(sentence.terms), set(other.terms)
    return len(mine & theirs) > SAME_SHARE * min(len(mine), len(theirs))


def _is_statement(sentence: Sentence, document: Document) -> bool:
    text = sentence.text
    return (
        _long_enough(text)
        and ends_well(text)
        and _STATES.search(text[-8:]) is not None
        and _starts_well(text)
        and _NO_PROSE.search(text) is None
        and _closes_all(text)
        and _is_prose(text, document.language)
        and not is_order(text)
        and not _is_imperative(text, document.language)
        and not _says_the_title(sentence, document)
    )


def _long_enough(text: str) -> bool:
    if _SPACELESS.search(text):
        return len(text) >= SHORTEST_SPACELESS
    return len(text) >= SHORTEST_SENTENCE and text.count(" ") >= 4


def _closes_all(text: str) -> bool:
    """No bracket and no quotation that begins or ends outside; `“` does the one or the other."""
    pairs = all(text.count(pair[0]) == text.count(pair[1]) for pair in _PAIRS)
    quoted = text.count("“") == max(text.count("”"), text.count("„"))
    return pairs and quoted and text.count('"') % 2 == 0


def _starts_well(text: str) -> bool:
    """With a capital, a number or a script without capitals; `iPhone` is a capital too."""
    first = text.lstrip("\"'“„«‘‹(¿¡「『").partition(" ")[0]
    return bool(first) and first[0].isalnum() and not (first[0].islower() and first.islower())


def _is_prose(text: str, language: str | None) -> bool:
    """No menu (`Home News Contact ...`) and no list of names: words of no meaning tie it."""
    found = text.split()
    capitals = [word[0].isupper() or word[0].isdigit() for word in found]
    menu = len(found) >= MENU_LENGTH and all(capitals[:MENU_LENGTH])
    if menu or sum(capitals) > MENU_SHARE * len(found):
        return False
    tying = FUNCTION_WORDS.get(language or "")
    return tying is None or any(word.lower() in tying for word in _WORD.findall(text))


def _says_the_title(sentence: Sentence, document: Document) -> bool:
    said: Set[str]
    known: Set[str]
    if document.title.endswith(_CUT) and sentence.text.startswith(document.title.rstrip(_CUT)):
        return True  # an item without a title is shown with the start of its text
    if _SPACELESS.search(document.title):
        said, known = set(sentence.text), set(document.title)
        return len(said - known) < NEW_SHARE * len(said)
    said, known = set(sentence.terms), document.title_terms
    return bool(known) and len(said - known) < max(NEW_WORDS, NEW_SHARE * len(said))
