"""Styles as far as they can hide: declarations, and the simple rules of a mail's own sheet.

Of the sheet only rules for one tag, class or id count, and none that depends on the medium:
what a rule leaves out is shown, as before. A rule for what is within something else counts as
far as it gives a font its size.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice

from lxml import etree

MAX_SHEET = 200_000
MOST_RULES, MOST_OF_A_NAME = 2_000, 20

Style = dict[str, tuple[bool, str]]
"""By property: whether it is important, and its value."""

_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.S)
_ESCAPE = re.compile(r"\\([0-9a-f]{1,6})\s?", re.I)
_BRACE = re.compile(r"[{}]")
_SIMPLE = re.compile(r"([a-z][a-z0-9]*)?([.#][\w-]+)?", re.I)
_HIDES = re.compile(
    r"display|visibility|opacity|animation|font(?:-size)?|overflow(?:-[xy])?|padding(?:-\w+)?"
    r"|(?:max-)?(?:height|width)"
)
_WITHIN = re.compile(r".*[\s>+~]", re.S)
_NO_SIZE = re.compile(r"(?:.*\s)?[+-]?[0.]+(?![.\d])")
_MEDIA = frozenset({"", "all", "screen"})


class Sheet:
    """The rules of all `style` elements of a document."""

    def __init__(self, root: etree._Element) -> None:
        self._rules: defaultdict[str, list[tuple[int, str, Style]]] = defaultdict(list)
        rules = (rule for style in root.iter("style") for rule in _rules(style))
        for number, (tag, name, said) in enumerate(islice(rules, MOST_RULES)):
            of_name = self._rules[name or tag]
            of_name.append((number, tag if name else "", said))
            del of_name[:-MOST_OF_A_NAME]

    def __bool__(self) -> bool:
        return bool(self._rules)

    def style_of(self, element: etree._Element) -> dict[str, str]:
        """Id before class before tag, the later before the earlier, its own style before all."""
        said: Style = {}
        for rule in self._rules_for(element) if self._rules else ():
            _add(said, rule)
        _add(said, declared(element.get("style") or ""))
        return {name: value for name, (_, value) in said.items()}

    def _rules_for(self, element: etree._Element) -> Iterator[Style]:
        tag = str(element.tag)
        classes = (f".{name}" for name in (element.get("class") or "").split()[:MOST_OF_A_NAME])
        for names in ([tag], classes, [f"#{element.get('id')}"]):
            found = (rule for name in names for rule in self._rules.get(name, ()))
            ordered = sorted(found, key=lambda rule: rule[0])
            yield from (said for _, of_tag, said in ordered if of_tag in ("", tag))


def _rules(style: etree._Element) -> Iterator[tuple[str, str, Style]]:
    """(tag, class or id, its declarations) of each rule; nested blocks are those of @media."""
    if (style.get("media") or "").lower().strip() not in _MEDIA:
        return
    text = _COMMENT.sub("", (style.text or "")[:MAX_SHEET])
    depth, start, selectors = 0, 0, ""
    for brace in _BRACE.finditer(text):
        between, start = text[start : brace.start()], brace.end()
        if brace[0] == "}":
            if depth == 1 and not selectors.startswith("@") and (said := declared(between)):
                yield from _named(selectors, said)
            depth = max(depth - 1, 0)
        else:
            selectors = between.rpartition(";")[2].strip() if depth == 0 else selectors
            depth += 1


def _named(selectors: str, said: Style) -> Iterator[tuple[str, str, Style]]:
    for selector in selectors.removeprefix("<!--").split(","):
        last = _WITHIN.sub("", selector.strip())
        match = _SIMPLE.fullmatch(last)
        told = said if last == selector.strip() else _sizes(said)
        if match and match[0] and told:
            yield (match[1] or "").lower(), match[2] or "", told


def _sizes(said: Style) -> Style:
    return {
        name: value
        for name, value in said.items()
        if name.startswith("font") and not _NO_SIZE.match(value[1])
    }


def declared(style: str) -> Style:
    """The last word on each property that can hide, or the one that calls itself important."""
    said: Style = {}
    style = _ESCAPE.sub(lambda code: _character(code[1]), _COMMENT.sub("", style))
    for declaration in style.lower().split(";") if style else ():
        name, _, value = declaration.partition(":")
        value, mark, _ = value.partition("!")
        if value.strip() and _HIDES.fullmatch(name.strip()):
            _add(said, {name.strip(): (bool(mark), value.strip())})
    return said


def _add(said: Style, more: Style) -> None:
    for name, (important, value) in more.items():
        if important or name not in said or not said[name][0]:
            # Of `font` and `font-size` the later counts.
            said.pop(name, None)
            said[name] = important, value


def _character(code: str) -> str:
    return chr(int(code, 16)) if int(code, 16) < 0x110000 else ""
