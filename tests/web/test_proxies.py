"""What is believed of a proxy's word, and of whom."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.requests import Request

from morningdeck.errors import ConfigError
from morningdeck.web.proxies import Proxies
from tests.web.site import Website, website

ADA, GOOD = "ada@example.org", "a few good words"
HEADER = "X-Forwarded-Email"
TRUSTED = Proxies(("10.0.0.0/8", "fd00::/8"), HEADER, "deck.example")


def asked(peer: str, **headers: str) -> Request:
    said = {"host": "127.0.0.1:8484", **headers}
    told = [(name.replace("_", "-").encode(), text.encode()) for name, text in said.items()]
    way = {"path": "/", "query_string": b"", "server": ("10.9.9.9", 8484)}
    return Request({"type": "http", "client": (peer, 1), "headers": told, **way})


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("203.0.113.7", "198.51.100.1", "203.0.113.7"),
        ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "6.6.6.6, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "6.6.6.6, 198.51.100.1, 10.0.0.2", "198.51.100.1"),
        ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("10.0.0.1", "6.6.6.6, nonsense", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("fd00::1", "2001:db8::7", "2001:db8::7"),
        ("10.0.0.1", "6.6.6.6, 198.51.100.1:5678", "198.51.100.1"),
        ("10.0.0.1", "[2001:db8::7]:5678, [fd00::2]", "2001:db8::7"),
        ("10.0.0.1", "6.6.6.6, 198.51.100.1:5678:9, 10.0.0.2:80", "10.0.0.2"),
        ("::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"),
    ],
)
def test_the_client_is_the_last_whom_no_trusted_proxy_is(
    peer: str, forwarded: str, client: str
) -> None:
    assert TRUSTED.client(asked(peer, x_forwarded_for=forwarded)) == client


def test_tls_and_logins_are_believed_of_trusted_proxies_alone() -> None:
    told = {"x_forwarded_proto": "https", "x_forwarded_email": ADA}

    assert TRUSTED.behind_tls(asked("10.0.0.1", **told))
    assert TRUSTED.logged_in(asked("10.0.0.1", **told)) == ADA
    assert not TRUSTED.behind_tls(asked("203.0.113.7", **told))
    assert TRUSTED.logged_in(asked("203.0.113.7", **told)) is None
    assert Proxies(("10.0.0.0/8",), None, "d.example").logged_in(asked("10.0.0.1", **told)) is None


@pytest.mark.parametrize(
    ("host", "believed"),
    [
        *[("deck.example", True), ("DECK.example:443", True), ("127.0.0.1:8484", True)],
        *[("[::1]:8484", True), ("localhost", True), ("evil.example", False)],
        *[("deck.example.evil.example", False), ("127.0.0.1.evil.example", False)],
    ],
)
def test_a_page_whose_name_leads_here_logs_nobody_in(host: str, believed: bool) -> None:
    """It asks from the machine of a proxy that is trusted, and may set any header."""
    told = TRUSTED.logged_in(asked("10.0.0.1", host=host, x_forwarded_email=ADA))

    assert told == (ADA if believed else None)


def test_a_header_that_anybody_may_send_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"needs web\.trusted_proxies"):
        Proxies((), HEADER, "deck.example")
    with pytest.raises(ConfigError, match=r"needs web\.base_url"):
        Proxies(("10.0.0.0/8",), HEADER)


@pytest.fixture
def behind(tmp_path: Path, sqlite_url: str) -> Iterator[Website]:
    chosen = {"trusted_proxies": ["127.0.0.0/8"], "login_header": HEADER}
    chosen["base_url"] = "https://deck.example"
    with website(tmp_path, sqlite_url, **chosen) as web:
        web.user(ADA)
        yield web


def test_whoever_the_proxy_has_logged_in_needs_no_password(behind: Website) -> None:
    with behind.browser(**{HEADER: ADA, "X-Forwarded-Proto": "https"}) as ada:
        first = ada.get("/settings")

        assert first.status_code == 200
        assert "; Secure" in first.headers["set-cookie"]
        assert "Your proxy logs you in" in first.text
        ada.client.cookies.set("morningdeck", ada.token)  # it is sent over TLS alone
        assert ada.send("/settings/profile", name="Ada", timezone="UTC").status_code == 303
    assert behind.app.store.users.by_email(ADA).name == "Ada"


def test_whom_nobody_has_added_is_told_so(behind: Website) -> None:
    with behind.browser(**{HEADER: "eve@example.org"}) as eve:
        told = eve.get("/")

    assert told.status_code == 403
    assert "whom nobody has added" in told.text


def test_attempts_are_counted_for_each_whom_the_proxy_names(
    tmp_path: Path, sqlite_url: str
) -> None:
    with website(tmp_path, sqlite_url, trusted_proxies=["127.0.0.0/8"]) as web:
        web.user(ADA, GOOD)
        for n in range(11):
            with web.browser(**{"X-Forwarded-For": "198.51.100.1"}) as eve:
                eve.get("/login")
                code = eve.send("/login", email=f"{n}@example.org", password="x").status_code
        assert code == 429
        with web.browser(**{"X-Forwarded-For": "198.51.100.2"}) as ada:
            ada.get("/login")
            assert ada.send("/login", email=ADA, password=GOOD).status_code == 303
