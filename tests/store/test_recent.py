"""How the last fetches of a source ended, noted with each settlement."""

from __future__ import annotations

from datetime import timedelta

from morningdeck.model.reading import Fetched, Reading
from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.recent import FETCHES_KEPT, MOST_NEWS_TOLD, read_recent
from morningdeck.store.queue.protocol import SqlJobStore
from morningdeck.store.tables.news import sources
from morningdeck.store.views.subscriptions import Subscriptions
from morningdeck.work import Done, Failed, Outcome, Postponed, RetryPolicy, Stage, decide
from tests.conftest import NOW
from tests.factories import make_source, make_subscription, make_user, row_of
from tests.store.making import an_entry, counted_statements

ME, POLICY = "me:1", RetryPolicy((timedelta(minutes=1),))
WELL = Done(due_at=NOW)
TROUBLE = Failed("the server says no")


def bringing(count: int, first: int = 0) -> Outcome:
    entries = tuple(an_entry(number) for number in range(first, first + count))
    return Done(Fetched(Reading(entries)), due_at=NOW)


def end(work: SqlJobStore, source: int, outcome: Outcome) -> None:
    assert work.claim_one(Stage.FETCH, source, ME, NOW)
    job = work.start(Stage.FETCH, source, ME, NOW)
    assert job is not None
    settled = decide(job, outcome, policy=POLICY, now=NOW, chance=0.5, rest=lambda _: NOW)
    assert work.settle(job, ME, settled, NOW)


def recent(database: Database, source: int) -> tuple[int | None, ...]:
    return read_recent(row_of(database, sources, source).recent)


def test_each_fetch_is_noted_with_what_it_brought(
    database: Database, work: SqlJobStore, source: int
) -> None:
    for outcome in (WELL, bringing(3), TROUBLE, bringing(4), WELL):
        end(work, source, outcome)

    assert recent(database, source) == (0, 3, None, 1, 0)


def test_only_the_last_thirty_are_kept_and_much_is_much(
    database: Database, work: SqlJobStore, source: int
) -> None:
    for outcome in (TROUBLE, *[WELL] * FETCHES_KEPT, bringing(MOST_NEWS_TOLD + 5)):
        end(work, source, outcome)

    assert recent(database, source) == (*[0] * (FETCHES_KEPT - 1), MOST_NEWS_TOLD)


def test_what_is_put_off_is_no_fetch(database: Database, work: SqlJobStore, source: int) -> None:
    end(work, source, Postponed(NOW))
    half = Fetched(Reading((an_entry(1),), to_ask=("https://news.example/2",)))
    end(work, source, Postponed(NOW, result=half))

    assert recent(database, source) == ()


def test_it_takes_no_statement_more(database: Database, work: SqlJobStore, source: int) -> None:
    def statements(outcome: Outcome) -> int:
        with counted_statements() as sent:
            end(work, source, outcome)
        return len([one for one in sent if "sources" in one and one.startswith("UPDATE")])

    assert statements(WELL) == statements(Postponed(NOW))
    unchanged = Done(Fetched(Reading(unchanged=True)), due_at=NOW)
    assert statements(bringing(2)) == statements(unchanged)


def test_its_readers_see_it(database: Database, work: SqlJobStore) -> None:
    user, source = make_user(database), make_source(database)
    make_subscription(database, user, source)
    end(work, source, bringing(2))
    end(work, source, TROUBLE)

    assert Subscriptions(database).show(user, source).recent == (2, None)
