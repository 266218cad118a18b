"""Verb one: read a source, keep what is new, and decide when to ask again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from morningdeck import notice_texts
from morningdeck.discreet import named
from morningdeck.errors import DatabaseAwayError, HostBusyError, PermanentError, TransientError
from morningdeck.hosts import host_of
from morningdeck.model.kinds import Health
from morningdeck.model.reading import Entry, Fetched, FetchTrouble, Reading, Source, Spaced
from morningdeck.ports.engine import Clock
from morningdeck.ports.verbs import SourceReader, SourceRows
from morningdeck.work import INDEXING, Done, Failed, Job, Outcome, Postponed, Stage

DEGRADED_AFTER = 5
LONGEST_INTERVAL = timedelta(hours=24)
IMPORT_WINDOW = timedelta(days=7)
LONGEST_FETCH = timedelta(seconds=30)
"""More than a fetch takes: if one seems longer, the clock was set meanwhile."""
GONE = 410
RHYTHM_ENTRIES = 10
LOOKS_PER_NEWS = 10
"""A feed is looked at about ten times for each piece of news that it brings."""


def fetch(
    job: Job,
    *,
    readers: Mapping[str, SourceReader],
    apart_of: Callable[[str], timedelta],
    clock: Clock,
    chance: float,
    import_items: int,
    language_of: Callable[[Entry], str | None],
) -> Outcome:
    """`apart_of` tells for each host how long after one request the next may come."""
    source = job.subject
    assert isinstance(source, Source)  # its start has brought it
    began = clock()
    try:
        reading = _reader(source, readers).read(source)
    except HostBusyError as busy:
        return Postponed(busy.until)
    except DatabaseAwayError:
        raise
    except (TransientError, PermanentError) as error:
        apart = _spacing(apart_of(host_of(source.url)), clock() - began)
        return _trouble(job, source, error, clock, apart)
    now = clock()
    if reading.to_ask:
        found = _found(source, reading, now, import_items, language_of)
        return Postponed(now + apart_of(host_of(reading.to_ask[0])), result=found)
    apart = _spacing(apart_of(host_of(source.url)), now - began)
    moving = source.moving or reading.moved_to is not None
    steady = source.health == Health.ACTIVE and not moving and not source.to_ask
    if reading.unchanged and steady:
        due_at = now + interval(source, reading, source.rhythm, chance)
        return Done(Spaced(apart) if apart else None, due_at=due_at)
    result = replace(
        _found(source, reading, now, import_items, language_of), apart=apart, steady=steady
    )
    wake = (Stage.PROCESSING.value, INDEXING) if reading.entries else ()
    return Done(result, due_at=now + interval(source, reading, result.rhythm, chance), wake=wake)


def _found(
    source: Source,
    reading: Reading,
    now: datetime,
    import_items: int,
    language_of: Callable[[Entry], str | None],
) -> Fetched:
    found = Fetched(
        reading,
        rhythm=source.rhythm if reading.unchanged else news_every(reading, now),
        import_limit=import_items if source.first_import else None,
        import_since=now - IMPORT_WINDOW,
    )
    return _in_their_languages(found, language_of) if source.first_import else found


def _in_their_languages(found: Fetched, language_of: Callable[[Entry], str | None]) -> Fetched:
    """Most of a first import is only kept: nobody else will look what language that is in."""
    reading = found.reading
    enriched = found.to_enrich(reading.entries)
    entries = tuple(
        one if one.guid in enriched else replace(one, language=language_of(one))
        for one in reading.entries
    )
    return replace(found, reading=replace(reading, entries=entries))


def _spacing(apart: timedelta, visit: timedelta) -> timedelta:
    """How far apart the sources of a host are planned, if visits take as long as this one."""
    return apart and apart + min(max(visit, timedelta(0)), LONGEST_FETCH)


def _reader(source: Source, readers: Mapping[str, SourceReader]) -> SourceReader:
    reader = readers.get(source.type)
    if reader is None:
        raise PermanentError(f"sources of type {source.type} cannot be read yet")
    return reader


def news_every(reading: Reading, now: datetime) -> timedelta | None:
    """The average time between the latest entries, with the silence since the last one."""
    dates = sorted((e.published_at for e in reading.entries if e.published_at), reverse=True)
    dates = [date for date in dates if date <= now][:RHYTHM_ENTRIES]
    return None if len(dates) < 2 else (now - dates[-1]) / len(dates)


def interval(
    source: Source, reading: Reading, rhythm: timedelta | None, chance: float
) -> timedelta:
    """The readers' interval, stretched by what the feed asks for and by how rarely it changes."""
    rare = timedelta(0) if rhythm is None else rhythm / LOOKS_PER_NEWS
    asked = max(source.refresh, reading.fresh_for or timedelta(0), rare)
    return min(asked, LONGEST_INTERVAL) * (1 + 0.1 * chance)


def rest(job: Job, *, sources: SourceRows, retries: int) -> timedelta:
    """After the last retry: doubling from the source's own interval, up to a day."""
    source = sources.load(job.id)
    refresh = source.refresh if source else LONGEST_INTERVAL
    doublings = min(max(job.failures - retries, 0), 16)
    # limited before as well, since many years cannot be doubled 16 times
    return min(min(refresh, LONGEST_INTERVAL) * (1 << doublings), LONGEST_INTERVAL)


def _trouble(
    job: Job,
    source: Source,
    error: TransientError | PermanentError,
    clock: Clock,
    apart: timedelta,
) -> Failed:
    name = named(source.title or source.url)
    if isinstance(error, PermanentError) and error.status == GONE:
        trouble = FetchTrouble(Health.GONE, notice_texts.source_gone(name), apart)
    elif job.failures + 1 >= DEGRADED_AFTER:
        trouble = FetchTrouble(
            Health.DEGRADED, notice_texts.source_unreadable(name, str(error)), apart
        )
    else:
        trouble = FetchTrouble(source.health, apart=apart)
    if isinstance(error, PermanentError):
        return Failed(str(error), permanent=True, result=trouble)
    after = None if error.after is None else clock() + timedelta(seconds=error.after)
    return Failed(str(error), not_before=after, result=trouble)
