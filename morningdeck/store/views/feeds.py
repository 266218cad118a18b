"""Briefings as feeds: found by the digest of a secret, which is all that is kept of it."""

from __future__ import annotations

from sqlalchemy import and_, select

from morningdeck.errors import ConflictError, NotFoundError
from morningdeck.model.sending import Report
from morningdeck.store.database.bulk import change
from morningdeck.store.expressions.repository import Repository, made_of
from morningdeck.store.expressions.visibility import check_briefing
from morningdeck.store.tables.briefs import briefings, reports
from morningdeck.store.tables.people import users
from morningdeck.store.views.reports import written
from morningdeck.views.sent import FeedOwnerView


class BriefingFeeds(Repository):
    def put(self, user_id: int, briefing_id: int, digest: str, *, anew: bool) -> None:
        """From now on the feed has this secret and no other; it has none yet, unless `anew`."""
        free = () if anew else (briefings.c.feed_secret.is_(None),)
        with self._database.write() as connection:
            check_briefing(connection, user_id, briefing_id)
            this = briefings.c.id == briefing_id
            if not change(connection, briefings, this, *free, feed_secret=digest):
                raise ConflictError(
                    f"briefing {briefing_id} is a feed already, whose address was shown once:"
                    " --rotate makes a new one and ends the old"
                )

    def end(self, user_id: int, briefing_id: int) -> None:
        with self._database.write() as connection:
            check_briefing(connection, user_id, briefing_id)
            change(connection, briefings, briefings.c.id == briefing_id, feed_secret=None)

    def owner(self, digest: str) -> FeedOwnerView:
        query = (
            select(briefings, briefings.c.id.label("briefing_id"))
            .join(users)
            .where(briefings.c.feed_secret == digest, users.c.enabled)
        )
        row = self._row(query)
        if row is None:
            raise NotFoundError("there is no such feed (any more)")
        return made_of(row, FeedOwnerView)

    def newest(self, briefing_id: int, limit: int) -> list[Report]:
        """Those that were sent, or had nowhere else to go; the news of a closed one comes again."""
        these = and_(
            reports.c.briefing_id == briefing_id,
            reports.c.status == "GENERATED",
            reports.c.closed_at.is_(None),
        )
        with self._database.read() as connection:
            return written(connection, these, limit)
