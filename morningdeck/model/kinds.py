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
