"""Hosts: what their names are as they are looked up, and which of them are one server to us.

Names in any script go by the rules of 2008 (IDNA, after the mapping of UTS 46), which browsers
and registries follow: `straße.example` is xn--strae-oqa.example. Python's own codec has the rules
of 2003 and asks strasse.example, who may be somebody else.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

REDDIT = "www.reddit.com"
"""Stands for all hosts of Reddit, which count our requests together."""
LONGEST_LABEL = 63

_DEFAULT_PORTS = {"http": ":80", "https": ":443"}
_OF_REDDIT = re.compile(r"(?:.+\.)?reddit\.com(?::\d+)?")
_PLAIN = re.compile(r"[a-z0-9_.-]+")
"""Mapping makes several letters of some signs, and of a few a slash."""


def host_of(url: str) -> str:
    """The host, with its port, whose pace a request to this address counts against.

    Its http and its https are one. Empty where no web server is asked.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    if parts.scheme == "reddit":
        return REDDIT
    if parts.scheme not in _DEFAULT_PORTS:
        return ""
    host = _written_once(parts.netloc.rpartition("@")[2].lower())
    host = host.removesuffix(_DEFAULT_PORTS[parts.scheme]).removesuffix(".")
    return REDDIT if _OF_REDDIT.fullmatch(host) else host


def _written_once(host: str) -> str:
    if host.isascii():
        return host
    name, colon, port = host.partition(":")
    try:
        return f"{in_ascii(name)}{colon}{port}"
    except ValueError:  # what has no such name is asked by nobody
        return host


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
