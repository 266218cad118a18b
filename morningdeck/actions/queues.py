"""Queues: another try for what has failed, or none any more."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING

from morningdeck.errors import ConflictError, NotFoundError
from morningdeck.work import Stage

if TYPE_CHECKING:
    from morningdeck.store.views.dead_letters import DeadLetters
    from morningdeck.store.views.retention import Retention


def retry(letters: DeadLetters, stage: Stage, ids: Collection[int] | None, *, now: datetime) -> int:
    """Items that failed for good wait again; what waits for another try in `stage` is due now.

    With None for `ids` it is all of them. Returns how many.
    """
    of_items = stage is Stage.PROCESSING
    retried = letters.retry(ids) if of_items else letters.hurry(stage, now, ids)
    if ids and not retried:
        raise NotFoundError(f"nothing with such an id has failed in {stage.value}")
    return retried


def purge(retention: Retention, ids: Collection[int]) -> int:
    """Delete these dead letters; what somebody saved is kept."""
    purged = retention.purge_these(ids)
    if not purged:
        raise ConflictError("this is no dead letter any more, or somebody has saved it: it is kept")
    return purged
