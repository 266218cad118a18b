"""What readers do from their mails: leave, come back, say what they like. The link is the login."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from morningdeck.actions import items
from morningdeck.errors import NotFoundError
from morningdeck.model.reading import ASKED_TO_LEAVE
from morningdeck.signed_links import ItemAction, briefing_of, ends_mails_to

if TYPE_CHECKING:
    from datetime import datetime

    from morningdeck.signing import Signer
    from morningdeck.store.store import Store
    from morningdeck.store.views.recipients import Recipients
    from morningdeck.views.reading import ItemView
    from morningdeck.views.sent import RecipientView

THUMBS = {"like": 1, "dislike": -1}


def recipient_of(recipients: Recipients, signer: Signer, token: str) -> RecipientView:
    """Whose mail a link that unsubscribes is from; NotFoundError where it is nobody's any more."""
    briefing_id = briefing_of(token)
    if briefing_id is not None:
        for one in recipients.of(briefing_id):
            if ends_mails_to(token, signer, briefing_id, one.address):
                return one
    raise NotFoundError("this link ends nothing (any more)")


def end_mails(recipients: Recipients, one: RecipientView) -> bool:
    """False if it was ended before."""
    return recipients.leave(one.briefing_id, one.address, ASKED_TO_LEAVE)


def resume_mails(recipients: Recipients, one: RecipientView) -> bool:
    """False if there is nothing to come back from, or mail to it came back."""
    return recipients.come_back(one.briefing_id, one.address)


def meant_by(store: Store, signer: Signer, token: str) -> tuple[ItemAction, ItemView]:
    """What a link does, and with which item: one that its briefing's owner may see."""
    meant = ItemAction.read(token, signer)
    owner = None if meant is None else store.recipients.owner(meant.briefing_id)
    if meant is None or owner is None:
        raise NotFoundError("this link does nothing (any more)")
    return meant, store.items.show(owner, meant.item_id)


def is_over(meant: ItemAction, today: date) -> bool:
    return today > meant.until


def do_from_mail(store: Store, meant: ItemAction, now: datetime, *, undo: bool = False) -> ItemView:
    """Do it, or what undoes it, for the owner of the briefing."""
    owner = store.recipients.owner(meant.briefing_id)
    if owner is None:
        raise NotFoundError("this link does nothing (any more)")
    thumb = THUMBS.get(meant.action)
    if thumb is None:
        return items.mark(store.items, owner, meant.item_id, saved=not undo, now=now)
    return items.mark(store.items, owner, meant.item_id, feedback=0 if undo else thumb, now=now)
