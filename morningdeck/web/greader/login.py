"""Who asks: a reader app logs in with a token for its password, and shows what it got from then on.

What it gets is the token again, so that there is nothing more to keep or to revoke. All of it takes
a token that writes: there are no apps that only read.
"""

from __future__ import annotations

import hashlib
import hmac
import re

from fastapi import Request
from starlette.exceptions import HTTPException

from morningdeck.model.kinds import TokenScope
from morningdeck.web.greader.params import Params, params_of
from morningdeck.web.login import TokenRoute, check_in

SCHEME = "GoogleLogin"
HOW = (
    "the password is a token that writes, made by: morningdeck user token EMAIL --name N"
    " --scope write"
)
EDIT_TOKEN_LENGTH = 57
UNASKED = ("", "x")
"""What apps send that never ask for an edit token (FeedMe, Reeder)."""
_SHOWN = re.compile(r"GoogleLogin\s+auth=(\S+)", re.I)


def token_shown(request: Request) -> str:
    shown = _SHOWN.fullmatch(request.headers.get("authorization", "").strip())
    return shown[1] if shown else ""


class ReaderRoute(TokenRoute):
    def needed(self, method: str) -> TokenScope:
        return TokenScope.WRITE

    async def check(self, request: Request) -> None:
        token = await self.token(request)
        await check_in(request, self.needed(request.method), token, scheme=SCHEME, how=HOW)

    async def token(self, request: Request) -> str:
        return token_shown(request)


class LoginRoute(ReaderRoute):
    async def token(self, request: Request) -> str:
        return (await params_of(request)).one("Passwd")


def edit_token(request: Request) -> str:
    """What changes are sent with. As no browser sends our header by itself, it guards nothing,
    but apps take a refusal for a login that is over.
    """
    of = hmac.new(token_shown(request).encode(), b"edit", hashlib.sha256).hexdigest()
    return of[:EDIT_TOKEN_LENGTH]


def check_edit_token(request: Request, said: Params) -> None:
    token = said.one("T")
    if token not in UNASKED and not hmac.compare_digest(
        token.encode(), edit_token(request).encode()
    ):
        bad = {"X-Reader-Google-Bad-Token": "true", "WWW-Authenticate": SCHEME}
        raise HTTPException(401, "this edit token is not yours: ask for one at token", bad)
