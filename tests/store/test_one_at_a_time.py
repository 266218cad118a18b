"""A task that one does at a time: whoever comes second leaves it, of whatever process."""

from __future__ import annotations

from contextlib import closing

from morningdeck.store.database.connect import Database, Lock, open_database


def test_a_task_that_somebody_is_at_is_not_free(database: Database, database_url: str) -> None:
    with closing(open_database(database_url)) as other:
        with database.held_if_free(Lock.INDEXING) as first:
            with other.held_if_free(Lock.INDEXING) as second:
                assert (first, second) == (True, False)
            with other.held_if_free(Lock.THEMES) as another_task:
                assert another_task
            with database.held_if_free(Lock.THEMES) as again:
                assert again

        with other.held_if_free(Lock.INDEXING) as after:
            assert after
