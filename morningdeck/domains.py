"""Names of hosts in any script, as they are looked up: `straße.example` is xn--strae-oqa.example.

By the rules of 2008 (IDNA, after the mapping of UTS 46), which browsers and registries follow;
Python's own codec has those of 2003 and asks strasse.example, who may be somebody else.
"""

from __future__ import annotations

import re

LONGEST_LABEL = 63
_PLAIN = re.compile(r"[a-z0-9_.-]+")
"""Mapping makes several letters of some signs, and of a few a slash."""


def in_ascii(name: str) -> str:
    """ValueError for what can be no name; ASCII stays as it is."""
    if not name.isascii():
        import idna  # here, for its tables take a while to load

        name = ".".join(map(_label, idna.uts46_remap(name, std3_rules=False).split(".")))
        if not _PLAIN.fullmatch(name):
            raise ValueError("not the name of a host")
    labels = name.removesuffix(".").split(".")
    if not all(0 < len(label) <= LONGEST_LABEL for label in labels):
        raise ValueError("not the name of a host")
    return name


def _label(label: str) -> str:
    import idna

    if label.isascii():
        return label
    try:
        return idna.alabel(label).decode("ascii")
    except idna.InvalidCodepoint:
        # The rules know letters only. Some registries sell signs, and browsers go there.
        return f"xn--{label.encode('punycode').decode('ascii')}"
