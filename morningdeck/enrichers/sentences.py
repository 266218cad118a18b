"""Texts to sentences, for languages that end them with a mark.

A full stop ends no sentence after an abbreviation, an initial or a number (`Dr.`, `J. R.`,
`am 3. Mai`), nor before a word in lower case. A line break always ends one.
"""

from __future__ import annotations

import re

from morningdeck.enrichers.word_list import word_list

# Bounded repeats: a page of full stops must not cost a square of its length.
_END = re.compile(
    r"""([.!?…]{1,8}["'”’»)\]]{0,3})\ (?=["'“‘„«(\[¿¡]?[^\W_a-zäöüßéèàçñ])|([。！？]{1,8})"""
)
_LAST_WORD = re.compile(r"([^\s(“\"'„«]+)$")
_ABBREVIATIONS = word_list(
    """
    dr mr mrs ms prof st sr jr gen col sgt capt lt rep sen gov pres hon rev adm no nos vs inc
    ltd corp co jan feb mar apr jun jul aug sep sept oct nov dec fig vol est approx ca bzw z.b
    u.a d.h ggf inkl evtl nr str mio mrd hr fr tel abs art vgl bspw usw u.s u.k u.n e.g i.e a.m
    p.m m mm mme mlle sra srta ing avv dott sig dhr mevr drs bijv o.a ph.d
    """
)


def sentences(text: str) -> list[str]:
    """The sentences in their order, each with its white space made single."""
    found: list[str] = []
    for line in text.splitlines():
        found.extend(_of_line(" ".join(line.split())))
    return found


def _of_line(line: str) -> list[str]:
    found: list[str] = []
    start = 0
    for end in _END.finditer(line):
        if end[1] == "." and _abbreviated(line[start : end.start()]):
            continue
        found.append(line[start : end.end()].strip())
        start = end.end()
    if line[start:].strip():
        found.append(line[start:].strip())
    return found


def _abbreviated(before: str) -> bool:
    last = _LAST_WORD.search(before[-24:])
    if last is None:
        return False
    word = last[1].lower()
    # "1990." may well end a sentence, "3." in "am 3. Mai" does not.
    return word in _ABBREVIATIONS or len(word) == 1 or (word.isdigit() and len(word) < 3)
