"""A user goes, with all that is theirs; what others read stays, and a daemon works on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import or_, select
from structlog.testing import capture_logs

from morningdeck.actions import accounts, briefings, items
from morningdeck.app import App, open_app, system_clock
from morningdeck.demo import site
from morningdeck.demo.play import BRIEFINGS
from morningdeck.errors import ConflictError
from morningdeck.model.wanting import NewSource
from morningdeck.settings.sections import Settings
from morningdeck.store.tables.briefs import briefings as briefings_table
from morningdeck.store.tables.briefs import item_scores, reports
from morningdeck.store.tables.columns import metadata
from morningdeck.store.tables.news import items as items_table
from morningdeck.store.tables.news import search_gone, sources
from morningdeck.store.views.departures import SLICE
from morningdeck.views.reading import UserView
from tests.actions.owning import something_of_everything
from tests.factories import Stock, make_items, rows_of
from tests.waiting import until

LOOPBACK = {"allow_networks": ["127.0.0.0/8"], "requests_per_host_second": 0}


@contextmanager
def opened(folder: Path, url: str) -> Iterator[App]:
    chosen = {"data_dir": folder, "database": {"url": url}, "http": LOOPBACK}
    with open_app(Settings.model_validate(chosen), full_text=False) as app:
        yield app


@pytest.fixture
def app(tmp_path: Path, database_url: str) -> Iterator[App]:
    with opened(tmp_path, database_url) as app:
        yield app


def added(app: App, email: str) -> UserView:
    return app.store.users.add(email, now=app.clock())


def left_of(app: App, user_id: int, briefing_ids: tuple[int, ...] = ()) -> list[str]:
    """The tables in which there is still something."""
    database, found = app.store.database, []
    for table in metadata.sorted_tables:
        if "user_id" in table.c and rows_of(database, table, table.c.user_id == user_id):
            found.append(table.name)
        if "briefing_id" not in table.c or table.name == "usage":
            continue
        if rows_of(database, table, table.c.briefing_id.in_(briefing_ids)):
            found.append(table.name)
    private = or_(sources.c.url == f"saved:{user_id}", sources.c.mailbox == str(user_id))
    return found + [row.url for row in rows_of(database, sources, private)]


def test_all_that_is_theirs_goes_and_what_others_read_stays(app: App) -> None:
    ada, eve = added(app, "ada@example.org"), added(app, "eve@example.org")
    hers, owned = (something_of_everything(app, one) for one in (eve, ada))
    both, stock = "https://both.example/feed", Stock(app.store.database)
    shared = [stock.source(one.id, both) for one in (ada, eve)]
    assert "item_states" in left_of(app, ada.id, owned.briefings)

    accounts.remove(app.store, ada, now=app.clock())

    assert left_of(app, ada.id, owned.briefings) == []
    assert "ada@example.org" not in {one.email for one in app.store.users.list()}
    assert stock.wanted(shared[0])
    assert not rows_of(app.store.database, sources, sources.c.id == owned.source)
    assert "item_states" in left_of(app, eve.id, hers.briefings)
    assert len(left_of(app, eve.id, hers.briefings)) > 10


def test_addresses_that_nobody_reads_go_with_their_last_reader(app: App) -> None:
    """They may hold a password; what others have saved of them stays, and so does its source."""
    ada, eve = added(app, "ada@example.org"), added(app, "eve@example.org")
    stock, database = Stock(app.store.database), app.store.database
    alone = stock.source(ada.id, "http://ada:secret@alone.example/feed")
    item = stock.item(alone)
    both = stock.source(ada.id, "https://both.example/feed?key=secret")
    stock.source(eve.id, "https://both.example/feed?key=secret")
    kept, other = stock.item(both), stock.item(both)
    app.store.items.mark_saved(eve.id, kept, app.clock())
    app.store.subscriptions.remove(eve.id, both)

    accounts.remove(app.store, ada, now=app.clock())

    there = {one.id for one in rows_of(database, sources)}
    assert alone not in there
    assert both in there
    left = {one.id for one in rows_of(database, items_table)}
    assert (item in left, other in left, kept in left) == (False, False, True)


def test_private_items_are_gone_from_the_search_too(app: App) -> None:
    ada = added(app, "ada@example.org")
    wake = app.wake
    kept = items.save_page(
        app.store.saved_pages, ada.id, "https://p.example/1", now=app.clock(), wake=wake
    )

    accounts.remove(app.store, ada, now=app.clock())

    assert rows_of(app.store.database, items_table, items_table.c.id == kept.id) == []
    assert [row.item_id for row in rows_of(app.store.database, search_gone)] == [kept.id]


def test_much_goes_in_slices(app: App) -> None:
    ada, stock = added(app, "ada@example.org"), Stock(app.store.database)
    source, briefing = stock.source(ada.id), stock.briefing(ada.id)
    ids = make_items(app.store.database, source, 2 * SLICE + 1, status="DONE")
    scores = [{"item_id": one, "briefing_id": briefing, "score": 50} for one in ids]
    with app.store.database.write() as connection:
        connection.execute(item_scores.insert(), scores)
    app.store.items.mark_these_read(ada.id, ids, at=app.clock())

    accounts.remove(app.store, ada, now=app.clock())

    assert left_of(app, ada.id, (briefing,)) == []
    assert rows_of(app.store.database, items_table) == []


def test_the_only_admin_of_others_stays(app: App) -> None:
    first, ada = app.store.users.first(), added(app, "ada@example.org")
    with pytest.raises(ConflictError, match="only admin"):
        accounts.remove(app.store, first, now=app.clock())
    assert app.store.users.first() == first

    app.store.users.edit(ada.email, admin=True)
    accounts.remove(app.store, first, now=app.clock())
    assert app.store.users.first().email == ada.email


def test_a_deck_that_nobody_is_left_on_begins_anew(app: App) -> None:
    first = app.store.users.first()
    accounts.set_password(app.store.accounts, first, "a few good words")

    accounts.remove(app.store, first, now=app.clock())

    anew = app.store.users.first()
    assert (anew.email, anew.role, anew.id == first.id) == ("me@localhost", "admin", False)
    assert not app.store.accounts.any_claimed()


def test_what_a_worker_has_in_hand_goes_when_it_is_done(app: App) -> None:
    ada, database = added(app, "ada@example.org"), app.store.database
    wake = app.wake
    kept = items.save_page(
        app.store.saved_pages, ada.id, "https://p.example/1", now=app.clock(), wake=wake
    )
    Stock(database).set(items_table, kept.id, status="PROCESSING")

    accounts.remove(app.store, ada, now=app.clock())
    assert left_of(app, ada.id) == [f"saved:{ada.id}"]

    Stock(database).set(items_table, kept.id, status="CANCELLED")
    app.store.retention.apply(app.keep, app.clock())
    assert left_of(app, ada.id) == []


def test_a_user_goes_while_a_daemon_is_at_work(tmp_path: Path, database_url: str) -> None:
    with (
        site.serve(system_clock(), lambda _: None) as base,
        opened(tmp_path, database_url) as app,
        opened(tmp_path, database_url) as web,
    ):
        ada, eve = added(app, "ada@example.org"), added(app, "eve@example.org")
        made = {one.id: _reads_all(app, one, base) for one in (ada, eve)}
        page = f"{base}/{site.feed_names()[0]}"
        items.save_page(app.store.saved_pages, ada.id, page, now=app.clock(), wake=app.wake)
        leaving = threading.Thread(target=_leaves_amid, args=(web, ada))
        leaving.start()
        with capture_logs() as said:
            app.run(once=True)
            leaving.join(60)
            with opened(tmp_path, database_url) as again:  # what was asked for meanwhile
                again.run(once=True)
        app.store.retention.apply(app.keep, app.clock())

        assert [one for one in said if one["log_level"] == "error"] == []
        assert left_of(app, ada.id, made[ada.id]) == []
        done = app.store.items.list(eve.id, limit=1000)
        assert {one.status for one in done} == {"DONE"}
        told = rows_of(app.store.database, reports, reports.c.briefing_id.in_(made[eve.id]))
        assert [one.status for one in told] == ["GENERATED"] * len(made[eve.id])


def _reads_all(app: App, user: UserView, base: str) -> tuple[int, ...]:
    """All feeds of the demo, with briefings that are due."""
    feeds = [NewSource(url=f"{base}/{name}") for name in site.feed_names()]
    app.store.subscriptions.subscribe_all(user.id, feeds, now=app.clock())
    out, ids = app.adapters.ways_out, []
    for new in BRIEFINGS:
        one = briefings.add(
            app.store, user.id, new, channels_to=out.to, check_channels=out.check, now=app.clock()
        )
        due_at = app.clock() - timedelta(seconds=1)
        given = {"due_at": due_at, "run_requested_at": due_at}
        Stock(app.store.database).set(briefings_table, one.id, **given)
        ids.append(one.id)
    return tuple(ids)


def _leaves_amid(app: App, user: UserView) -> None:
    """Once some of the items have been worked on, and others have not."""
    query = select(items_table.c.id).where(items_table.c.processed_at.is_not(None)).limit(5)

    def some_are_done() -> bool:
        with app.store.database.read() as connection:
            return len(connection.execute(query).all()) == 5

    until(some_are_done, 60)
    accounts.remove(app.store, user, now=app.clock())
