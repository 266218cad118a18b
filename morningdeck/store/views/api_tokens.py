"""Keys to the interface: whose they are and how far they reach; only their digests are kept."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, insert, or_, select, true

from morningdeck.errors import NotFoundError
from morningdeck.model.kinds import TokenScope
from morningdeck.store.database.bulk import change
from morningdeck.store.expressions.repository import Repository, found, made_of
from morningdeck.store.tables.people import api_tokens, users
from morningdeck.views.reading import BearerView, TokenView, UserView

USE_NOTED_EVERY = timedelta(minutes=1)
"""Whoever asks all the time need not write all the time."""


class ApiTokens(Repository):
    def add(
        self, user_id: int, name: str, scope: TokenScope, digest: str, *, now: datetime
    ) -> TokenView:
        row = {"user_id": user_id, "name": name, "scope": scope.value, "token_hash": digest}
        with self._database.write() as connection:
            made = insert(api_tokens).values(**row, created_at=now).returning(api_tokens.c.id)
            token_id = connection.scalars(made).one()
        return found(self._views(api_tokens.c.id == token_id), f"token {token_id}")

    def list(self, user_id: int, limit: int = 50) -> tuple[TokenView, ...]:
        """The newest first."""
        return self._views(api_tokens.c.user_id == user_id, limit)

    def _views(self, which: ColumnElement[bool], limit: int = 1) -> tuple[TokenView, ...]:
        query = select(api_tokens).where(which).order_by(api_tokens.c.id.desc()).limit(limit)
        return tuple(made_of(row, TokenView) for row in self._rows(query))

    def remove(self, token_id: int, *, user_id: int | None = None) -> TokenView:
        """Of this user's, or whosever it is."""
        owned = true() if user_id is None else api_tokens.c.user_id == user_id
        this = and_(api_tokens.c.id == token_id, owned)
        view = found(self._views(this), f"token {token_id}, see: morningdeck user tokens EMAIL")
        with self._database.write() as connection:
            connection.execute(delete(api_tokens).where(this))
        return view

    def bearer(self, digest: str, *, now: datetime) -> BearerView:
        """Who shows the token of this digest, and what it opens; its use is noted."""
        query = (
            select(users, api_tokens.c.id.label("token_id"))
            .add_columns(api_tokens.c.scope, api_tokens.c.last_used_at)
            .join(api_tokens, api_tokens.c.user_id == users.c.id)
            .where(api_tokens.c.token_hash == digest, users.c.enabled)
        )
        row = self._row(query)
        if row is None:
            raise NotFoundError("there is no such token")
        if row.last_used_at is None or row.last_used_at <= now - USE_NOTED_EVERY:
            self._note_use(row.token_id, now)
        scope = TokenScope(row.scope)
        if scope is TokenScope.ADMIN and row.role != "admin":
            scope = TokenScope.WRITE  # somebody has taken the rights away since
        return BearerView(row.token_id, scope, made_of(row, UserView))

    def _note_use(self, token_id: int, now: datetime) -> None:
        last = api_tokens.c.last_used_at
        earlier = or_(last.is_(None), last <= now - USE_NOTED_EVERY)
        with self._database.write(lasting=False) as connection:
            this = and_(api_tokens.c.id == token_id, earlier)
            change(connection, api_tokens, this, last_used_at=now)
