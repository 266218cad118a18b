"""The key that signs links: one for all processes of a deck, made once."""

from __future__ import annotations

import os

from morningdeck.store.database.connect import Database
from morningdeck.store.views.signing_keys import SigningKeys


def test_whoever_asks_gets_the_same_key(database: Database) -> None:
    first = os.urandom(32)

    assert SigningKeys(database).key(first) == first
    assert SigningKeys(database).key(os.urandom(32)) == first
