"""Saved searches on the real store: what alerts, once, and what never does."""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from morningdeck.alerting import LOOKED_AT_ONCE
from morningdeck.errors import ConfigError, ConflictError, NotFoundError
from morningdeck.model.alerting import ChangedItem
from morningdeck.model.finding import SearchQuery
from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.rows.alerts import SqlAlertRows
from morningdeck.store.tables.briefs import briefings
from morningdeck.store.tables.news import items
from morningdeck.store.tables.searches import saved_searches, search_hits
from tests.conftest import NOW
from tests.factories import change, rows_of
from tests.store.alerts import Watcher
from tests.waiting import until

DAY, HOUR = timedelta(days=1), timedelta(hours=1)


@pytest.fixture
def ada(database: Database) -> Watcher:
    return Watcher(database)


# ---- what is found


def test_what_comes_is_found_and_what_was_there_never(ada: Watcher) -> None:
    before = ada.news("Harbour opens")
    briefing = ada.briefing()
    ada.save("Ports", "harbour", briefing_id=briefing)
    new, _ = ada.news("Harbour closes"), ada.news("Chess begins")
    ada.done(before)  # its text has changed: it is done once more
    ada.look()

    assert ada.hits() == [new]


def test_what_waited_while_a_search_was_saved_is_found_when_it_is_done(ada: Watcher) -> None:
    item = ada.waiting("Harbour opens")
    ada.save("Ports", "harbour", briefing_id=ada.briefing())
    ada.look()
    early = ada.hits()
    ada.done(item)
    ada.look()

    assert (early, ada.hits()) == ([], [item])


def test_what_is_done_and_not_looked_at_was_there_before_a_later_search(ada: Watcher) -> None:
    ada.save("Chess", "chess", briefing_id=ada.briefing())
    ada.news("Harbour opens")
    ada.save("Ports", "harbour", briefing_id=ada.briefing())
    ada.look()

    assert ada.hits() == []


def test_an_item_that_comes_to_match_later_is_found_once(ada: Watcher) -> None:
    briefing = ada.briefing()
    ada.save("Ports", "harbour", briefing_id=briefing)
    item = ada.news("Something opens")
    ada.look()
    change(ada.database, items, item, title="Harbour opens", search_mark=1)
    ada.done(item)
    ada.look()
    first = ada.told(briefing)
    ada.done(item)
    ada.look()

    assert (ada.hits(), first, ada.told(briefing, NOW + DAY)) == ([item], [item], [])


def test_two_that_look_at_once_find_everything_once(ada: Watcher) -> None:
    """The second read the marks before the first cleared them."""
    ada.save("Ports", "harbour", briefing_id=ada.briefing())
    item = ada.news("Harbour opens")
    rows = ada.alerting.rows
    (first, second), (search,) = (rows.marked(10), rows.marked(10)), rows.searches()

    looked = [rows.save(one, {(search.id, item)}) for one in (first, second)]

    assert (looked, ada.hits(), rows.waits(NOW)) == ([1, 0], [item], False)


def test_an_item_that_changes_while_it_is_looked_at_is_looked_at_again(ada: Watcher) -> None:
    ada.save("Ports", "harbour", briefing_id=ada.briefing())
    item = ada.news("Harbour opens")
    marked = ada.alerting.rows.marked(10)
    ada.done(item)

    assert ada.alerting.rows.save(marked, set()) == 0
    ada.look()
    assert ada.hits() == [item]


def test_a_search_that_is_removed_while_others_look_is_no_trouble(ada: Watcher) -> None:
    ada.save("Ports", "harbour", briefing_id=ada.briefing())
    item = ada.news("Harbour opens")
    rows = ada.alerting.rows
    marked, (search,) = rows.marked(10), rows.searches()
    ada.searches.remove(ada.user, "Ports")

    assert rows.save(marked, {(search.id, item)}) == 1
    assert ada.hits() == []


def test_a_search_that_is_saved_meanwhile_sees_what_commits_later(postgres_url: str) -> None:
    """A settlement that has read the searches too early is over before there is one more."""
    with closing(open_database(postgres_url)) as database:
        ada = Watcher(database)
        item, briefing = ada.waiting("Harbour opens"), ada.briefing()
        how = {"briefing_id": briefing}
        saving = threading.Thread(target=ada.save, args=("Ports", "harbour"), kwargs=how)
        with database.write() as connection:
            connection.execute(items.update().where(items.c.id == item).values(turn=7))
            saving.start()
            until(lambda: waits_for_a_lock(database))
            seen = rows_of(database, saved_searches)
        saving.join()
        ada.done(item)
        ada.look()

        assert (seen, ada.hits()) == ([], [item])


