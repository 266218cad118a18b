"""A web that runs in this process, on a loopback port, and those who ask it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from morningdeck.actions import tokens
from morningdeck.app import App, open_app
from morningdeck.errors import PermanentError
from morningdeck.model.kinds import TokenScope
from morningdeck.settings.sections import Settings
from morningdeck.web.application import make_application
from morningdeck.web.server import PatientProtocol, WebServer, listen
from tests.factories import Stock

THREADS = 4


class NoNet:
    """The way out for tests that make up addresses: it leads nowhere."""

    def ask(self, *_: Any, **__: Any) -> Any:
        raise PermanentError("there is nothing there")

    def close(self) -> None: ...


class Hasty(PatientProtocol):
    head_seconds = 0.3


@dataclass(frozen=True)
class Website:
    app: App
    url: str

    @property
    def stock(self) -> Stock:
        return Stock(self.app.store.database)

    def token(self, email: str, scope: str) -> str:
        """A new one of this user, who is made where there is none."""
        users, now = self.app.store.users, self.app.clock()
        if email not in {user.email for user in users.list(999)}:
            users.add(email, now=now)
        user = users.by_email(email)
        keys = self.app.store.api_tokens
        return tokens.issue(keys, user, "test", TokenScope(scope), now=now).token

    @contextmanager
    def asked_with(self, token: str | None, **headers: str) -> Iterator[httpx2.Client]:
        shown = {"Authorization": f"Bearer {token}"} if token else {}
        with httpx2.Client(base_url=self.url, headers={**shown, **headers}, timeout=60) as client:
            yield client


@contextmanager
def website(folder: Path, database_url: str, **chosen: Any) -> Iterator[Website]:
    """It `reaches` no net but that; `chosen` are settings of the web, or how it is made."""
    reaches = chosen.pop("reaches", ())
    made_by = {name: chosen.pop(name) for name in ("per_minute", "body_seconds") if name in chosen}
    values = {"database": {"url": database_url}, "web": {"port": 0, **chosen}}
    values["http"] = {"allow_networks": list(reaches), "requests_per_host_second": 0}
    with open_app(Settings.model_validate({"data_dir": folder, **values})) as app:
        if not reaches:
            app.adapters.client = NoNet()  # type: ignore[assignment]  # stands in for it
        application = make_application(
            app, lambda: {"test": True}, **{"per_minute": 10**9, **made_by}
        )
        listener = listen("127.0.0.1", 0)
        server = WebServer(application, listener, threads=THREADS, protocol=Hasty)
        server.start()
        try:
            yield Website(app, server.url)
        finally:
            assert server.stop(30)
