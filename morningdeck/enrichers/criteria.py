"""What a reader's criteria ask for and what they ask to be spared, as lists of phrases.

"Offshore wind and grid storage, also ports. No sports or celebrity news."
 wanted: offshore wind · grid storage · ports    unwanted: sports · celebrity
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from morningdeck.enrichers.language import detect_language
from morningdeck.enrichers.sentences import sentences
from morningdeck.enrichers.word_list import word_list
from morningdeck.enrichers.words import WORD_PATTERN, normalised, stop_words

LONGEST_CRITERIA = 4_000
MOST_PHRASES = 60
MOST_SENTENCES = 8
MOST_LISTED = 8
LONGEST_PHRASE = 4

_NEGATION = re.compile(
    r"""
    \b(?:(?:(?:i\ am|i'm|we\ are)\ )?not\ (?:at\ all\ )?interested\ in
    |(?:please\ )?(?:do\ not|don't)(?!.{0,20}\bmiss\b)|no(?![-'’]|\ matter)
    |not(?!\ (?:only|just|merely))|never|nothing|without|except(?:\ for)?|excluding|exclude
    |avoid|skip|ignore|leave\ out|less
    |kein(?:e|en|er|em)?|nicht(?!\ nur)|nichts|ohne|außer|ausgenommen
    |pas\ (?:de|d['’])|pas(?!\ seulement)|aucune?|sans|sauf|rien
    |sin|excepto|nada|ningún|ninguna|niente|senza|tranne|non(?!\ solo|-)|nessun[ao]?
    |geen|niet(?!\ alleen)|niets|zonder|behalve)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BUT = re.compile(
    r"[,;]?\s+\b(?:but|however|instead|aber|sondern|mais|pero|ma|maar)\b|[;•|]|\s[-–—]\s|^[-*•]\s",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[,;:()/]|\s(?:and|or|und|oder|et|ou|y|o|e|en|of)\s", re.IGNORECASE)
_LISTED = re.compile(r"[,;/]|\s(?:and|or|und|oder|et|ou)\s", re.IGNORECASE)
_INTEREST = re.compile(
    r"\b(?:my|our|an?|main|special|of)\s+interests?\b|\binterests?(?=\s+(?:in|for|me|us|are|is|include)\b)",
    re.IGNORECASE,
)
"""Of a reader; a rate of interest is a subject."""
_LEANS = re.compile(
    r"""
    \b(?:it|its|they|them|their|theirs|this|these|those
    |ihnen|ihre[nrms]?|deren|dessen|diese[nrms]?|dahinter|davon|daran|dazu
    |ils|elles|eux|leurs?|ceux|celles|ellos|ellas|sus?|estos|estas|loro|essi|esse|questi|queste
    |hun|hen|ze|deze|eles|elas|seus|suas|deles|delas)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""In one of several that are listed: "the companies behind them" is no wish without the others."""
_PLACE = re.compile(
    r"\b(?:in|of|from|en|au|aux|dans|du|de|aus|im|em|do|da|del|della|dello|nel|nella|uit|van)\s"
    r"(?:(?:the|der|den|dem|la|le|les|los|las|el|il|lo|gli|de|het|o|a|os|as)\s)?[A-ZÀ-Þ]"
)
"""At the end of a list: "politics and the economy in France" are not the politics of the world."""
_ASKING = word_list(
    """
    about anything article articles bit content coverage else especially everything follow focus
    general generally happening ideally important information interested interesting
    items kind latest learn like love mainly matter matters mention mentions more news please
    prefer preferably pieces posts read reading related relevant regarding send show stories
    story stuff subject topic topics track trends understand update updates whatever world alles
    artikel aktuelles berichte interesse interessiere interessiert nachrichten neues neuigkeiten
    thema themen actualité actualités articles intéresse nouvelles sujet sujets tout artículos
    interesa interesan noticias tema temas articoli interessa interessano notizie artikelen
    berichten interesseert nieuws onderwerp onderwerpen
    """
)

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CriteriaPhrases:
    wanted: tuple[Phrase, ...]
    unwanted: tuple[Phrase, ...]
    wanted_clauses: tuple[str, ...]
    """The same criteria as the reader wrote them, for their meaning as a whole."""
    unwanted_clauses: tuple[str, ...]
    wanted_sentences: tuple[tuple[Phrase, ...], ...] = ()
    listed: tuple[str, ...] = ()
    """What "gold, shipping and jobs" names one after the other, without what explains a subject
    behind its colon.
    """
    written: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Each word as the reader wrote it: German nouns and names have a capital."""

    def as_written(self, phrase: Phrase) -> str:
        return " ".join(self.written.get(word, word) for word in phrase)


def phrases_of(criteria: str, language: str | None = None) -> CriteriaPhrases:
    """In that language, else in the one that they show."""
    text = _INTEREST.sub(" ", criteria[:LONGEST_CRITERIA].replace("’", "'"))
    language = language or detect_language(text)
    idle = stop_words(language) | stop_words("en") | _ASKING
    phrases: dict[bool, dict[Phrase, None]] = {False: {}, True: {}}
    clauses: dict[bool, dict[str, None]] = {False: {}, True: {}}
    wanted: list[tuple[Phrase, ...]] = []
    listed: list[str] = []
    for clause, spared in clauses_of(text):
        in_clause: list[Phrase] = []
        for part in _PARTS.split(clause):
            found = list(_phrases(part, idle))
            in_clause += found
            if found:
                clauses[spared][" ".join(word for phrase in found for word in phrase)] = None
        phrases[spared].update(dict.fromkeys(in_clause))
        if in_clause and not spared:
            wanted.append(tuple(in_clause))
            listed += _listed(clause, idle)
    return CriteriaPhrases(
        tuple(phrases[False])[:MOST_PHRASES],
        tuple(phrases[True])[:MOST_PHRASES],
        tuple(clauses[False])[:MOST_PHRASES],
        tuple(clauses[True])[:MOST_PHRASES],
        tuple(wanted)[:MOST_SENTENCES],
        tuple(listed) if len(listed) <= MOST_LISTED else (),
        _written(text, language),
    )


def _written(text: str, language: str | None) -> dict[str, str]:
    """A capital that only begins a sentence is left out; in German it may be the noun's."""
    found: dict[str, str] = {}
    for sentence in sentences(text):
        words = [match[0] for match in WORD_PATTERN.finditer(sentence)]
        for number, word in enumerate(words):
            begins = number == 0 and word.istitle() and language != "de"
            of_a_name = words[number + 1 : number + 2] and words[number + 1].istitle()
            found.setdefault(normalised(word), word.lower() if begins and not of_a_name else word)
    return found


def standing_alone(clause: str) -> list[str]:
    """Its parts, without those that lean on another."""
    return [part for part in _PARTS.split(clause) if not _LEANS.search(part)]


def _listed(clause: str, idle: frozenset[str]) -> list[str]:
    if ":" in clause:
        return []
    named = [part.strip(" .") for part in _LISTED.split(clause)]
    named = [part for part in named if any(_phrases(part, idle))]
    if len(named) < 2 or any(map(_LEANS.search, named)) or _PLACE.search(named[-1]):
        return []
    return named


def clauses_of(text: str) -> Iterator[tuple[str, bool]]:
    """Each clause, and whether the reader wants to be spared what it names.

    A negation holds to the end of its sentence, or to the next "but".
    """
    for sentence in sentences(text):
        for part in _BUT.split(sentence):
            negation = _NEGATION.search(part)
            if negation is None:
                yield part, False
                continue
            yield part[: negation.start()], False
            yield part[negation.end() :], True


def _phrases(clause: str, idle: frozenset[str]) -> Iterator[Phrase]:
    phrase: list[str] = []
    end = 0
    for match in WORD_PATTERN.finditer(clause):
        word = normalised(match[0])
        apart = clause[end : match.start()].strip() != ""
        end = match.end()
        if phrase and (apart or word in idle or len(phrase) == LONGEST_PHRASE):
            yield tuple(phrase)
            phrase = []
        if word not in idle:
            phrase.append(word)
    if phrase:
        yield tuple(phrase)
