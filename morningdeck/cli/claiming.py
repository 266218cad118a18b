"""One-time codes: printed at a terminal, never in a log."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from morningdeck.actions import accounts
from morningdeck.web.addresses import addresses_below

if TYPE_CHECKING:
    from morningdeck.app import App
    from morningdeck.cli.desk import Desk
    from morningdeck.views.reading import CodeView, UserView


def code_for(app: App, user: UserView) -> CodeView:
    web = app.settings.web
    host = f"[{web.host}]" if ":" in web.host else web.host
    address = addresses_below(web.base_url).whole("/claim", f"http://{host}:{web.port}")
    return accounts.new_code(app.store.accounts, user, now=app.clock(), address=address)


def invite(at: Desk) -> None:
    """Before the web begins: tell whoever looks on how the first account becomes theirs."""
    if not sys.stderr.isatty() or at.store.accounts.any_claimed():
        return
    told = code_for(at.app, at.store.users.first())
    at.out.note(f"make this deck yours at {told.address} with the one-time code {told.code}")
