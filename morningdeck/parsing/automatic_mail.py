"""Mail that is no news: bounces, automatic answers, and questions whether one means it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from email.message import Message

from morningdeck.parsing import mime
from morningdeck.parsing.mail_lines import TextLine, links
from morningdeck.parsing.mail_phrases import any_of
from morningdeck.parsing.newsletter import FOOT

LONGEST_CONFIRMATION = 3_000
MOST_LINKS, MOST_OTHERS = 15, 3

_REPORTS = frozenset({"multipart/report", "message/delivery-status", "message/feedback-report"})
_ROBOTS = re.compile(r"(mailer-?daemon|post_?master|mail-daemon)@", re.I)
_AWAY = re.compile(rf"\s*(?:\[[^\]]*\]\s*)?{any_of('away')}\b", re.I)
_RETURNED = re.compile(rf"\s*{any_of('returned')}", re.I)
_CONFIRM, _WHAT = any_of("confirm"), any_of("subscription")
_ASKS = re.compile(
    rf"{_CONFIRM}.{{0,60}}{_WHAT}|{_WHAT}.{{0,60}}{_CONFIRM}"
    rf"|^(?:please |bitte )?{_CONFIRM}\s*[!.]*$|^confirm [0-9a-f]{{12,}}",
    re.I,
)
_WAY = re.compile(r"confirm|verif|activat|valid|opt.?in|bestaetig|doi", re.I)


def is_automatic(message: Message, subject: str, address: str) -> bool:
    """A bounce, a report or an absence notice: sent by a machine, and no news."""
    if mime.header(message, "list-unsubscribe") or mime.header(message, "list-id"):
        return False
    if any(part.get_content_type() in _REPORTS for part in mime.walk(message)):
        return True
    answered = mime.header(message, "auto-submitted").lower().startswith("auto-replied")
    named = any(mime.header(message, name) for name in ("x-autoreply", "x-autorespond"))
    if answered or named or mime.header(message, "precedence").lower() == "auto_reply":
        return True
    nobody = not address or mime.header(message, "return-path") == "<>"
    return (
        _ROBOTS.match(address) is not None
        or _AWAY.match(subject) is not None
        or (nobody and _RETURNED.match(subject) is not None)
    )


def is_away(subject: str) -> bool:
    """The subject of an absence notice."""
    return _AWAY.match(subject) is not None


def confirmation(subject: str, lines: Sequence[TextLine]) -> str | None:
    """The link that confirms a subscription, empty where an answer does; None if none is asked."""
    known = [(text, to) for text, to in links(lines) if not FOOT.search(f"{text} {to}")]
    length = sum(len(line.text) for line in lines)
    if length > LONGEST_CONFIRMATION or len(known) > MOST_LINKS:
        return None
    named = [to for text, to in known if _ASKS.search(text)]
    if not _ASKS.search(subject):
        # One link among many may be a headline that speaks of confirming.
        others = {to for _, to in known} - set(named)
        return named[0] if named and len(others) <= MOST_OTHERS else None
    ways = [to for text, to in known if re.search(_CONFIRM, text, re.I) or _WAY.search(to)]
    asked = any(_ASKS.search(line.text) for line in lines)
    return next(iter(named or ways), "" if asked else None)
