"""An article as the offline enricher reads it: once, up to a cap, without boilerplate."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from urllib.parse import urlsplit

from morningdeck.enrichers.boilerplate import without_boilerplate
from morningdeck.enrichers.language import language_of
from morningdeck.enrichers.sentences import ends_well, sentences
from morningdeck.enrichers.words import (
    WORD_PATTERN,
    WORDS_REMEMBERED,
    normalised,
    stem,
    telling,
)
from morningdeck.model.making import Article

LONGEST_TEXT = 20_000
"""Characters; what an article has to say, it has said by then."""
MOST_SENTENCES = 200
LEAD_SENTENCES = 4
READ_LATELY = 8
"""Profile and enrichment are made of one reading, on as many threads."""

_BREAKS = dict.fromkeys(map(ord, "\u00ad\u200b"))
_BETWEEN_NAMES = re.compile(r",|;|&|/|\||\b(?:and|und|et|y|e|en|by|von|par)\b|[()]|\s[-–—:]\s")


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    terms: tuple[str, ...]
    """The stems of its telling words."""


@dataclass(frozen=True, slots=True)
class Document:
    title: str
    language: str | None
    sentences: tuple[Sentence, ...]
    prose: tuple[Sentence, ...]
    """Without headings, labels, captions and lists, which end with no mark."""
    title_terms: frozenset[str]
    weights: Counter[str]
    """How often each stem is used, the title counting twice."""
    tellers: frozenset[str]
    """Author and publisher, in lower case: who tells it is not what it is about."""

    @property
    def lead(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences[:LEAD_SENTENCES])


def read_article(article: Article) -> Document:
    text = article.text[:LONGEST_TEXT]
    bare = Article(
        title=article.title,
        text=text,
        url=article.url,
        author=article.author,
        language=article.language,
        source_title=article.source_title,
        source_topics=article.source_topics,
    )
    return _read(bare)


@lru_cache(READ_LATELY)
def _read(article: Article) -> Document:
    title, text = _shown(" ".join(article.title.split())), _shown(article.text)
    language = language_of(f"{title}\n{text}", stated=article.language)
    own = without_boilerplate(sentences(text, language)[:MOST_SENTENCES])
    read_sentences = tuple(Sentence(sentence, terms(sentence, language)) for sentence in own)
    title_terms = terms(title, language)
    weights = Counter(chain.from_iterable(sentence.terms for sentence in read_sentences))
    weights.update(title_terms * 2)
    return Document(
        title=title,
        language=language,
        sentences=read_sentences,
        prose=tuple(sentence for sentence in read_sentences if ends_well(sentence.text)),
        title_terms=frozenset(title_terms),
        weights=weights,
        tellers=_tellers(article),
    )


def _shown(text: str) -> str:
    """Without the places where a word may be broken."""
    return text.translate(_BREAKS) if "\u00ad" in text or "\u200b" in text else text


def terms(text: str, language: str | None) -> tuple[str, ...]:
    found = WORD_PATTERN.findall(text)
    return tuple([term for word in found if (term := term_of(word, language))])


@lru_cache(WORDS_REMEMBERED)
def term_of(word: str, language: str | None) -> str:
    """The stem of a word as it is written; empty where it can tell nothing."""
    plain = normalised(word)
    return stem(plain, language) if telling(plain, language) else ""


def _tellers(article: Article) -> frozenset[str]:
    written = (*_BETWEEN_NAMES.split(article.author or ""), article.source_title)
    written += tuple(_BETWEEN_NAMES.split(article.source_title))
    host = (urlsplit(article.url or "").hostname or "").split(".")
    names = {" ".join(name.lower().split()) for name in (*written, *host[-3:-1])}
    return frozenset(name.removeprefix("the ") for name in names if len(name) > 2)
