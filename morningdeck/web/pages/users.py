"""Who reads, for admins: added, switched off and on, given credits, let in by a one-time code."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck.actions import accounts, words
from morningdeck.errors import ConfigError, ConflictError
from morningdeck.web.answers import answer
from morningdeck.web.login import By, Caller
from morningdeck.web.pages.forms import FilledIn
from morningdeck.web.pages.rendering import page
from morningdeck.web.pages.visiting import AdminPageRoute, led_to

router = APIRouter(include_in_schema=False, route_class=AdminPageRoute)

MOST_USERS = 1000
USERS_SAID = {
    "off": "They are switched off: nothing of theirs opens any more, and nothing of it is lost.",
    "on": "They are switched on again.",
    "credits": "Their credits are set.",
}


@router.get("/users")
def show_users(request: Request, by: By, done: str = "") -> Response:
    return _shown(request, by, said=USERS_SAID.get(done))


@router.get("/users.json")
def show_users_as_json(request: Request, by: By) -> Response:
    return answer(request, by.store.users.list(MOST_USERS))


@router.post("/users")
def add_user(request: Request, by: By, form: FilledIn) -> Response:
    """With the code for their first visit, as they have no password yet."""
    email, name, zone = form.text("email"), form.text("name"), form.text("timezone") or "UTC"
    try:
        user = by.store.users.add(
            email, now=by.now, name=name, timezone=zone, admin=form.ticked("admin")
        )
    except (ConfigError, ConflictError) as error:
        told = {"email": email, "name": name, "timezone": zone}
        return _shown(request, by, 422, wrong=str(error), **told)
    return _with_code(request, by, user.email, 201)


@router.post("/users/code")
def make_code(request: Request, by: By, form: FilledIn) -> Response:
    return _with_code(request, by, form.text("email"), 201)


@router.post("/users/switch")
def switch_user(request: Request, by: By, form: FilledIn) -> Response:
    on = form.text("on") == "1"
    if not on and form.text("email").lower() == by.user.email:
        return _shown(request, by, 422, wrong="You cannot switch off yourself: another admin can.")
    try:
        accounts.switch(by.store, form.text("email"), on=on)
    except ConflictError as error:
        return _shown(request, by, 422, wrong=str(error))
    return led_to(request, "/users", done="on" if on else "off")


@router.post("/users/credits")
def set_credits(request: Request, by: By, form: FilledIn) -> Response:
    try:
        left = words.credits_left(form.text("credits") or "unlimited")
        by.store.users.set_credits(form.text("email"), left, now=by.now)
    except ConfigError as error:
        return _shown(request, by, 422, wrong=str(error))
    return led_to(request, "/users", done="credits")


def _with_code(request: Request, by: Caller, email: str, status: int) -> Response:
    """It is shown on the page that answers, and never again."""
    user = by.store.users.by_email(email)
    addresses = request.app.state.addresses
    address = addresses.whole("/claim", str(request.base_url).rstrip("/"))
    try:
        code = accounts.new_code(by.store.accounts, user, now=by.now, address=address)
    except ConflictError as error:
        return _shown(request, by, 422, wrong=str(error))
    return _shown(request, by, status, code=code)


def _shown(request: Request, by: Caller, status: int = 200, **given: Any) -> Response:
    shown = {"code": None, "email": "", "name": "", "timezone": by.user.timezone, **given}
    return page(request, "users.html", status, users=by.store.users.list(MOST_USERS), **shown)
