"""The looks of a mail: `mail.css` as `style` attributes, for clients that read no style sheets.

The templates write the attributes themselves. A tool that puts a style sheet into a finished page
has to parse that page and write it anew, foreign texts and comments for Outlook included; so there
is one parser less that strangers' texts go through, and the bytes are those that were escaped.
"""

from __future__ import annotations

import re
from importlib.resources import files

from markupsafe import Markup

_RULE = re.compile(r"^\.([\w-]+) \{ (.+?) \}$", re.MULTILINE)
_RULES = dict(
    _RULE.findall(files("morningdeck").joinpath("templates", "mail.css").read_text("utf-8"))
)


def style(names: str) -> Markup:
    """The attributes for an element of these classes; the names stay for other screens' rules."""
    rules = " ".join(_RULES[name] for name in names.split())
    return Markup('class="{}" style="{}"').format(names, rules.removesuffix(";"))
