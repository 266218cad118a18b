"""People, companies and technologies in a text, by rules alone.

A run of capitalised words is a person after a title, before a verb of speech, or with a
known first name; a company with a legal form or by its name; all else is left out, which
also keeps German nouns from becoming people. The title of an article is read for known
names only, since headlines like to capitalise everything.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from functools import cache
from itertools import islice

from morningdeck.enrichers.document import Document
from morningdeck.enrichers.word_list import word_list, word_lists
from morningdeck.enrichers.words import stem, telling, words_of

MOST_OF_A_KIND = 8
MOST_PARTS = 4
"""Of a person's name."""

_NAMES = word_lists("names")
COMPANIES = _NAMES["companies"]
FIRST_NAMES = _NAMES["first names"]
LEGAL_FORMS = _NAMES["legal forms"]
NO_PERSON = _NAMES["no person"]
"""Words that no person's name has."""
SPEECH = _NAMES["verbs of speech"]
TECHNOLOGIES = _NAMES["technologies"]
TITLES = _NAMES["titles"]
WEAK_TITLES = _NAMES["weak titles"]
"""Words that stand before many others than a name: `General Agreement`."""
AMBIGUOUS = _NAMES["ambiguous technologies"]
WEAK_FORMS = _NAMES["weak legal forms"]
"""Words that end a company's name, but many others too: `Renewable Energy`."""

_NO_PART = NO_PERSON | LEGAL_FORMS | WEAK_FORMS
_NO_FIRST = TITLES | LEGAL_FORMS | WEAK_FORMS
_NAME = r"[^\W\d_a-zß-öø-ÿ](?:[\w&-]|[’'](?!s\b)(?=\w))*"
_PARTICLE = r"(?:v[ao]n de[nr]?|de l[ao]s?|del?|della|der|di|du|la|le|van|von|zu|bin|al|da|dos|ter)"
_RUN = re.compile(rf"(?<![\w@#/]){_NAME}(?:\.? (?:{_PARTICLE} )?{_NAME}){{0,5}}")
_ELSEWHERE = word_list("at by dans de en from in nel of on op près that to à")
"""After one of these a name is a place: where it was said, not who said it."""
_WORD_AFTER = re.compile(r",? ([^\W\d_]+)")


@dataclass(frozen=True, slots=True)
class Entities:
    people: tuple[str, ...] = ()
    companies: tuple[str, ...] = ()
    technologies: tuple[str, ...] = ()


def find_entities(document: Document) -> Entities:
    prose = [sentence.text for sentence in document.prose or document.sentences]
    people: Counter[str] = Counter()
    companies = Counter(_known([document.title, *prose], _companies()))
    common = _common_words(prose)
    for text in prose:
        for run in _RUN.finditer(text):
            name = _without_lead(run[0], document.language)
            if " " not in name:
                continue  # a company has a form beside its name, a person a title or a first name
            if _is_company(name, common):
                companies[name.rstrip(".")] += 1
            elif person := _person(name, run, document.language, common):
                people[person] += 1
    technologies = Counter(_known([document.title, *prose], _technologies()))
    return Entities(
        _most_named(_full_names(people), document.tellers),
        _most_named(_without_forms(companies), document.tellers),
        _most_named(_once(_sure(technologies), document.language)),
    )


def _common_words(texts: Iterable[str]) -> frozenset[str]:
    """What the article writes in small letters too is nobody's name."""
    words = set().union(*(text.split() for text in texts))
    return frozenset(word.strip(",.;:") for word in words if word.islower())


def _known(texts: Iterable[str], pattern: re.Pattern[str]) -> Iterator[str]:
    """The names, not where one is somebody's family name (`Doug Ford`)."""
    for text in texts:
        for found in pattern.finditer(text):
            before = text[max(0, found.start() - 24) : found.start()].split()
            if not before or before[-1] not in FIRST_NAMES:
                yield found[0]


def _sure(technologies: Counter[str]) -> Counter[str]:
    """Without words of many meanings (`Java`, `Windows`) where nothing else is technical."""
    if AMBIGUOUS.issuperset(technologies):
        return Counter()
    return technologies


@cache
def _companies() -> re.Pattern[str]:
    return _any_of(COMPANIES)


@cache
def _technologies() -> re.Pattern[str]:
    return _any_of(TECHNOLOGIES)


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    initials = re.escape("".join(sorted({name[0] for name in longest_first})))
    any_name = "|".join(map(re.escape, longest_first))
    # the look at the first letter spares nearly all others
    return re.compile(rf"(?=[{initials}])(?<![\w-])(?:{any_name})(?![\w-])")


def _without_lead(run: str, language: str | None) -> str:
    """Without the word of no meaning that a sentence began with: `Yesterday Angela Merkel`."""
    first, _, rest = run.partition(" ")
    while rest and first not in TITLES and not telling(first.lower(), language):
        run = rest
        first, _, rest = run.partition(" ")
    return run


