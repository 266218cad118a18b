"""Addresses in mails that do something for whoever has the mail, without a login.

Nothing happens by following one: who scans mails follows all links. The page asks first.

    /unsubscribe/{briefing}.{signature}                         ends the mails to one address
    /from-mail/{what}.{briefing}.{item}.{last day}.{signature}   does it for the briefing's owner
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Self

from morningdeck.signing import Signer

LEAVING, ACTING = "unsubscribe", "from-mail"
ACTIONS = {"like": "more_like_this", "dislike": "less_like_this", "save": "save"}
"""By what is done with an item: the phrase that says it."""
ACTIONS_LAST = timedelta(days=90)
MOST_DIGITS = 18


@dataclass(frozen=True, slots=True)
class ItemAction:
    """What a link in a mail does with an item, and up to which day."""

    action: str
    briefing_id: int
    item_id: int
    until: date

    def token(self, signer: Signer) -> str:
        about = (self.action, self.briefing_id, self.item_id, f"{self.until:%Y%m%d}")
        return ".".join((*map(str, about), signer.sign(ACTING, *about)))

    @classmethod
    def read(cls, token: str, signer: Signer) -> Self | None:
        """None for what is none of ours."""
        action, *numbers, signature = token.split(".") if token.count(".") == 4 else ("", "")
        if action not in ACTIONS or not all(map(_is_number, numbers)):
            return None
        if not signer.signed(signature, ACTING, action, *numbers):
            return None
        briefing, item, day = numbers
        return cls(action, int(briefing), int(item), date.fromisoformat(day))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS


def leaving_token(signer: Signer, briefing_id: int, address: str) -> str:
    """It holds no address: those of the briefing are tried."""
    return f"{briefing_id}.{signer.sign(LEAVING, briefing_id, address)}"


def ends_mails_to(token: str, signer: Signer, briefing_id: int, address: str) -> bool:
    number, _, signature = token.partition(".")
    return number == str(briefing_id) and signer.signed(signature, LEAVING, number, address)


def briefing_of(token: str) -> int | None:
    """Of which a token that ends mails speaks, be it signed or not."""
    number = token.partition(".")[0]
    return int(number) if _is_number(number) else None


@dataclass(frozen=True, slots=True)
class SignedLinks:
    """`base_url` is where the web is seen from outside."""

    base_url: str
    signer: Signer

    def unsubscribe(self, briefing_id: int, address: str) -> str:
        return self._at(LEAVING, leaving_token(self.signer, briefing_id, address))

    def unsubscribe_anybody(self, briefing_id: int) -> str:
        """For the page that all mails of a report share; each has its own instead."""
        return self._at(LEAVING, f"briefing-{briefing_id}")

    def action(self, action: str, briefing_id: int, item_id: int, written: date) -> str:
        meant = ItemAction(action, briefing_id, item_id, written + ACTIONS_LAST)
        return self._at(ACTING, meant.token(self.signer))

    def _at(self, page: str, token: str) -> str:
        return f"{self.base_url.rstrip('/')}/{page}/{token}"
