"""An article as the offline enricher reads it: once, up to a cap, without boilerplate."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from morningdeck.enrichers.language import detect_language
from morningdeck.enrichers.sentences import sentences
from morningdeck.enrichers.words import stem, telling, words_of
from morningdeck.model import Article

LONGEST_TEXT = 20_000
"""Characters; what an article has to say, it has said by then."""
MOST_SENTENCES = 200
LEAD_SENTENCES = 4

_BOILERPLATE = re.compile(
    r"""
    ^(?:photo|image|picture|video|credit|caption|source|foto|bild|quelle|fuente|fonte|bron|crédit)
        (?:graph|s)?(?:\ (?:by|courtesy))?\s*:
    | ^(?:by|von|par|por|di|door)\ [A-Z]\S+(?:\ [A-Z]\S+){0,3}[.,]?$
    | ^(?:advertisement|anzeige|publicité|publicidad|pubblicità|advertentie)\b
    | ^(?:(?:also|related)\ (?:read|articles?|stories)|read\ (?:also|next|more)|see\ also
        |lesen\ sie\ auch|mehr\ zum\ thema|à\ lire\ aussi|lire\ aussi|lea\ también|leggi\ anche
        |lees\ ook)\b
    | \b(?:unsubscribe|subscribe\ (?:to|now)|sign\ up\ (?:for|to|now|here)|log\ in\ to
        |(?:our|this|unser\w*|notre|nuestr[oa]|nostra|onze)\ newsletter|newsletter\ abonnieren
        |(?:uses?|accept)\ cookies|enable\ javascript|privacy\ policy|all\ rights\ reserved
        |click\ here|continue\ reading|read\ more|follow\ us|share\ this|leave\ a\ comment
        |view\ (?:this\ email\ )?in\ (?:your\ )?browser|appeared\ first\ on
        |was\ originally\ published|getty\ images|this\ article\ is
        |weiterlesen|alle\ rechte\ vorbehalten|hier\ klicken
        |abonnez-vous|inscrivez-vous|lire\ la\ suite|tous\ droits\ réservés
        |suscríbete|leer\ más|sigue\ leyendo|todos\ los\ derechos
        |iscriviti|abbonati|continua\ a\ leggere|tutti\ i\ diritti
        |schrijf\ je\ in|lees\ (?:meer|verder)|alle\ rechten)\b
    | ©|\(c\)\ \d{4}|^\W*$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_DATELINE = re.compile(
    r"""
    ^[A-ZÄÖÜÉ][\w.,’'\ -]{1,60}\((?:AP|AFP|dpa|Reuters|ANSA|EFE|ANP|IANS|PTI|UPI|Bloomberg|Xinhua)
        [^)]{0,20}\)\s*[-–—:]*\s*
    | ^[A-ZÄÖÜÉ]{3,}[A-ZÄÖÜÉ.,\ /]{0,40}\s[-–—]+\s
    """,
    re.VERBOSE,
)


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
    title_terms: frozenset[str]
    weights: Counter[str]
    """How often each stem is used, the title counting twice."""

    @property
    def lead(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences[:LEAD_SENTENCES])


def read_article(article: Article) -> Document:
    title = " ".join(article.title.split())
    text = article.text[:LONGEST_TEXT]
    language = (article.language or "")[:2].lower() or detect_language(f"{title}\n{text}")
    read_sentences = tuple(
        Sentence(sentence, terms(sentence, language)) for sentence in _own_sentences(text)
    )
    title_terms = terms(title, language)
    weights = Counter(term for sentence in read_sentences for term in sentence.terms)
    weights.update(title_terms * 2)
    return Document(title, language, read_sentences, frozenset(title_terms), weights)


def terms(text: str, language: str | None) -> tuple[str, ...]:
    return tuple(stem(word, language) for word in words_of(text) if telling(word, language))


def _own_sentences(text: str) -> list[str]:
    """The article's own sentences: no captions, bylines, footers, and none twice."""
    kept: dict[str, None] = {}
    for sentence in sentences(text)[:MOST_SENTENCES]:
        if len(sentence) < 400 and _BOILERPLATE.search(sentence):
            continue
        kept[_DATELINE.sub("", sentence)] = None
    return list(kept)
