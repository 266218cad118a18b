"""A real daemon and thousands of hosts on loopback: what the hosts themselves saw of it."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from morningdeck.app import system_clock
from morningdeck.model.wanting import NewSource
from morningdeck.store.database.connect import open_database
from morningdeck.store.views.subscriptions import Subscriptions
from morningdeck.store.views.users import Users
from tests.benchmarks.cost import Cost, measure
from tests.faults.daemon import Daemon
from tests.faults.hosts import TROUBLES, Hosts, Request, many_hosts

APART_SECONDS = 1.0
NETWORK_SECONDS = 0.05
"""So much later than it was done may a host see what was done."""
TICK_SECONDS = 60
JITTER = 1.1


@dataclass(frozen=True, slots=True)
class Size:
    sources: int
    crowd: int
    """How many of them are on one host, and how many more on hosts that redirect to one."""
    refresh_seconds: int
    seconds: int
    timeout_seconds: int
    workers: int = 16


LONG = Size(sources=10_000, crowd=200, refresh_seconds=300, seconds=600, timeout_seconds=20)
SHORT = Size(sources=300, crowd=5, refresh_seconds=2, seconds=1, timeout_seconds=3)


@pytest.fixture
def size(long: bool) -> Size:
    return LONG if long else SHORT


@pytest.fixture
def hosts() -> Iterator[Hosts]:
    with many_hosts() as hosts:
        yield hosts


def addresses(hosts: Hosts, size: Size) -> list[str]:
    """One in a hundred fails; some hosts have three feeds, one has a crowd of them, and one those
    of many others, which redirect to it.
    """
    troubles = [*TROUBLES] * (size.sources // 100 // len(TROUBLES) + 1)
    found = [hosts.url(10_000_000 + n, path) for n, path in enumerate(troubles)]
    found += [hosts.url(9_000_000, f"feed/{n}") for n in range(size.crowd)]
    found += [hosts.url(11_000_000 + n, f"moved/feed/{n}") for n in range(size.crowd)]
    return found + [
        hosts.url(1_000_000 + (n // 3 if n % 10 < 3 else n), f"feed/{n}")
        for n in range(size.sources - len(found))
    ]


def settings(size: Size) -> dict[str, object]:
    return {
        "http__requests_per_host_second": 1 / APART_SECONDS,
        "http__timeout_seconds": size.timeout_seconds,
        "fetch__workers": size.workers,
        "fetch__interval_seconds": TICK_SECONDS,
        "processing__enabled": False,
    }


def subscribe(database_url: str, urls: Iterable[str], size: Size) -> None:
    database = open_database(database_url)
    now, refresh = system_clock(), timedelta(seconds=size.refresh_seconds)
    user = Users(database).ensure_first(now)
    new_sources = [NewSource(url, refresh=refresh) for url in urls]
    Subscriptions(database).subscribe_all(user.id, new_sources, now=now)
    database.close()


def too_close(requests: Iterable[Request]) -> list[tuple[Request, Request]]:
    by_host = defaultdict(list)
    for request in requests:
        by_host[request.host].append(request)
    return [
        (one, other)
        for those in by_host.values()
        for one, other in pairwise(those)
        if one.ended_at is None or other.began_at - one.ended_at < APART_SECONDS - NETWORK_SECONDS
    ]


def moments(requests: Iterable[Request]) -> list[list[float]]:
    """When each healthy feed was asked, where it is."""
    by_feed = defaultdict(list)
    for request in requests:
        if request.path.startswith("feed/"):
            by_feed[request.host, request.path].append(request.began_at)
    return list(by_feed.values())


def more_than(hosts: Hosts, number: int) -> bool:
    return len(hosts.requests) > number


def all_asked_again(hosts: Hosts, urls: Sequence[str]) -> bool:
    twice = sum(len(those) > 1 for those in moments(tuple(hosts.requests)))
    return twice == sum("/feed/" in url for url in urls)


def intervals(requests: Iterable[Request], until: float) -> list[float]:
    """How long healthy feeds were left alone, each for the last time too."""
    return [
        later - sooner for those in moments(requests) for sooner, later in pairwise([*those, until])
    ]


def told(requests: list[Request], cost: Cost, worst: float, size: Size) -> str:
    return (
        f"{len(requests)} requests in {cost.wall_seconds:.0f} s,"
        f" {100 * cost.cpu_seconds / cost.wall_seconds:.0f} % of a processor,"
        f" {cost.peak_bytes / 2**20:.0f} MB,"
        f" at worst {worst - size.refresh_seconds:.1f} s more than the interval"
    )


def test_a_daemon_reads_many_hosts_in_time_and_none_too_often(
    sqlite_url: str,
    tmp_path: Path,
    hosts: Hosts,
    daemon: Callable[..., Daemon],
    long: bool,
    size: Size,
    tell: Callable[[object], None],
) -> None:
    urls = addresses(hosts, size)
    subscribe(sqlite_url, urls, size)
    one = daemon(tmp_path, sqlite_url, **settings(size))
    one.start().wait_for_event("started")

    def watch() -> None:
        time.sleep(size.seconds)  # that is how long it is watched
        one.wait_for(lambda: all_asked_again(hosts, urls), pause_seconds=0.5)

    cost = measure(watch, lambda: [one.process.pid])
    until, requests = time.monotonic(), list(hosts.requests)
    assert one.stop() == 0
    worst = max(intervals(requests, until))
    tell(told(requests, cost, worst, size))
    assert too_close(requests) == []
    if long:  # a busy machine may keep a short interval waiting
        assert worst < size.refresh_seconds * JITTER + TICK_SECONDS


def test_a_daemon_that_is_killed_asks_no_sooner_for_that(
    sqlite_url: str, tmp_path: Path, hosts: Hosts, daemon: Callable[..., Daemon]
) -> None:
    urls = addresses(hosts, SHORT)
    subscribe(sqlite_url, urls, SHORT)
    one = daemon(tmp_path, sqlite_url, **settings(SHORT)).start()
    for _ in range(3):
        asked = len(hosts.requests)
        one.wait_for(partial(more_than, hosts, asked + 50))
        one.kill()
        one.start()
    one.wait_for(lambda: all_asked_again(hosts, urls), pause_seconds=0.5)
    requests = list(hosts.requests)
    one.kill()
    assert too_close(requests) == []
