"""What a reader's things are called: all that a choice in a form, or a score, needs of them."""

from __future__ import annotations

from sqlalchemy import Text, select, type_coerce

from morningdeck.discreet import named
from morningdeck.store.expressions.repository import Repository, made_of
from morningdeck.store.expressions.texts import source_name
from morningdeck.store.tables.briefs import briefings
from morningdeck.store.tables.news import sources, subscriptions
from morningdeck.views.reading import NameView


class Names(Repository):
    def sources(self, user_id: int, limit: int, *, only: int | None = None) -> tuple[NameView, ...]:
        """The newest first, or this one only."""
        query = (
            select(sources.c.id, type_coerce(source_name(), Text))
            .select_from(subscriptions.join(sources))
            .where(subscriptions.c.user_id == user_id)
            .order_by(subscriptions.c.since.desc(), sources.c.id.desc())
            .limit(limit)
        )
        if only is not None:
            query = query.where(sources.c.id == only)
        # thousands, so that each is made into a name here, and not by SQLAlchemy
        return tuple(NameView(source_id, named(name)) for source_id, name in self._rows(query))

    def wishes(self, user_id: int, limit: int) -> tuple[NameView, ...]:
        """Briefings, the newest first, and their sections; not what tells of saved searches."""
        query = (
            select(briefings.c.id, briefings.c.title.label("name"), briefings.c.section_of)
            .where(briefings.c.user_id == user_id, ~briefings.c.at_once)
            .order_by(briefings.c.id.desc())
            .limit(limit)
        )
        return tuple(made_of(row, NameView) for row in self._rows(query))
