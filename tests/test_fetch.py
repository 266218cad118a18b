"""The fetching verb: what it hands on, when it comes back, what its readers are told."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from morningdeck.errors import PermanentError, TransientError
from morningdeck.fetch import fetch, interval, rest
from morningdeck.model import Entry, Fetched, FetchTrouble, Health, Reading, Source, SourceType
from morningdeck.work import Done, Failed, Job, Outcome, Stage
from tests.conftest import NOW

MINUTES = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
FEED = Source(17, SourceType.RSS, "https://news.example/feed", title="News", first_import=False)
NEWS = Reading((Entry("1", None, "One"),))


class OneSource:
    """The port `SourceRows` with one source, or none."""

    def __init__(self, source: Source | None) -> None:
        self._source = source

    def load(self, source_id: int) -> Source | None:
        return self._source


class Says:
    """The port `SourceReader` with its answer written down."""

    def __init__(self, answer: Reading | Exception) -> None:
        self._answer = answer

    def read(self, source: Source) -> Reading:
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


def outcome(
    answer: Reading | Exception, source: Source | None = FEED, *, failures: int = 0
) -> Outcome:
    return fetch(
        Job(Stage.FETCH, 17, 1, failures),
        sources=OneSource(source),
        readers={SourceType.RSS: Says(answer)},
        clock=lambda: NOW,
        chance=0.0,
        import_items=10,
    )


def fetched(answer: Reading, source: Source = FEED) -> Done:
    found = outcome(answer, source)
    assert isinstance(found, Done)
    return found


def failed(error: Exception, source: Source = FEED, *, failures: int = 0) -> Failed:
    found = outcome(error, source, failures=failures)
    assert isinstance(found, Failed)
    return found


def trouble(error: Exception, *, failures: int = 0) -> FetchTrouble:
    result = failed(error, failures=failures).result
    assert isinstance(result, FetchTrouble)
    return result


def test_what_was_read_is_handed_on_and_wakes_who_works_on_it() -> None:
    found = fetched(NEWS)

    assert isinstance(found.result, Fetched)
    assert found.result.reading is NEWS
    assert found.wake == ("processing", "indexing")
    assert found.due_at == NOW + 15 * MINUTES


def test_nothing_new_wakes_nobody() -> None:
    assert fetched(Reading(unchanged=True)).wake == ()


@pytest.mark.parametrize(("first", "limit"), [(True, 10), (False, None)])
def test_only_a_first_import_is_limited(first: bool, limit: int | None) -> None:
    result = fetched(NEWS, replace(FEED, first_import=first)).result

    assert isinstance(result, Fetched)
    assert (result.import_limit, result.import_since) == (limit, NOW - 7 * DAY)


# ---- when it comes back


def test_the_readers_interval_is_stretched_by_what_the_feed_asks_for_up_to_a_day() -> None:
    assert interval(FEED, NEWS, 0) == 15 * MINUTES
    assert interval(FEED, replace(NEWS, fresh_for=HOUR), 0) == HOUR
    assert interval(FEED, replace(NEWS, fresh_for=5 * MINUTES), 0) == 15 * MINUTES
    assert interval(FEED, replace(NEWS, fresh_for=30 * DAY), 0) == DAY


def test_sources_that_were_read_together_do_not_come_back_together() -> None:
    assert interval(FEED, NEWS, 0) < interval(FEED, NEWS, 0.5) < interval(FEED, NEWS, 0.99)
    assert interval(FEED, NEWS, 0.99) < 17 * MINUTES


def test_after_the_last_retry_it_rests_twice_as_long_each_time_up_to_a_day() -> None:
    def rested(failures: int) -> timedelta:
        job = Job(Stage.FETCH, 17, 1, failures)
        return rest(job, sources=OneSource(FEED), retries=3)

    assert [rested(failures) for failures in (4, 5, 6)] == [30 * MINUTES, HOUR, 2 * HOUR]
    assert rested(12) == rested(100_000) == DAY


def test_a_source_that_is_gone_meanwhile_rests_a_day() -> None:
    job = Job(Stage.FETCH, 17, 1, 4)

    assert rest(job, sources=OneSource(None), retries=3) == DAY


# ---- trouble


def test_a_first_failure_is_tried_again_and_told_nobody() -> None:
    error = TransientError("news.example: timed out")

    assert failed(error).reason == "news.example: timed out"
    assert not failed(error).permanent
    assert trouble(error) == FetchTrouble(Health.ACTIVE, None)


def test_a_server_that_asks_to_wait_is_not_asked_before() -> None:
    assert failed(TransientError("busy", after=600)).not_before == NOW + 10 * MINUTES
    assert failed(TransientError("busy")).not_before is None


def test_the_fifth_failure_in_a_row_is_told() -> None:
    error = TransientError("timed out")

    assert trouble(error, failures=3).tell is None
    assert trouble(error, failures=4) == FetchTrouble(
        Health.DEGRADED, "News cannot be read: timed out"
    )


def test_what_its_server_calls_gone_is_gone() -> None:
    error = PermanentError("news.example: 410", status=410)

    assert failed(error).permanent
    assert trouble(error) == FetchTrouble(Health.GONE, "News is gone for good: its server said so")


def test_a_wrong_address_is_not_tried_again_at_once() -> None:
    error = PermanentError("news.example: 404", status=404)

    assert failed(error).permanent
    assert trouble(error).health is Health.ACTIVE


def test_a_type_that_nobody_reads_says_so() -> None:
    source = replace(FEED, type=SourceType.REDDIT)

    assert failed(ValueError(), source).reason == "sources of type REDDIT cannot be read yet"


def test_a_source_that_is_gone_is_not_fetched() -> None:
    found = outcome(NEWS, None)

    assert isinstance(found, Failed)
    assert found.permanent


def test_a_bug_of_ours_is_not_taken_for_trouble_of_the_source() -> None:
    with pytest.raises(ZeroDivisionError):
        outcome(ZeroDivisionError())
