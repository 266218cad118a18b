"""Logging in, and what clients ask about their user."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response

from morningdeck.web.greader import words
from morningdeck.web.greader.answering import done, told
from morningdeck.web.greader.login import HOW, SCHEME, LoginRoute, ReaderRoute, edit_token
from morningdeck.web.greader.params import Said
from morningdeck.web.login import By

NOT_KEPT_ANYWHERE = {"Cache-Control": "no-store"}

entrance = APIRouter(prefix=words.BASE_PATH, include_in_schema=False)
login = APIRouter(prefix=words.BASE_PATH, include_in_schema=False, route_class=LoginRoute)
router = APIRouter(
    prefix=f"{words.BASE_PATH}/reader/api/0", include_in_schema=False, route_class=ReaderRoute
)


@entrance.get("")
@entrance.get("/")
def is_here() -> Response:
    """Some clients look whether there is anything at this address."""
    return done()


@login.get("/accounts/ClientLogin")
@login.post("/accounts/ClientLogin")
def log_in_app(by: By, said: Said) -> Response:
    """The token is known already: it must be that of the user who is named."""
    if said.one("Email").lower() != by.user.email.lower():
        raise HTTPException(401, f"that is not your login: {HOW}", {"WWW-Authenticate": SCHEME})
    token = said.one("Passwd")
    return PlainTextResponse(f"SID={token}\nLSID=null\nAuth={token}\n", headers=NOT_KEPT_ANYWHERE)


@router.get("/token")
def show_edit_token(request: Request, by: By) -> Response:
    return PlainTextResponse(edit_token(request) + "\n", headers=NOT_KEPT_ANYWHERE)


@router.get("/user-info")
def show_user(request: Request, by: By, said: Said) -> Response:
    user = {"userId": str(by.user.id), "userName": by.user.name or by.user.email}
    more = {"userProfileId": str(by.user.id), "userEmail": by.user.email}
    return told(request, said, {**user, **more})


@router.get("/preference/list")
def list_preferences(request: Request, by: By, said: Said) -> Response:
    return told(request, said, {"prefs": []})


@router.get("/preference/stream/list")
def list_stream_preferences(request: Request, by: By, said: Said) -> Response:
    return told(request, said, {"streamprefs": {}})


@router.get("/friend/list")
def list_friends(request: Request, by: By, said: Said) -> Response:
    return told(request, said, {"friends": []})
