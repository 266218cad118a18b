"""What items mean, slice by slice: the newest of all that was read, whoever reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import func, select

from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.repository import Repository
from morningdeck.store.expressions.slices import A_SLICE, id_ranges
from morningdeck.store.tables.news import item_likenesses

MOST_MEANT = 200_000


class MeantItems(Repository):
    def __init__(
        self, database: Database, *, most: int = MOST_MEANT, a_slice: int = A_SLICE
    ) -> None:
        super().__init__(database)
        self._most = most
        self._a_slice = a_slice

    def slices(self) -> Iterator[Sequence[tuple[int, bytes]]]:
        """Item and embedding, the newest first; no transaction is open in between. Who may see
        what is asked of the few that are near.
        """
        likeness = item_likenesses.c
        newest = self._scalar(select(func.max(likeness.id))) or 0
        those = select(likeness.item_id, likeness.vector)
        for first, last in id_ranges(newest, self._most, self._a_slice):
            yield [tuple(row) for row in self._rows(those.where(likeness.id.between(first, last)))]
