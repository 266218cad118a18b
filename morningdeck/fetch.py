"""Verb one: read a source, keep what is new, and decide when to ask again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from morningdeck.errors import PermanentError, TransientError
from morningdeck.model import Fetched, FetchTrouble, Health, Reading, Source, SourceType
from morningdeck.ports import Clock, SourceReader, SourceRows
from morningdeck.work import Done, Failed, Job, Outcome, Stage

DEGRADED_AFTER = 5
LONGEST_INTERVAL = timedelta(hours=24)
IMPORT_WINDOW = timedelta(days=7)
INDEXING = "indexing"
GONE = 410


def fetch(
    job: Job,
    *,
    sources: SourceRows,
    readers: Mapping[SourceType, SourceReader],
    clock: Clock,
    chance: float,
    import_items: int,
) -> Outcome:
    source = sources.load(job.id)
    if source is None:
        return Failed("the source is gone", permanent=True)
    try:
        reader = readers.get(source.type)
        if reader is None:
            raise PermanentError(f"sources of type {source.type.value} cannot be read yet")
        reading = reader.read(source)
    except (TransientError, PermanentError) as error:
        return _trouble(job, source, error, clock)
    now = clock()
    result = Fetched(
        reading,
        import_limit=import_items if source.first_import else None,
        import_since=now - IMPORT_WINDOW,
    )
    wake = (Stage.PROCESSING.value, INDEXING) if reading.entries else ()
    return Done(result, due_at=now + interval(source, reading, chance), wake=wake)


def interval(source: Source, reading: Reading, chance: float) -> timedelta:
    """The readers' interval, stretched by what the feed asks for, spread a little."""
    asked = max(source.refresh, reading.fresh_for or timedelta(0))
    return min(asked, LONGEST_INTERVAL) * (1 + 0.1 * chance)


def rest(job: Job, *, sources: SourceRows, retries: int) -> timedelta:
    """After the last retry: doubling from the source's own interval, up to a day."""
    source = sources.load(job.id)
    refresh = source.refresh if source else LONGEST_INTERVAL
    doublings = min(max(job.failures - retries, 0), 16)
    return min(refresh * (1 << doublings), LONGEST_INTERVAL)


def _trouble(
    job: Job, source: Source, error: TransientError | PermanentError, clock: Clock
) -> Failed:
    name = source.title or source.url
    if isinstance(error, PermanentError) and error.status == GONE:
        trouble = FetchTrouble(Health.GONE, f"{name} is gone for good: its server said so")
    elif job.failures + 1 >= DEGRADED_AFTER:
        trouble = FetchTrouble(Health.DEGRADED, f"{name} cannot be read: {error}")
    else:
        trouble = FetchTrouble(source.health)
    if isinstance(error, PermanentError):
        return Failed(str(error), permanent=True, result=trouble)
    after = None if error.after is None else clock() + timedelta(seconds=error.after)
    return Failed(str(error), not_before=after, result=trouble)
