"""Connections to PostgreSQL: one pool for each way of working, all of them bounded together.

A pool's connections keep the isolation level that they were made with: setting it when one
is taken costs a round trip, and fails outside the toolkit where the connection is broken.
"""

from __future__ import annotations

from typing import Any, Literal

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import PoolProxiedConnection, QueuePool

OPTIONS = {
    "connect_timeout": 5,
    "keepalives": 1,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
    "application_name": "morningdeck",
    "options": "-c statement_timeout=30000 -c lock_timeout=5000"
    " -c idle_in_transaction_session_timeout=60000 -c timezone=UTC",
}

Isolation = Literal["AUTOCOMMIT", "READ COMMITTED"]


class Engines:
    """`single` for statements that are transactions of their own, `writing` for all others;
    the one connection of `heartbeat` is nobody else's.
    """

    def __init__(self, url: URL, pool_size: int) -> None:
        shared = max(2, pool_size - 1)
        writing = shared // 2
        self._epoch = Epoch()
        self.single = self._engine(url, shared - writing, "AUTOCOMMIT")
        self.writing = self._engine(url, writing, "READ COMMITTED")
        # used so seldom that it would be the last to hear of a restart
        self.heartbeat = self._engine(url, 1, "AUTOCOMMIT", pool_pre_ping=True)

    def _engine(self, url: URL, size: int, isolation: Isolation, **more: Any) -> Engine:
        engine = create_engine(
            url,
            poolclass=QueuePool,
            pool_size=size,
            max_overflow=0,
            pool_timeout=10,
            pool_recycle=1800,
            pool_use_lifo=True,
            isolation_level=isolation,
            hide_parameters=True,
            connect_args=OPTIONS,
            **more,
        )
        self._epoch.watch(engine)
        return engine

    def broken(self, connection: PoolProxiedConnection, error: BaseException) -> None:
        """Not to be used again, nor any other that is as old."""
        self._epoch.end(connection.info)
        connection.invalidate(error)

    def dispose(self) -> None:
        for engine in (self.single, self.writing, self.heartbeat):
            engine.dispose()


class Epoch:
    """Ends when a connection is found broken: a server that ended one has ended all of them,
    and nobody should have to meet each.

    The toolkit does that for each pool by the wall clock, which may be set.
    """

    def __init__(self) -> None:
        self._number = 0

    def watch(self, engine: Engine) -> None:
        event.listen(engine, "connect", self._made)
        event.listen(engine, "checkout", self._taken)
        event.listen(engine, "handle_error", self._failed)

    def end(self, info: dict[Any, Any]) -> None:
        if info.get("epoch") == self._number:
            self._number += 1

    def _made(self, _connection: Any, record: Any) -> None:
        record.info.update(epoch=self._number, fresh=True)

    def _taken(self, _connection: Any, record: Any, _proxy: Any) -> None:
        fresh = record.info.pop("fresh", False)
        if not fresh and record.info["epoch"] != self._number:
            raise DisconnectionError  # the pool makes another

    def _failed(self, context: ExceptionContext) -> None:
        context.invalidate_pool_on_disconnect = False
        connection = context.connection
        if connection is None or connection.closed or connection.invalidated:
            return
        if context.is_disconnect:
            self.end(connection.connection.info)