def waits_for_a_lock(database: Database) -> bool:
    query = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    with database.read() as connection:
        return bool(connection.exec_driver_sql(query).scalar())


def test_nobody_is_told_of_what_only_others_read(ada: Watcher, database: Database) -> None:
    bob = Watcher(database)
    ada.save("Ports", "harbour", briefing_id=ada.briefing())
    item = bob.news("Harbour opens")
    bob.look()

    assert ada.hits() == []
    with pytest.raises(NotFoundError, match="no saved search 'Ports'"):
        bob.searches.remove(bob.user, "Ports")
    with pytest.raises(NotFoundError, match="there is no briefing"):
        bob.save("Mine", "x", briefing_id=rows_of(database, briefings)[0].id)
    assert bob.searches.list(bob.user) == ()
    assert item


# ---- names and queries


def test_a_name_is_one_search_of_its_reader(ada: Watcher, database: Database) -> None:
    ada.save("Ports", "harbour")

    with pytest.raises(ConflictError, match="there is a saved search 'Ports' already"):
        ada.save(" Ports\n", "quay", at_once=True)
    assert Watcher(database).save("Ports", "quay").query == "quay"
    assert len(rows_of(database, briefings)) == 0


@pytest.mark.parametrize(
    ("name", "query", "why"),
    [
        (" \0", "x", "needs a name"),
        ("x", " \n", "needs a query"),
        ("n" * 201, "x", "200 characters"),
        ("x", "q" * 2001, "2000 characters"),
    ],
)
def test_what_is_no_search_is_refused(ada: Watcher, name: str, query: str, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        ada.save(name, query)


def test_nothing_naughty_as_name_or_query_breaks_anything(ada: Watcher, corpora: Path) -> None:
    texts = json.loads((corpora / "naughty-strings" / "blns.json").read_text())
    briefing = ada.briefing()
    names = {}
    for number, text in enumerate(texts):
        name = f"{number} {text}"[:200]
        if number % 4 == 0:
            names[ada.save(name, text.strip() or "x", briefing_id=briefing).name] = text
        if number % 40 == 0:
            ada.news(text or "x", text)
    ada.look()
    report = ada.run(briefing)

    assert report is not None
    assert {place.section for place in report.items} <= names.keys()
    for name in names:
        ada.searches.remove(ada.user, name)
    assert rows_of(ada.database, search_hits) == []


def test_a_search_that_cannot_be_asked_holds_up_no_other(ada: Watcher) -> None:
    ada.save("Broken", "harbour", briefing_id=ada.briefing())
    ada.save("Ports", "harbour", briefing_id=ada.briefing())
    item = ada.news("Harbour opens")
    asked: list[object] = []

    def matching(query: SearchQuery, ids: Sequence[int]) -> Collection[int]:
        asked.append(query)
        if len(asked) == 1:
            raise ValueError("a bug of ours")
        return ids

    replace(ada.alerting, matching=matching).round()

    assert (ada.hits(), ada.alerting.waits()) == ([item], False)


def test_a_name_that_is_read_the_same_is_the_same(ada: Watcher) -> None:
    ada.save("\u00e1b", "harbour")
    with pytest.raises(ConflictError):
        ada.save("a\u0301b", "quay")


def test_a_briefing_waits_until_others_have_looked_at_what_they_took(ada: Watcher) -> None:
    ada.save("Ports", "harbour", briefing_id=ada.briefing())
    for _ in range(LOOKED_AT_ONCE + 5):
        ada.news("Harbour opens")
    rows, others = ada.alerting.rows, list[int]()

    class Crowded(SqlAlertRows):
        def save(self, looked_at: Sequence[ChangedItem], hits: Collection[tuple[int, int]]) -> int:
            if not others:  # somebody was quicker
                others.append(super().save(looked_at, hits))
            return super().save(looked_at, hits)

    replace(ada.alerting, rows=Crowded(ada.database)).before_briefing()

    assert (others, rows.marked(1)) == ([LOOKED_AT_ONCE], ())
