"""Texts to sentences, for languages that end them with a mark.

    line --end marks--> pieces --abbreviations, small letters: not an end--> sentences

A line's end ends a sentence too, unless the next line goes on in small letters, or all lines
were broken at one width. A text whose language marks no ends, as Thai, is one
sentence for each of its lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from morningdeck.enrichers.stopwords import FUNCTION_WORDS
from morningdeck.enrichers.word_list import word_lists

# Bounded repeats: a page of full stops must not cost a square of its length.
_END = re.compile(
    r"""(?=[.!?…؟۔।。！？])(?:"""  # a quick look at each letter
    r"""([.!?…؟۔।]{1,8}(?:["'”’»›)\]]|\ »){0,3})\ (?=["'“‘„«‹(\[¿¡$€£]{0,3}([^\W_]{1,24}))"""
    r"""|(?<=[a-zäöüßéèàáíóúñç]{3})[.!?](?=[A-ZÄÖÜÉ][a-zäöüßéèàáíóúñç]{1,24}[ ,])"""
    r"""|[。！？]{1,8}(?:[」』”）)]{1,3}(?![ぁ-ゟ])|(?![」』”）)])))"""
)
WIDEST = 120
"""Characters of a line in plain text that was broken by hand or by a mail program."""
OF_BROKEN_LINES = 0.2
_OPEN = re.compile(r"[^.!?…:;؟۔।。！？\"'”’»)\]」]$")
_ENDS_WELL = re.compile(r"(?<!\.\.)[.!?。！？؟۔।][\"'”’»›)\]」』）]*$")
_LAST_WORD = re.compile(r"([^\s(\[“\"'„«]+)$")
_ABBREVIATIONS = word_lists("abbreviations")
_GO_ON = _ABBREVIATIONS["goes on"]
_BEFORE_NUMBERS = _ABBREVIATIONS["goes on before a number"]
_MAY_END = _ABBREVIATIONS["may end"]
_WITH_ORDINALS = _ABBREVIATIONS["ordinals"]
"""Languages that write `3.` for the third."""


def sentences(text: str, language: str | None = None) -> list[str]:
    """The sentences in their order, each with its white space made single."""
    found: list[str] = []
    for line in _whole_lines([" ".join(line.split()) for line in text.splitlines()]):
        found.extend(_of_line(line, language))
    return found


def ends_well(text: str) -> bool:
    """With the mark of a statement or a question, not in the midst (`...`, `... Dr.`)."""
    last = text.rpartition(" ")[2].lower().removesuffix(".")
    return last not in _GO_ON and _ENDS_WELL.search(text[-8:]) is not None


def _whole_lines(lines: list[str]) -> Iterator[str]:
    """The lines, those joined again that were broken in the midst of a sentence."""
    width = max(map(len, lines), default=0)
    open_ends = [bool(_OPEN.search(line)) for line in lines]
    broken = sum(
        ends_open and following[:1].islower()
        for ends_open, following in zip(open_ends, lines[1:], strict=False)
    )
    wrapped = width < WIDEST and broken > len(lines) * OF_BROKEN_LINES
    parts: list[str] = []
    for line, ends_open, following in zip(lines, open_ends, [*lines[1:], ""], strict=False):
        parts.append(line)
        goes_on = following[:1].islower() or (wrapped and len(line) > width / 2 and following)
        if not (ends_open and goes_on):
            yield " ".join(parts)
            parts = []


def _of_line(line: str, language: str | None) -> list[str]:
    found: list[str] = []
    start = 0
    for end in _END.finditer(line):
        if end[1] and not _ends(line[max(start, end.start() - 24) : end.start()], end, language):
            continue
        found.append(line[start : end.end()].strip())
        start = end.end()
    if rest := line[start:].strip():
        found.append(rest)
    return found


def _ends(before: str, end: re.Match[str], language: str | None) -> bool:
    """Whether a mark with a blank behind it ends the sentence."""
    following = end[2]
    if following[0].islower():
        return False
    last = _LAST_WORD.search(before)
    if end[1] != "." or last is None:
        return True
    word = last[1].lower()
    if word in _GO_ON or (word in _BEFORE_NUMBERS and following[0].isdigit()):
        return False
    if word.isdigit():
        return word != before.strip() and (len(word) > 2 or language not in _WITH_ORDINALS)
    if word in _MAY_END or len(word) == 1:
        return _starts_anew(following, language)
    return True


def _starts_anew(word: str, language: str | None) -> bool:
    """A name would go on after an initial or a legal form; an article or a pronoun does not."""
    known = FUNCTION_WORDS.get(language or "en", FUNCTION_WORDS["en"])
    return len(word) > 1 and word.lower() in known
