"""The notice of a broker that is away: told by whoever cannot reach it, ended by whoever can."""

from __future__ import annotations

from datetime import datetime

from morningdeck import notice_texts
from morningdeck.store.expressions.repository import Repository
from morningdeck.store.notices.telling import BROKER_AWAY, tell_admins, tell_end
from morningdeck.store.tables.running import notices


class BrokerNotices(Repository):
    def tell(self, stage: str, trouble: str | None, now: datetime) -> None:
        """None is the end of it."""
        with self._database.write() as connection:
            if trouble is None:
                tell_end(connection, BROKER_AWAY, stage, now)
            else:
                tell_admins(
                    connection, BROKER_AWAY, stage, notice_texts.broker_away(stage, trouble)
                )

    def end(self, now: datetime) -> None:
        """There is no broker any more."""
        told = (notices.c.kind == BROKER_AWAY, notices.c.ended_at.is_(None))
        self._change(notices, *told, ended_at=now)
