"""Hostile sources beside 99 good feeds: those are read, whatever the hostile ones do.

What has to become of each hostile one stands in `behaviours`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from morningdeck.model.wanting import NewSource
from morningdeck.views.reading import SourceView
from tests.faults import names
from tests.faults.bad_servers import FEED
from tests.faults.behaviours import BEHAVIOURS, MORE, NEVER_ASKED_FOR, Ends, private
from tests.faults.daemon import daemons
from tests.faults.feeds import serving
from tests.faults.house import GOOD, MB, House, Visit
from tests.faults.newsroom import newsroom
from tests.servers.web import HangUp, Request, Server, answer

TIMEOUT_SECONDS = 3
SHOWN = 5
"""Entries of a good feed, so that the later rounds are no longer than the first."""
MOST_GROWTH = 150 * MB
TURNED = "news.turning.test"

pytestmark = pytest.mark.xdist_group("hostile")  # they share a daemon


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("hostile")
    url = f"sqlite:///{folder / 'morningdeck.db'}"
    with ExitStack() as stack:
        server = stack.enter_context(Server())
        feeds = stack.enter_context(serving(GOOD, shown=SHOWN))
        room = stack.enter_context(newsroom(url, feeds, folder / "outbox"))
        make = stack.enter_context(daemons())
        one = make(
            folder,
            url,
            program=(sys.executable, "-P", names.__file__),
            http__timeout_seconds=TIMEOUT_SECONDS,
            fetch__first_import_items=10,
            retry__schedule_minutes=[60],
        )
        yield House(one, room, server)


@pytest.fixture
def house(built: House) -> House:
    return built.in_order()


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_a_hostile_source_harms_nobody_else(
    house: House, name: str, tell: Callable[[object], None]
) -> None:
    behaviour = BEHAVIOURS[name]
    bad = house.add(name, behaviour)
    try:
        visit = house.visit(bad)
        source, titles = house.show(bad), house.titles(bad)
    finally:
        house.remove(bad)
    tell(f"{visit} / {ending(source)}")
    check_the_others(visit)
    check(behaviour.ends, source, titles)
    assert not [request for request in house.server.requests if request.path == NEVER_ASKED_FOR]
    assert visit.grown < MOST_GROWTH


def test_a_name_that_turns_to_a_private_address_leads_nowhere_else(
    house: House, tell: Callable[[object], None]
) -> None:
    def once(_: Request) -> Iterator[bytes]:
        yield answer(200, FEED, connection="close")
        raise HangUp

    house.server.does("/rebinding", once)
    bad = house.subscribe(NewSource(house.server.url("/rebinding", host=TURNED)))
    try:
        first = house.visit(bad)
        assert (house.titles(bad), house.show(bad).last_error) == (["read"], None)
        # each name is remembered for a few seconds
        house.daemon.wait_for(lambda: house.visit(bad) and house.show(bad).last_error)
        visit, source = house.visit(bad), house.show(bad)
    finally:
        house.remove(bad)
    tell(f"{visit} / {ending(source)}")
    check_the_others(first)
    check_the_others(visit)
    assert private("10.0.0.1").error in (source.last_error or "")
    assert visit.grown < MOST_GROWTH


def test_all_hostile_sources_at_once_hold_nobody_up(
    house: House, tell: Callable[[object], None]
) -> None:
    every = BEHAVIOURS | MORE
    bad = {name: house.add(f"with {name}", every[name]) for name in every}
    try:
        visit = house.visit(*bad.values())
        listed = house.daemon.command("source", "list", "--limit", "1000")
        titles = {name: house.titles(source_id) for name, source_id in bad.items()}
    finally:
        for source_id in bad.values():
            house.remove(source_id)
    kept = house.holds() - house.idle_at_first
    tell(f"{visit} / {len(bad)} hostile ones / {kept / MB:+.0f} MB kept after all of them")
    check_the_others(visit)
    shown = {source["id"]: source for source in listed}
    for name, source_id in bad.items():
        ends, error = every[name].ends, shown[source_id]["last_error"] or ""
        assert ends.error in error, name
        assert len(titles[name]) == ends.items, name
    assert kept < MOST_GROWTH


def check_the_others(visit: Visit) -> None:
    account = visit.account
    assert (visit.sick, account.lost, account.duplicated, account.dead) == (0, 0, 0, 0)
    assert visit.bugs == ()


def check(ends: Ends, source: SourceView, titles: list[str]) -> None:
    assert ends.error in (source.last_error or "")
    assert bool(ends.error) == bool(source.last_error)
    assert len(titles) == ends.items
    assert not titles or titles[0] == ends.title
    assert not ends.warning or ends.warning in " ".join(source.warnings)


def ending(source: SourceView) -> str:
    warning = f" ({source.warnings[0][:80]})" if source.warnings else ""
    return source.last_error or f"{source.items} items{warning}"
