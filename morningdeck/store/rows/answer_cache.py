"""What models have answered, so that nothing is asked and paid twice."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from morningdeck.ports.engine import Clock
from morningdeck.store.database.bulk import insert_into
from morningdeck.store.database.connect import Database
from morningdeck.store.database.prepared import Prepared
from morningdeck.store.tables.running import model_answers

LONGEST_ANSWER = 64 * 1024
"""In characters; a longer one is not kept."""
_FINDING = Prepared(select(model_answers.c.answer).where(model_answers.c.key == bindparam("key")))


class SqlAnswerCache:
    """The port `AnswerCache`. Retention removes what is old, and the oldest of too many."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        row = insert_into(model_answers, database.kind).values(
            key=bindparam("kept_as"), answer=bindparam("text"), created_at=bindparam("now")
        )
        # who has the answer goes on to store what came of it, which makes this safe as well
        self._keeping = Prepared(row.on_conflict_do_nothing(index_elements=("key",)), lasting=False)

    def find(self, key: str) -> str | None:
        rows = self._database.run(_FINDING, {"key": key})
        return rows[0][0] if rows else None

    def keep(self, key: str, answer: str) -> None:
        if len(answer) <= LONGEST_ANSWER:
            kept = {"kept_as": key, "text": answer, "now": self._clock()}
            self._database.run(self._keeping, kept)
