"""A web that runs in this process, on a loopback port, and those who ask it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from morningdeck.actions import accounts, tokens
from morningdeck.app import App, open_app
from morningdeck.errors import PermanentError
from morningdeck.model.kinds import TokenScope
from morningdeck.settings.sections import Settings
from morningdeck.views.reading import UserView
from morningdeck.web.application import make_application
from morningdeck.web.pages.attempts import Attempts
from morningdeck.web.pages.visiting import COOKIE, Visitor
from morningdeck.web.server import PatientProtocol, WebServer, listen
from tests.factories import Stock

THREADS = 4


class NoNet:
    """The way out for tests that make up addresses: it leads nowhere."""

    def ask(self, *_: Any, **__: Any) -> Any:
        raise PermanentError("there is nothing there")

    get = ask

    def close(self) -> None: ...


class Hasty(PatientProtocol):
    """For tests of slow clients alone: on a busy machine all are slow."""

    head_seconds = 0.3


@dataclass(frozen=True)
class Website:
    app: App
    url: str
    forget_attempts: Callable[[], None]
    """Whoever failed to log in so far has all attempts again."""
    stop: Callable[[], object]
    """Drains the server."""
    state: Any
    """What the application holds."""

    @property
    def stock(self) -> Stock:
        return Stock(self.app.store.database)

    def token(self, email: str, scope: str) -> str:
        """A new one of this user, who is made where there is none."""
        user, now = self.user(email), self.app.clock()
        keys = self.app.store.api_tokens
        return tokens.issue(keys, user, "test", TokenScope(scope), now=now).token

    def user(self, email: str, password: str | None = None) -> UserView:
        """Who has this address, made where there is none."""
        users, now = self.app.store.users, self.app.clock()
        if email not in {user.email for user in users.list(999)}:
            users.add(email, now=now)
        user = users.by_email(email)
        if password is not None:
            accounts.set_password(self.app.store.accounts, user, password)
        return user

    @contextmanager
    def browser(self, email: str | None = None, **headers: str) -> Iterator[Browser]:
        """One that has logged in, if it is somebody's."""
        told = {"Accept": "text/html,*/*;q=0.8", **headers}
        with httpx2.Client(base_url=self.url, headers=told, timeout=60) as client:
            if email is not None:
                token, now = accounts.new_token(), self.app.clock()
                begin, user = self.app.store.sessions.begin, self.user(email)
                begin(user.id, tokens.digest(token), now=now, browser="test", address="::1")
                client.cookies.set(COOKIE, token)
            yield Browser(client)

    @contextmanager
    def asked_with(self, token: str | None, **headers: str) -> Iterator[httpx2.Client]:
        shown = {"Authorization": f"Bearer {token}"} if token else {}
        with httpx2.Client(base_url=self.url, headers={**shown, **headers}, timeout=60) as client:
            yield client


class Browser:
    """What a browser holds and says, as far as pages without a script can tell."""

    def __init__(self, client: httpx2.Client) -> None:
        self.client = client
        self.get = client.get

    @property
    def token(self) -> str:
        return next(one.value or "" for one in self.client.cookies.jar if one.name == COOKIE)

    @property
    def form_token(self) -> str:
        return Visitor(self.token).form_token

    def send(self, path: str, **fields: str) -> httpx2.Response:
        """The form of a page that it has seen."""
        form = {"form_token": self.form_token, **fields}
        return self.client.post(path, data=form)


@contextmanager
def website(folder: Path, database_url: str, **chosen: Any) -> Iterator[Website]:
    """It `reaches` no net but that; `chosen` are settings of the web, or how it is made."""
    reaches = chosen.pop("reaches", ())
    made_by = {name: chosen.pop(name) for name in ("per_minute", "body_seconds") if name in chosen}
    protocol, clock = chosen.pop("protocol", PatientProtocol), chosen.pop("clock", None)
    values = {"database": {"url": database_url}, "web": {"port": 0, **chosen}}
    values["http"] = {"allow_networks": list(reaches), "requests_per_host_second": 0}
    with open_app(Settings.model_validate({"data_dir": folder, **values}), clock) as app:
        if not reaches:
            app.adapters.client = NoNet()  # type: ignore[assignment]  # stands in for it
            app.adapters.outlets.image_client = NoNet()  # type: ignore[assignment]  # as well

        def forget() -> None:
            application.state.attempts = Attempts()

        application = make_application(
            app, lambda: {"test": True}, **{"per_minute": 10**9, **made_by}
        )
        listener = listen("127.0.0.1", 0)
        server = WebServer(application, listener, threads=THREADS, protocol=protocol)
        server.start()
        try:
            yield Website(app, server.url, forget, lambda: server.stop(30), application.state)
        finally:
            assert server.stop(30)
