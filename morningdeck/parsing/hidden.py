"""What a reader of a document would not see, taken out of its tree.

Some styles hide all that is inside (`display:none`, `opacity:0`, a box of no height that cuts
off what sticks out). Others are only inherited, and a child may undo them: templates of mails
give whole tables the font size 0 against gaps between their images, and their cells a real
one. So the tree is gone through from the top, as a browser does it.

    gone      the element with all that is inside
    blank     its own words only, when no font size or visibility makes them readable
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from lxml import etree

COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.S)
_ESCAPED_ASCII = re.compile(r"\\0{0,4}([2-7][0-9a-f])(?:\s|(?![0-9a-f]))", re.I)
_HIDES = re.compile(
    r"display|visibility|opacity|animation|font(?:-size)?|overflow(?:-[xy])?|padding(?:-\w+)?"
    r"|(?:max-)?(?:height|width)",
    re.I,
)
# Every part ends where the next of its kind may begin: no text makes this slow.
_MAY_HIDE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*[+]?[.0]"
    r"|(?:height|width)\s*:\s*[+]?[.0]|font(?:-size)?\s*:[^;:\"'<>]*?(?<![\d.])[.0]"
    # Comments, escapes and entities in a style: read it properly.
    r"|/\*|\\|&(?:#|colon|tab|newline|semi|period|sol|excl)",
)
_LENGTH = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([a-z]*|%)")
_ABSOLUTE = frozenset(
    {"px", "pt", "pc", "in", "cm", "mm", "q", "rem", "vw", "vh", "vi", "vb", "vmin", "vmax"}
)
_SIZES = frozenset(
    {
        *("xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large"),
        "initial",
    }
)
_GONE = "gone"
_TELLING = frozenset({"style", "hidden", "size"})
_IN_SHORTHAND = re.compile(
    r"(?:^|\s)([+]?[\d.]+(?:[a-z]+|%)|0|(?:xx?-)?(?:small|large)|medium)[\s/]"
)
# Their height is the least they have, whatever is said.
_CELLS = frozenset({"table", "tbody", "thead", "tfoot", "tr", "td", "th"})


@dataclass(frozen=True, slots=True)
class Ink:
    """What an element hands down to those inside it."""

    visible: bool = True
    sized: bool = True

    @property
    def shows_words(self) -> bool:
        return self.visible and self.sized


def may_hide(markup: str) -> bool:
    """Whether it is worth a look: most documents hide nothing."""
    lower = markup.lower()
    return "hidden" in lower or ("style" in lower and _MAY_HIDE.search(lower) is not None)


def drop_hidden(root: etree._Element, *, unveiled: Collection[str] = ()) -> None:
    """Take out what is not seen; elements with these names hide nothing."""
    inks: dict[etree._Element, Ink] = {}
    for element in list(root.iter(etree.Element)):
        parent = element.getparent()
        around = Ink() if parent is None or element is root else inks.get(parent)
        if around is None:
            continue
        if not around.shows_words:
            element.tail = None
        inks[element] = ink = around
        if element.tag not in unveiled and not _TELLING.isdisjoint(element.keys()):
            style = _declared(element.get("style") or "")
            if parent is not None and _is_gone(element, style):
                del inks[element]
                element.tag = _GONE
                continue
            inks[element] = ink = _ink(element, style, around)
        if not ink.shows_words:
            element.text = None
        if not ink.visible and element.tag == "img":
            element.tag = _GONE
    etree.strip_elements(root, _GONE, with_tail=False)


def can_hide(name: str) -> bool:
    return _HIDES.fullmatch(name.strip()) is not None


def unescaped(style: str) -> str:
    return _ESCAPED_ASCII.sub(lambda code: chr(int(code[1], 16)), style)


def _declared(style: str) -> dict[str, str]:
    """The last word on each property that can hide, or the one that calls itself important."""
    said: dict[str, str] = {}
    important: set[str] = set()
    for declaration in unescaped(COMMENT.sub("", style)).lower().split(";") if style else ():
        name, _, value = declaration.partition(":")
        value, mark, _ = value.partition("!")
        name, value = name.strip(), value.strip()
        if value and can_hide(name) and (mark or name not in important):
            said.pop(name, None)  # of `font` and `font-size` the later counts
            said[name] = value
            important.update({name} if mark else ())
    return said


def _is_gone(element: etree._Element, style: Mapping[str, str]) -> bool:
    display = style.get("display")
    if display == "none" or (display is None and element.get("hidden") is not None):
        return True
    if _is_nothing(style.get("opacity", "")) and "animation" not in style:
        return True
    overflow = " ".join(style.get(name, "") for name in ("overflow", "overflow-x", "overflow-y"))
    cuts_off = not {"hidden", "clip"}.isdisjoint(overflow.split())
    return element.tag not in _CELLS and cuts_off and _is_flat(style)


def _is_flat(style: Mapping[str, str]) -> bool:
    """Of no size, unless a padding in percent makes room for a picture."""
    if any("%" in value for name, value in style.items() if name.startswith("padding")):
        return False
    sizes = ("max-height", "height", "max-width", "width")
    return any(_is_nothing(style.get(name, "")) for name in sizes)


def _is_nothing(value: str) -> bool:
    """Zero, or a length that is less than a point of the screen."""
    length = _LENGTH.fullmatch(value)
    if length is None:
        return False
    number, unit = float(length[1]), length[2]
    return number == 0 or (number < 1 and unit in ("px", "pt"))


def _ink(element: etree._Element, style: Mapping[str, str], around: Ink) -> Ink:
    visible = {"hidden": False, "collapse": False, "visible": True, "initial": True}
    return Ink(
        visible.get(style.get("visibility", ""), around.visible), _sized(element, style, around)
    )


def _sized(element: etree._Element, style: Mapping[str, str], around: Ink) -> bool:
    size = ""
    for name, value in style.items():
        if name == "font-size":
            size = value
        elif name == "font" and (found := _IN_SHORTHAND.search(value)):
            size = found[1]
    if not size:
        return around.sized or (element.tag == "font" and bool(element.get("size")))
    if size in _SIZES:
        return True
    if _is_nothing(size):
        return False
    # What is relative (`2em`, `larger`) makes nothing out of nothing; a function is as
    # large as what is said in it.
    told = _LENGTH.finditer(size) if "(" in size else filter(None, [_LENGTH.fullmatch(size)])
    return around.sized or any(float(each[1]) and each[2] in _ABSOLUTE for each in told)
