"""The kinds of sources, and how well one is."""

from __future__ import annotations

from enum import StrEnum


class SourceType(StrEnum):
    """Those that have rules of their own somewhere; `sources` knows all that can be read."""

    RSS = "RSS"
    WEB = "WEB"
    REDDIT = "REDDIT"
    EMAIL = "EMAIL"
    SAVED = "SAVED"


PRIVATE = (SourceType.EMAIL, SourceType.SAVED)
"""The types whose items are one reader's own."""


class Health(StrEnum):
    ACTIVE = "active"
    DEGRADED = "degraded"
    INACTIVE = "inactive"
    GONE = "gone"


class TokenScope(StrEnum):
    """How far a token reaches, each as far as those before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def covers(self, other: TokenScope) -> bool:
        order = tuple(TokenScope)
        return order.index(self) >= order.index(other)
