"""A pooler such as PgBouncer between us and PostgreSQL: in transaction mode it is refused.

There each transaction may have another session of the server: locks that outlast one
are let go by somebody else, notifications reach nobody, settings of a session are lost.
"""

from __future__ import annotations

from sqlalchemy import Connection, Engine, func, select

from morningdeck.errors import ConfigError, DatabaseAwayError

POOLER_LOOKS = 3
WHAT_TO_DO = (
    "connect to PostgreSQL itself, or to a pool with pool_mode = session and"
    " ignore_startup_parameters = options, with as many connections as all processes have together"
)


def refuse_shared_sessions(engine: Engine) -> None:
    """Two clients at once never have one session of the server, but by such a pooler."""
    with engine.connect() as one:
        if _session_of(one) == _told(one):
            return
        with engine.connect() as other:
            shared = any(_session_of(one) == _session_of(other) for _ in range(POOLER_LOOKS))
    if shared:
        raise ConfigError(
            "database.url leads to a pooler in transaction mode, with which locks and notifications"
            f" do not work: {WHAT_TO_DO}"
        )


def _session_of(connection: Connection) -> int:
    return int(connection.scalar(select(func.pg_backend_pid())) or 0)


def _told(connection: Connection) -> int:
    """The number of the session as the other side told it at first: a pooler tells its own."""
    told: int = connection.connection.dbapi_connection.info.backend_pid  # type: ignore[union-attr]
    return told


def refused_settings(error: DatabaseAwayError) -> ConfigError | None:
    """In words, if a pooler refuses the settings of our sessions."""
    if "unsupported startup parameter" not in str(error):
        return None
    return ConfigError(f"database.url leads to a pooler that refuses our settings: {WHAT_TO_DO}")
