"""The sheets of a mail, written into the styles of the elements that their rules are for.

css-inline does it, as for the mails that we send; rules for other media and for some widths of
the screen it leaves out. It is given only what can hide: no sheet makes a document much larger.
"""

from __future__ import annotations

import re

from morningdeck.parsing.hidden import COMMENT, can_hide, unescaped

MAX_SHEET, MOST_RULES, MOST_TAGS = 200_000, 2_000, 20_000
"""Each rule is tried on each element; of more, what the sheet hides is shown."""
LONGEST_DECLARATION = 100

_SHEET = re.compile(r"<style\b([^<>]*)>(.*?)(?:</style\s*>|\Z)", re.S | re.I)
_OTHER_MEDIUM = re.compile(r"\bmedia\s*=\s*[\"']?\s*(?!all\b|screen\s*(?:[\"']|$))\w", re.I)


def with_sheets(markup: str) -> str:
    if not _SHEET.search(markup) or markup.count("<") > MOST_TAGS:
        return markup
    from css_inline import CSSInliner  # here, for few documents need it

    inliner = CSSInliner(load_remote_stylesheets=False)
    try:
        return inliner.inline(_SHEET.sub(_what_hides, markup))
    except ValueError:  # it makes nothing of this sheet
        return markup


def _what_hides(sheet: re.Match[str]) -> str:
    rules = unescaped(COMMENT.sub("", sheet[2][:MAX_SHEET])).split("}")
    if _OTHER_MEDIUM.search(sheet[1]) or len(rules) > MOST_RULES:
        return ""
    return f"<style>{'}'.join(map(_hiding_part, rules))}</style>"


def _hiding_part(rule: str) -> str:
    """A rule, with what opens around it, up to its end."""
    selectors, brace, declarations = rule.rpartition("{")
    hiding = [
        each
        for each in declarations.split(";")
        if can_hide(each.partition(":")[0]) and len(each) <= LONGEST_DECLARATION
    ]
    # What is for later siblings takes time with the square of their number.
    return selectors.replace("~", "") + brace + ";".join(hiding)