def _is_company(name: str, common: frozenset[str]) -> bool:
    parts = name.replace(".", "").split()
    if (
        len(parts) < 2
        or len(parts[0]) < 2
        or parts[0] in _NO_FIRST
        or any(part.islower() for part in parts)
    ):
        return False
    if parts[-1] in WEAK_FORMS:
        return common.isdisjoint(part.lower() for part in parts[:-1])
    return parts[-1] in LEGAL_FORMS


def _person(
    name: str, run: re.Match[str], language: str | None, common: frozenset[str]
) -> str | None:
    """The name of a person without its titles, or None where nothing says that it is one."""
    parts = [word.rstrip(".") for word in name.split()]
    title = ""
    while len(parts) > 1 and _is_title(parts):
        title = parts.pop(0)
    if _is_no_person(parts):
        return None
    if language == "de":
        parts = _without_noun(parts)
    if len(parts) == 1:
        sure = title and title not in WEAK_TITLES and parts[0].lower() not in common
        return parts[0] if sure and len(parts[0]) > 2 else None
    if title or (parts[0] in FIRST_NAMES and parts[-1].lower() not in common):
        return " ".join(parts)
    # Beside a verb of speech, German has any noun in capitals: "Die Deutsche Bahn sagte".
    may_speak = language != "de" and common.isdisjoint(part.lower() for part in parts)
    return " ".join(parts) if may_speak and _said(run) else None


def _is_title(parts: list[str]) -> bool:
    """Whether it begins with one: `Dr`, `Vize-Präsident`, `Prime Minister`, not `Stephen King`."""
    first, second, *name = (word.rpartition("-")[2] for word in parts)
    return first in TITLES or (second in TITLES and bool(name) and first not in FIRST_NAMES)


def _without_noun(parts: list[str]) -> list[str]:
    """Of `Lee Elder Antrittsgelder`, the name."""
    given = 1
    while given < len(parts) and (parts[given] in FIRST_NAMES or len(parts[given]) == 1):
        given += 1
    while given < len(parts) and parts[given].islower():
        given += 1
    return parts[: given + 1]


def _is_no_person(parts: list[str]) -> bool:
    return (
        len(parts) > MOST_PARTS
        or parts[0] in TITLES
        or parts[0][0].islower()
        or " ".join(parts) in COMPANIES
        or any(word.isupper() and len(word) > 1 for word in parts)
        or not _NO_PART.isdisjoint(parts)
    )


def _said(run: re.Match[str]) -> bool:
    """Whether a verb of speech stands beside: `Ida Moss said`, `said the mayor, Ida Moss`."""
    text = run.string
    after = _WORD_AFTER.match(text, run.end())
    if after is not None and after[1] in SPEECH:
        return True
    before = text[max(0, run.start() - 60) : run.start()]
    apposition = before.endswith(", ")
    for word in reversed(before.replace(",", " ").split()):
        if word in SPEECH:
            return True
        if not apposition and (word in _ELSEWHERE or not word.islower()):
            return False
    return False


def _full_names(people: Counter[str]) -> Counter[str]:
    """Each person once: a family name alone counts for the full name it belongs to."""
    merged: Counter[str] = Counter()
    for name, count in people.items():
        # German adds an s to show what is whose.
        bare = name[:-1] if name.endswith("s") and name[:-1] in people else name
        merged[_owner(bare, people)] += count
    return merged


def _owner(name: str, found: Iterable[str]) -> str:
    """The name under which another of those found is the same."""
    if " " in name:
        # `Harbourmaster Ida Moss` is Ida Moss.
        return next((one for one in found if " " in one and name.endswith(f" {one}")), name)
    return next((one for one in found if " " in one and one.endswith(f" {name}")), name)


def _without_forms(companies: Counter[str]) -> Counter[str]:
    """Each company once: `Apple Inc` is Apple, `Betreiber Norrvind Energy` Norrvind Energy."""
    merged: Counter[str] = Counter()
    for name, count in companies.items():
        short = " ".join(name.replace(".", "").split()[:-1])
        known = short if short in COMPANIES else name
        merged[_owner(known, companies)] += count
    return merged


def _once(names: Counter[str], language: str | None) -> Counter[str]:
    """Each name in its most frequent form: `heat pump` is `heat pumps`."""
    shown: dict[tuple[str, ...], str] = {}
    merged: Counter[str] = Counter()
    for name, count in names.most_common():
        key = tuple(stem(word, language) for word in words_of(name))
        merged[shown.setdefault(key, name)] += count
    return merged


def _most_named(names: Counter[str], tellers: Set[str] = frozenset()) -> tuple[str, ...]:
    told_of = (name for name, _ in names.most_common() if name.lower() not in tellers)
    return tuple(islice(told_of, MOST_OF_A_KIND))
