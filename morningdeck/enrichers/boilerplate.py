"""Which lines of a text are not the article's own: captions, bylines, footers, invitations."""

from __future__ import annotations

import re
from collections.abc import Iterable

from morningdeck.enrichers.word_list import word_lists

LONGEST_NOTICE = 400
"""Characters; what is longer tells something, whatever it mentions."""

_LISTS = word_lists("boilerplate")
_KINDS = {
    kind: "|".join(map(re.escape, sorted(phrases, key=lambda phrase: (-len(phrase), phrase))))
    for kind, phrases in _LISTS.items()
}
_INITIALS = re.escape("".join(sorted({phrase[0] for phrase in _LISTS["anywhere"]})))
# the look at the first letter spares nearly all others
_ANYWHERE = re.compile(rf"(?=[{_INITIALS}])(?<!\w)(?:{_KINDS['anywhere']})")
_START = re.compile(
    rf"\W*(?:(?:{_KINDS['starts']})(?!\w)|(?:{_KINDS['labels']})(?: [^:.]{{1,30}})?\s?[:|]|\W*$)"
)
_BYLINE = re.compile(
    rf"(?i:{_KINDS['bylines']})\s[^\W\d_a-z][\w.'’-]+(?:\s[^\W\d_a-z][\w.'’-]*){{0,3}}[.,|]?"
)
_DATELINE = re.compile(
    r"""
    ^(?:[A-ZÄÖÜÉ][\w.,’'\ /-]{1,60})?\((?:AP|AFP|dpa|Reuters|ANSA|EFE|ANP|IANS|PTI|UPI|Bloomberg
        |Xinhua|CNN|Lusa|afp|KNA|epd|sid|SID|TASS|Yonhap)[^)]{0,20}\)[\s.:]*[-–—]*\s*
    | ^\d{1,2}\.\ ?\d{1,2}\.\ ?(?:\d{4})?\s?[-–—:]\s
    | ^[\w-]+\.(?:com|org|net|de|at|ch|fr|es|it|nl|co\.uk|com\.br)\s[-–—]+\s
    | ^[A-ZÄÖÜÉ]{3,}[A-ZÄÖÜÉ.,\ /]{0,40}(?:,\ [A-Z][a-z]{2,8}\.?\ \d{1,2})?\s[-–—]+\s
    """,
    re.VERBOSE,
)


def without_boilerplate(sentences: Iterable[str]) -> list[str]:
    """The article's own sentences, none twice, without the place and agency at their start."""
    own = (sentence for sentence in sentences if not is_boilerplate(sentence))
    return list(dict.fromkeys(_DATELINE.sub("", sentence) for sentence in own))


def is_boilerplate(sentence: str) -> bool:
    if len(sentence) >= LONGEST_NOTICE:
        return False
    lower = sentence.lower()
    return bool(_START.match(lower) or _ANYWHERE.search(lower) or _BYLINE.fullmatch(sentence))
