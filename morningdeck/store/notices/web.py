"""The notice of a daemon whose web cannot begin, as its port cannot be had."""

from __future__ import annotations

from datetime import datetime

from morningdeck import notice_texts
from morningdeck.store.expressions.repository import Repository
from morningdeck.store.notices.telling import WEB_AWAY, tell_admins, tell_end


class WebNotices(Repository):
    def tell(self, node: str, trouble: str | None, now: datetime) -> None:
        """In the place of what was told before; None is the end of it."""
        with self._database.write() as connection:
            tell_end(connection, WEB_AWAY, node, now)
            if trouble is not None:
                tell_admins(connection, WEB_AWAY, node, notice_texts.web_away(trouble))
