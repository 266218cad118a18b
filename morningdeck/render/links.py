"""Where the links of a mail lead, beside those of the stories: http and https only, in ASCII.

No dead links: what only the web part can answer is not linked until it is there.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlsplit, urlunsplit

from morningdeck.hosts import in_ascii
from morningdeck.model.sending import Report, ReportItem
from morningdeck.signed_links import ACTIONS, SignedLinks

LONGEST_LINK = 900
_URL_SIGNS = "!#$%&'()*+,/:;=?@[]~"


@dataclass(frozen=True, slots=True)
class Links:
    """`home` is where the reader's own pages are, `left_out` the page of what has no place,
    `unsubscribe` ends the mails (http or mailto).
    """

    home: str | None = None
    left_out: str | None = None
    settings: str | None = None
    unsubscribe: str | None = None
    signed: SignedLinks | None = None
    """What makes the links that do something with a story."""


@dataclass(frozen=True, slots=True)
class Action:
    """What a reader can do with a story; `phrase` is the name of its words in `Phrases`."""

    phrase: str
    url: str


def footer_links(report: Report, sender: str, signed: SignedLinks | None = None) -> Links:
    """The same for all who get the report."""
    return Links(unsubscribe=shared_way(report, sender, signed), signed=signed)


def shared_way(report: Report, sender: str, signed: SignedLinks | None = None) -> str | None:
    """The way out for all who get the report: each mail has its reader's own instead."""
    if signed is not None:
        return signed.unsubscribe_anybody(report.briefing_id)
    return unsubscribing(report, sender)


def story_actions(
    signed: SignedLinks | None, report: Report, item: ReportItem
) -> tuple[Action, ...]:
    """More like this, less like this, save: in what its owner alone gets, and was not a test."""
    if signed is None or not (report.for_one and report.id and item.item_id):
        return ()
    day = report.generated_at.date()
    return tuple(
        Action(phrase, signed.action(action, report.briefing_id, item.item_id, day))
        for action, phrase in ACTIONS.items()
    )


def unsubscribing(report: Report, address: str, message_id: str = "") -> str | None:
    """A mail to the sender, if it is an address of the internet. Its subject says from which
    briefing, or by the Message-ID of a reader's own mail also who: `parsing/bounce.py` reads that.
    """
    if "." not in address.rpartition("@")[2]:
        return None
    about = message_id.strip("<>") or f"briefing-{report.briefing_id}"
    return f"mailto:{quote(address, safe='@')}?subject={quote(f'unsubscribe {about}')}"


def web_link(url: str | None, limit: int = LONGEST_LINK) -> str | None:
    """The address in plain ASCII if it is one that a mail may link to, without name and password
    in it.
    """
    if not url or len(url) > limit:
        return None
    try:
        parts = urlsplit(url.strip())
        if parts.scheme not in ("http", "https") or not parts.hostname:
            return None
        host, colon, port = parts.netloc.rpartition("@")[2].partition(":")
        # in another script; what is in brackets is ASCII
        host = host if host.isascii() else in_ascii(host)
    except ValueError:
        return None
    address = urlunsplit(parts._replace(netloc=f"{host}{colon}{port}"))
    link = quote(address, safe=_URL_SIGNS, errors="replace")
    return link if len(link) <= limit else None
