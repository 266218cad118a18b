"""The pace of hosts, kept by the client: redirects, retries and forms are requests, too.

Real servers on addresses of their own, and the pace as all processes share it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest

from morningdeck.errors import HostBusyError, PermanentError
from morningdeck.hosts import host_of
from morningdeck.net import PatientPace, PoliteClient
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.pace import HostPace
from tests.conftest import NOW, ManualClock
from tests.servers.web import Server, answer

from .conftest import ClientMaker

APART = timedelta(seconds=10)
PAGE = answer(body=b"here")


@pytest.fixture
def pace(database: Database, clock: ManualClock) -> HostPace:
    return HostPace(database, clock, APART)


@pytest.fixture
def client(make_client: ClientMaker, pace: HostPace, clock: ManualClock) -> PoliteClient:
    return make_client(pace=pace, clock=clock)


class OtherHost(Server):
    """On an address of its own."""

    def __init__(self) -> None:
        super().__init__(everywhere=True)

    def url(self, path: str = "/", *, host: str = "127.0.0.2") -> str:
        return super().url(path, host=host)


@pytest.fixture
def elsewhere() -> Iterator[OtherHost]:
    with OtherHost() as server:
        yield server


def told_to_come_back(ask: Callable[..., object], *given: object) -> datetime:
    with pytest.raises(HostBusyError) as caught:
        ask(*given)
    return caught.value.until


def test_a_page_is_a_visit_of_its_host(
    server: Server, client: PoliteClient, clock: ManualClock
) -> None:
    server.says("/", PAGE)
    client.get(server.url())

    assert told_to_come_back(client.get, server.url()) == NOW + APART

    clock.pass_(seconds=10)
    assert client.get(server.url()).body == b"here"


def test_a_redirect_to_another_host_is_a_visit_of_that_host(
    server: Server, elsewhere: OtherHost, client: PoliteClient
) -> None:
    server.says("/", answer(302, location=elsewhere.url("/new")))
    elsewhere.says("/new", PAGE)

    assert client.get(server.url()).body == b"here"

    for visited in (server, elsewhere):
        assert told_to_come_back(client.get, visited.url("/x")) == NOW + APART


def test_a_redirect_to_a_busy_host_is_followed_when_that_is_free(
    server: Server, elsewhere: OtherHost, client: PoliteClient, clock: ManualClock
) -> None:
    server.says("/", answer(301, location=elsewhere.url("/new")))
    elsewhere.says("/", PAGE)
    elsewhere.says("/new", PAGE)
    client.get(elsewhere.url())

    assert told_to_come_back(client.get, server.url()) == NOW + APART
    assert len(elsewhere.requests) == 1, "the busy host was not asked"

    clock.pass_(seconds=10)
    page = client.get(server.url())

    assert (page.body, page.permanent_url) == (b"here", elsewhere.url("/new"))
    assert len(server.requests) == 1, "who redirects need not say it twice"


def test_whoever_is_redirected_to_a_host_that_is_always_busy_does_not_ask_time_and_again(
    server: Server,
    elsewhere: OtherHost,
    client: PoliteClient,
    pace: HostPace,
    clock: ManualClock,
) -> None:
    server.says("/", answer(302, location=elsewhere.url("/new")))
    elsewhere.says("/new", PAGE)
    pace.enter(host_of(elsewhere.url()), "somebody else")

    for _ in range(5):
        until = told_to_come_back(client.get, server.url())
        clock.pass_(seconds=(until - clock()).total_seconds())

    assert (len(server.requests), len(elsewhere.requests)) == (1, 0)


def test_a_crowd_that_is_redirected_to_one_host_comes_back_in_its_order(
    server: Server,
    elsewhere: OtherHost,
    make_client: ClientMaker,
    pace: HostPace,
    clock: ManualClock,
) -> None:
    crowd = [f"one{n}.example" for n in range(5)]
    client = make_client(pace=pace, clock=clock, resolver=lambda host: ["127.0.0.1"])
    for host in crowd:
        path = f"/{host}"
        server.says(path, answer(302, location=elsewhere.url(path)))
        elsewhere.says(path, PAGE)
    urls = [server.url(f"/{host}", host=host) for host in crowd]
    assert client.get(urls[0]).body == b"here"
    due = {url: told_to_come_back(client.get, url) for url in urls[1:]}

    for url, until in due.items():
        clock.pass_(seconds=(until - clock()).total_seconds())
        assert client.get(url).body == b"here"

    assert list(due.values()) == [NOW + APART * n for n in range(1, 5)]
    assert [request.path for request in elsewhere.requests] == [f"/{host}" for host in crowd]
    assert len(server.requests) == len(crowd)


def test_a_redirect_that_was_good_for_a_moment_only_is_asked_for_again(
    server: Server, elsewhere: OtherHost, client: PoliteClient, clock: ManualClock
) -> None:
    server.says(
        "/",
        answer(302, location=elsewhere.url("/ends-soon")),
        answer(302, location=elsewhere.url("/good")),
    )
    elsewhere.says("/", PAGE)
    elsewhere.says("/ends-soon", answer(403))
    elsewhere.says("/good", PAGE)
    client.get(elsewhere.url())

    for _ in range(2):  # who has just refused is asked again a while later
        told_to_come_back(client.get, server.url())
        clock.pass_(seconds=10)

    assert client.get(server.url()).body == b"here"


def test_a_page_that_is_gone_is_so_at_the_second_time(
    server: Server, elsewhere: OtherHost, client: PoliteClient, clock: ManualClock
) -> None:
    server.says("/", answer(302, location=elsewhere.url("/gone")))
    elsewhere.says("/", PAGE)
    elsewhere.says("/gone", answer(410))
    client.get(elsewhere.url())
    for _ in range(2):
        told_to_come_back(client.get, server.url())
        clock.pass_(seconds=10)

    with pytest.raises(PermanentError, match="410"):
        client.get(server.url())


def test_redirects_within_a_host_wait_for_nothing_but_count(
    server: Server, client: PoliteClient, clock: ManualClock
) -> None:
    server.says("/old", answer(302, location="/new"))
    server.says("/new", PAGE)

    assert client.get(server.url("/old")).body == b"here"

    clock.pass_(seconds=19)
    told_to_come_back(client.get, server.url("/new"))
    clock.pass_(seconds=1)
    assert client.get(server.url("/new")).body == b"here"


def test_the_hosts_of_reddit_are_visited_as_one(
    server: Server, make_client: ClientMaker, pace: HostPace, clock: ManualClock
) -> None:
    server.says("/r/energy/new/.rss", PAGE)
    client = make_client(pace=pace, clock=clock, resolver=lambda host: ["127.0.0.1"])
    www, old, oauth = (
        server.url("/r/energy/new/.rss", host=f"{name}.reddit.com")
        for name in ("www", "old", "oauth")
    )
    client.get(www)

    for other in (old, oauth):
        assert told_to_come_back(client.get, other) >= NOW + APART
    told_to_come_back(client.post_form, www, {})

    assert len(server.requests) == 1


def test_a_form_is_a_visit(server: Server, client: PoliteClient, clock: ManualClock) -> None:
    server.says("/token", PAGE)
    client.post_form(server.url("/token"), {})

    assert told_to_come_back(client.post_form, server.url("/token"), {}) == NOW + APART

    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [404, 429, 500])
def test_a_host_is_left_whatever_it_said(
    server: Server, client: PoliteClient, clock: ManualClock, status: int
) -> None:
    server.says("/", answer(status), PAGE)
    with pytest.raises(Exception, match=str(status)):
        client.get(server.url())

    clock.pass_(seconds=10)

    assert client.get(server.url()).body == b"here"


# ---- who waits in person


def test_a_person_waits_for_a_busy_host_and_asks_at_last_all_the_same(
    database: Database, server: Server, make_client: ClientMaker, clock: ManualClock
) -> None:
    server.says("/", PAGE)
    pace = HostPace(database, clock, APART)
    patient = PatientPace(pace, clock, longest=timedelta(seconds=0.2))
    client = make_client(pace=patient, clock=clock)
    client.get(server.url())
    began = time.monotonic()

    assert client.get(server.url()).body == b"here"

    assert 0.2 <= time.monotonic() - began < 5
