"""The fetching verb: what it hands on, when it comes back, what its readers are told."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from morningdeck.errors import HostBusyError, PermanentError, TransientError
from morningdeck.fetch import fetch, interval, news_every, rest
from morningdeck.model.kinds import Health, SourceType
from morningdeck.model.reading import Entry, Fetched, FetchTrouble, Reading, Source, Spaced
from morningdeck.work import Done, Failed, Job, Outcome, Postponed, Stage
from tests.conftest import NOW
from tests.fakes import OneReading, OneSource

SECOND = timedelta(seconds=1)
MINUTES = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
FEED = Source(17, SourceType.RSS, "https://news.example/feed", title="News", first_import=False)
NEWS = Reading((Entry("1", None, "One"),))


def outcome(
    answer: Reading | Exception,
    source: Source = FEED,
    *,
    failures: int = 0,
) -> Outcome:
    return fetch(
        Job(Stage.FETCH, 17, 1, failures, subject=source),
        readers={SourceType.RSS: OneReading(FEED.id, answer)},
        apart_of=lambda host: SECOND,
        clock=lambda: NOW,
        chance=0.0,
        import_items=10,
        language_of=lambda entry: f"that of {entry.title}",
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
    assert interval(FEED, NEWS, None, 0) == 15 * MINUTES
    assert interval(FEED, replace(NEWS, fresh_for=HOUR), None, 0) == HOUR
    assert interval(FEED, replace(NEWS, fresh_for=5 * MINUTES), None, 0) == 15 * MINUTES
    assert interval(FEED, replace(NEWS, fresh_for=30 * DAY), None, 0) == DAY


def test_what_rarely_brings_news_is_looked_at_rarely() -> None:
    assert interval(FEED, NEWS, HOUR, 0) == 15 * MINUTES
    assert interval(FEED, NEWS, DAY, 0) == DAY / 10
    assert interval(FEED, NEWS, 365 * DAY, 0) == DAY


def test_the_rhythm_of_a_feed_is_that_of_its_last_entries_and_of_its_silence() -> None:
    def dated(*days: int) -> Reading:
        entries = (Entry(str(ago), None, "", published_at=NOW - ago * DAY) for ago in days)
        return Reading(tuple(entries))

    assert news_every(dated(0, 1, 2, 3), NOW) == 3 * DAY / 4
    assert news_every(dated(30, 31), NOW) == 31 * DAY / 2
    assert news_every(dated(1), NOW) is None
    assert news_every(dated(-5, -4, 1), NOW) is None


def test_a_feed_that_did_not_change_keeps_its_rhythm() -> None:
    source = replace(FEED, rhythm=DAY, health=Health.DEGRADED)
    result = fetched(Reading(unchanged=True), source).result

    assert isinstance(result, Fetched)
    assert result.rhythm == DAY


def test_of_a_steady_feed_that_did_not_change_there_is_nothing_to_keep() -> None:
    assert fetched(Reading(unchanged=True)).result == Spaced(SECOND)
    assert isinstance(fetched(Reading(unchanged=True), replace(FEED, moving=True)).result, Fetched)
    moved = Reading(unchanged=True, moved_to="https://elsewhere.example/feed")
    assert isinstance(fetched(moved).result, Fetched)


def test_what_was_left_to_ask_is_forgotten_even_if_nothing_is_new() -> None:
    source = replace(FEED, to_ask=("https://feeds.example/1",))

    assert isinstance(fetched(Reading(unchanged=True), source).result, Fetched)


# ---- its host


def test_a_busy_host_is_asked_later_and_nobody_is_to_blame() -> None:
    assert outcome(HostBusyError(NOW + MINUTES), failures=2) == Postponed(NOW + MINUTES)


def test_what_a_visit_leaves_to_ask_is_kept_and_asked_a_pause_later() -> None:
    found = outcome(replace(NEWS, to_ask=("https://feeds.example/1",)))

    assert isinstance(found, Postponed)
    assert isinstance(found.result, Fetched)
    assert (found.due_at, found.result.reading.to_ask) == (
        NOW + SECOND,
        ("https://feeds.example/1",),
    )


@pytest.mark.parametrize("first_import", [True, False])
def test_what_is_only_kept_of_a_first_import_is_asked_for_its_language(first_import: bool) -> None:
    new = Entry("1", None, "New", language="de", published_at=NOW)
    old = Entry("2", None, "Old", language="de", published_at=NOW - 30 * DAY)

    found = fetched(Reading((new, old)), replace(FEED, first_import=first_import)).result

    assert isinstance(found, Fetched)
    told = [entry.language for entry in found.reading.entries]
    assert told == ["de", "that of Old" if first_import else "de"]


def test_the_next_source_of_a_host_is_a_visit_and_a_pause_away() -> None:
    times = iter([NOW, NOW + 3 * SECOND])

    found = fetch(
        Job(Stage.FETCH, 17, 1, subject=FEED),
        readers={SourceType.RSS: OneReading(FEED.id, NEWS)},
        apart_of=lambda host: SECOND,
        clock=lambda: next(times),
        chance=0.0,
        import_items=10,
        language_of=lambda entry: f"that of {entry.title}",
    )

    assert isinstance(found, Done)
    assert isinstance(found.result, Fetched)
    assert found.result.apart == 4 * SECOND


def test_sources_that_were_read_together_do_not_come_back_together() -> None:
    first, second, third = (interval(FEED, NEWS, None, chance) for chance in (0, 0.5, 0.99))

    assert first < second < third < 17 * MINUTES


def test_after_the_last_retry_it_rests_twice_as_long_each_time_up_to_a_day() -> None:
    def rested(failures: int) -> timedelta:
        job = Job(Stage.FETCH, 17, 1, failures)
        return rest(job, sources=OneSource(FEED), retries=3)

    assert [rested(failures) for failures in (4, 5, 6)] == [30 * MINUTES, HOUR, 2 * HOUR]
    assert rested(12) == rested(100_000) == DAY


def test_however_seldom_it_is_read_a_broken_source_rests_no_longer_than_a_day() -> None:
    job = Job(Stage.FETCH, 17, 1, 100)
    seldom = replace(FEED, refresh=timedelta(days=36_525))

    assert rest(job, sources=OneSource(seldom), retries=3) == DAY


def test_a_source_that_is_gone_meanwhile_rests_a_day() -> None:
    job = Job(Stage.FETCH, 17, 1, 4)

    assert rest(job, sources=OneSource(None), retries=3) == DAY


# ---- trouble


def test_a_first_failure_is_tried_again_and_told_nobody() -> None:
    error = TransientError("news.example: timed out")

    assert failed(error).reason == "news.example: timed out"
    assert not failed(error).permanent
    assert trouble(error) == FetchTrouble(Health.ACTIVE, None, SECOND)


def test_a_server_that_asks_to_wait_is_not_asked_before() -> None:
    assert failed(TransientError("busy", after=600)).not_before == NOW + 10 * MINUTES
    assert failed(TransientError("busy")).not_before is None


def test_the_fifth_failure_in_a_row_is_told() -> None:
    error = TransientError("timed out")

    assert trouble(error, failures=3).tell is None
    assert trouble(error, failures=4) == FetchTrouble(
        Health.DEGRADED, "News cannot be read: timed out", SECOND
    )


def test_what_its_server_calls_gone_is_gone() -> None:
    error = PermanentError("news.example: 410", status=410)

    assert failed(error).permanent
    assert trouble(error) == FetchTrouble(
        Health.GONE, "News is gone for good: its server said so", SECOND
    )


def test_a_wrong_address_is_not_tried_again_at_once() -> None:
    error = PermanentError("news.example: 404", status=404)

    assert failed(error).permanent
    assert trouble(error).health is Health.ACTIVE


def test_a_type_that_nobody_reads_says_so() -> None:
    source = replace(FEED, type=SourceType.REDDIT)

    assert failed(ValueError(), source).reason == "sources of type REDDIT cannot be read yet"


def test_a_bug_of_ours_is_not_taken_for_trouble_of_the_source() -> None:
    with pytest.raises(ZeroDivisionError):
        outcome(ZeroDivisionError())
