"""The searches that a reader has saved, and where they tell what they find."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, insert, select, update

from morningdeck.discreet import said
from morningdeck.errors import ConfigError, ConflictError
from morningdeck.model.wanting import NewSearch
from morningdeck.store.database.bulk import insert_new
from morningdeck.store.expressions.briefings import whole
from morningdeck.store.expressions.repository import Repository, found
from morningdeck.store.expressions.visibility import check_briefing
from morningdeck.store.notices.troubles import end_what_is_over
from morningdeck.store.tables.briefs import briefings
from morningdeck.store.tables.columns import storable
from morningdeck.store.tables.news import items
from morningdeck.store.tables.people import users
from morningdeck.store.tables.searches import saved_searches
from morningdeck.store.views.users import valid_recipients
from morningdeck.views.sent import SavedSearchView

LONGEST_SEARCH_NAME = 200
LONGEST_SAVED_QUERY = 2000
MOST_SEARCHES = 200
NOW = "now"


class SavedSearches(Repository):
    def save(self, user_id: int, wanted: NewSearch, *, now: datetime) -> SavedSearchView:
        """What is there already never alerts: only what is done from now on."""
        name, query = name_of(wanted.name), _query(wanted.query)
        with self._database.write() as connection:
            # whatever is done before this is committed was there before, all else sees the search
            self._database.hold_writers(connection, items)
            _check_room(connection, user_id)
            briefing_id = wanted.briefing_id
            if briefing_id is not None:
                check_briefing(connection, user_id, briefing_id)
            row = {"user_id": user_id, "name": name, "query": query, "briefing_id": briefing_id}
            new = insert_new(connection, saved_searches, [row], ("user_id", "name"), ("id",))
            if not new:
                raise ConflictError(
                    f"there is a saved search {name!r} already: morningdeck search remove ends it"
                )
            if wanted.at_once:
                told_by = _tell_at_once(connection, user_id, name, wanted, now)
                this = saved_searches.c.id == new[0].id
                connection.execute(update(saved_searches).where(this).values(briefing_id=told_by))
        return self.show(user_id, name)

    def list(self, user_id: int, limit: int = 50) -> tuple[SavedSearchView, ...]:
        query = _views(user_id).order_by(saved_searches.c.id.desc()).limit(limit)
        return tuple(map(_view, self._rows(query)))

    def show(self, user_id: int, name: str) -> SavedSearchView:
        this = _views(user_id).where(saved_searches.c.name == name_of(name))
        return _view(found(self._rows(this), f"saved search {name!r}"))

    def remove(self, user_id: int, name: str) -> None:
        """With what it has found, and the mails that told of it."""
        view = self.show(user_id, name)
        with self._database.write() as connection:
            this = saved_searches.c.id == view.id
            own = select(saved_searches.c.briefing_id).where(this)
            at_once = briefings.c.id == own.scalar_subquery()
            connection.execute(delete(briefings).where(at_once, briefings.c.at_once))
            connection.execute(delete(saved_searches).where(this))
            end_what_is_over(connection)

    def usual_recipients(self, user_id: int) -> Sequence[str]:
        """Those of the reader's first briefing."""
        first = select(briefings.c.recipients).where(briefings.c.user_id == user_id, whole())
        return self._scalar(first.order_by(briefings.c.id).limit(1)) or ()


def name_of(text: str) -> str:
    """In one line, as databases keep it."""
    name = unicodedata.normalize("NFC", " ".join(storable(text).split()))
    if not name:
        raise ConfigError("a saved search needs a name")
    if len(name) > LONGEST_SEARCH_NAME:
        raise ConfigError(f"the name of a search has {LONGEST_SEARCH_NAME} characters at most")
    return name


def _query(text: str) -> str:
    query = storable(text).strip()
    if not query:
        raise ConfigError("a saved search needs a query: what is it to find?")
    if len(query) > LONGEST_SAVED_QUERY:
        raise ConfigError(f"a saved query has {LONGEST_SAVED_QUERY} characters at most")
    return query


def _check_room(connection: Connection, user_id: int) -> None:
    own = select(saved_searches.c.id).where(saved_searches.c.user_id == user_id)
    if len(connection.scalars(own.limit(MOST_SEARCHES)).all()) == MOST_SEARCHES:
        raise ConflictError(
            f"there are {MOST_SEARCHES} saved searches already: morningdeck search remove ends one"
        )


def _tell_at_once(
    connection: Connection, user_id: int, name: str, wanted: NewSearch, now: datetime
) -> int:
    """What writes the mails of this search: by the clock of its reader, in the language of the
    first briefing.
    """
    zone = connection.scalar(select(users.c.timezone).where(users.c.id == user_id))
    language = select(briefings.c.language).where(briefings.c.user_id == user_id, whole())
    values: dict[str, Any] = {
        "user_id": user_id,
        "title": name,
        "at_once": True,
        "paused": True,
        "recipients": valid_recipients(wanted.recipients),
        "channels": wanted.channels,
        "timezone": zone,
        "language": connection.scalar(language.order_by(briefings.c.id).limit(1)),
        "next_run_at": now,
        "due_at": now,
    }
    made: int = connection.scalars(
        insert(briefings).values(**values).returning(briefings.c.id)
    ).one()
    return made


def _views(user_id: int) -> Select[Any]:
    return (
        select(
            saved_searches,
            *(briefings.c.at_once, briefings.c.recipients, briefings.c.channels),
        )
        .select_from(saved_searches.outerjoin(briefings))
        .where(saved_searches.c.user_id == user_id)
    )


def _view(row: Row[Any]) -> SavedSearchView:
    return SavedSearchView(
        id=row.id,
        name=row.name,
        query=row.query,
        alert=NOW if row.at_once else row.briefing_id,
        to=tuple(map(said, row.recipients or ())),
        channels=tuple(row.channels or ()),
    )
