"""Statements that PostgreSQL keeps for a connection, read and planned once.

To read and plan a start costs the server more than to do it. A kept one is executed by its name,
and ends with its connection.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import MutableMapping
from contextlib import suppress
from typing import Any

from psycopg2.errors import DuplicatePreparedStatement
from psycopg2.extensions import AsIs

from morningdeck.store.database.prepared import Compiled

_OURS = secrets.token_hex(4)
_numbers = itertools.count(1)


class KeptStatement:
    def __init__(self, compiled: Compiled) -> None:
        self._name = f"kept_{_OURS}_{next(_numbers)}"
        kinds = ", ".join(compiled.kinds.values())
        self._keep = f"PREPARE {self._name} ({kinds}) AS {compiled.sql}"
        places = {name: AsIs(f"${number}") for number, name in enumerate(compiled.kinds, 1)}
        self._values = {**compiled.fixed, **places}
        values = ", ".join(f"%({name})s" for name in compiled.kinds)
        self._execute = f"EXECUTE {self._name} ({values})"

    def on(self, cursor: Any, info: MutableMapping[Any, Any]) -> str:
        """What executes it on the connection of which `info` is known."""
        kept: set[str] = info.setdefault("kept", set())
        if self._name not in kept:
            with suppress(DuplicatePreparedStatement):  # a pooler gives a session once more
                cursor.execute(self._keep, self._values)
            kept.add(self._name)  # for as long as it lasts, also if the transaction is undone
        return self._execute
