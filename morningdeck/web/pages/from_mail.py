"""Pages behind the links of mails. The link is the login: no cookie and no form token is asked for,
as mail programs that unsubscribe with one click (RFC 8058) have neither.

A GET only asks; a POST does it. What is unknown, too old or done already is said kindly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck.actions import from_mail
from morningdeck.errors import ConflictError, NotFoundError
from morningdeck.model.reading import ASKED_TO_LEAVE
from morningdeck.web.pages.rendering import page

if TYPE_CHECKING:
    from morningdeck.app import App
    from morningdeck.outlets import Outlets
    from morningdeck.signing import Signer
    from morningdeck.views.sent import RecipientView

ASK_WHOEVER = "To get it again, ask whoever sends it to you to name your address anew."
ASKS = {
    "like": ("More like this?", "Yes, more like this"),
    "dislike": ("Less like this?", "Yes, less like this"),
    "save": ("Save this?", "Yes, save it"),
}
DONE = {
    "like": ("More like this", "From the next briefing on, what is like this counts for more:"),
    "dislike": ("Less like this", "From the next briefing on, what is like this counts for less:"),
    "save": ("Saved", "It stays with what you have saved:"),
}

router = APIRouter(include_in_schema=False)


# ---- no more mails


@router.get("/unsubscribe/{token}")
def ask_to_leave(request: Request, token: str) -> Response:
    """It changes nothing: whoever scans mails follows all their links."""
    try:
        one = from_mail.recipient_of(_deck(request).store.recipients, _signer(request), token)
    except NotFoundError:
        return _unknown_way_out(request)
    if one.ended is not None:
        return _left(request, one, token, already=True)
    told = (f"{_named(one)} goes to {one.address}. This ends it, for this address alone.",)
    return _shown(request, "No more of these mails?", told, _end_of(token), asks=True)


@router.post("/unsubscribe/{token}")
def take_leaving(request: Request, token: str) -> Response:
    """At once, whatever the body says."""
    recipients = _deck(request).store.recipients
    try:
        one = from_mail.recipient_of(recipients, _signer(request), token)
    except NotFoundError:
        return _unknown_way_out(request)
    return _left(request, one, token, already=not from_mail.end_mails(recipients, one))


@router.post("/unsubscribe/{token}/back")
def take_return(request: Request, token: str) -> Response:
    recipients = _deck(request).store.recipients
    try:
        one = from_mail.recipient_of(recipients, _signer(request), token)
    except NotFoundError:
        return _unknown_way_out(request)
    if one.ended is not None and not from_mail.resume_mails(recipients, one):
        return _left(request, one, token, already=True)
    told = (f"{_named(one)} goes to {one.address} again, from the next one on.",)
    return _shown(request, "It comes again", told, _end_of(token))


def _left(request: Request, one: RecipientView, token: str, *, already: bool) -> Response:
    by_choice = not already or one.ended == ASKED_TO_LEAVE
    said = "does not go to" if already else "goes no more to"
    told = [f"{_named(one)} {said} {one.address}{' any more' if already else ''}."]
    if not already:
        told.append("One that is on its way already may still arrive.")
    if not by_choice:
        told += ["Mail to this address came back.", ASK_WHOEVER]
    back = ((f"/unsubscribe/{token}/back", "Send it to me again"),) if by_choice else ()
    return _shown(request, "You get no more of these mails", told, back)


def _unknown_way_out(request: Request) -> Response:
    told = (
        "It is from a mail of something that is not sent to you any more, or it is not whole."
        " Nothing was changed.",
        "If mails still come, take the link in the newest of them, or ask whoever sends them.",
    )
    return _shown(request, "This link ends nothing", told, status=404)


def _named(one: RecipientView) -> str:
    return (
        f"What the search \u201c{one.title}\u201d finds"
        if one.at_once
        else f"\u201c{one.title}\u201d"
    )


def _end_of(token: str) -> Sequence[tuple[str, str]]:
    return ((f"/unsubscribe/{token}", "End these mails"),)


# ---- more like this, less like this, save


@router.get("/from-mail/{token}")
def ask_to_act(request: Request, token: str) -> Response:
    """It changes nothing, as above."""
    app = _deck(request)
    try:
        meant, item = from_mail.meant_by(app.store, _signer(request), token)
    except NotFoundError:
        return _unknown_link(request)
    if from_mail.is_over(meant, app.clock().date()):
        return _too_old(request)
    heading, button = ASKS[meant.action]
    buttons = ((f"/from-mail/{token}", button),)
    return _shown(request, heading, (item.title,), buttons, asks=True)


@router.post("/from-mail/{token}")
def take_act(request: Request, token: str) -> Response:
    return _acted(request, token, undo=False)


@router.post("/from-mail/{token}/back")
def take_undoing(request: Request, token: str) -> Response:
    return _acted(request, token, undo=True)


def _acted(request: Request, token: str, *, undo: bool) -> Response:
    app = _deck(request)
    try:
        meant, item = from_mail.meant_by(app.store, _signer(request), token)
        if from_mail.is_over(meant, app.clock().date()):
            return _too_old(request)
        from_mail.do_from_mail(app.store, meant, app.clock(), undo=undo)
    except NotFoundError:
        return _unknown_link(request)
    except ConflictError:
        told = (item.title, "No briefing weighs it any more, so that it would change nothing.")
        return _shown(request, "This is over", told, status=409)
    if undo:
        buttons = ((f"/from-mail/{token}", ASKS[meant.action][1]),)
        return _shown(request, "Taken back", ("It is as it was before:", item.title), buttons)
    heading, done = DONE[meant.action]
    buttons = ((f"/from-mail/{token}/back", "Take it back"),)
    return _shown(request, heading, (done, item.title), buttons)


def _unknown_link(request: Request) -> Response:
    told = (
        "What it speaks of is not there any more, or the link is not whole. Nothing was changed.",
    )
    return _shown(request, "This link does nothing", told, status=404)


def _too_old(request: Request) -> Response:
    told = ("The links of a mail do something for three months. Nothing was changed.",)
    return _shown(request, "This link is too old", told, status=410)


# ---- both


def _shown(
    request: Request,
    heading: str,
    told: Sequence[str],
    buttons: Sequence[tuple[str, str]] = (),
    *,
    asks: bool = False,
    status: int = 200,
) -> Response:
    return page(
        request,
        "asking.html",
        status,
        heading=heading,
        told=told,
        buttons=buttons,
        asks=asks,
    )


def _deck(request: Request) -> App:
    app: App = request.app.state.deck
    return app


def _signer(request: Request) -> Signer:
    outlets: Outlets = _deck(request).adapters.outlets
    return outlets.signer
