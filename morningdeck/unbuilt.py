"""Settings of parts that are not built yet: whoever sets one is told so, rather than nothing.

A part that arrives takes its lines out of here, and its words out of the example settings.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from morningdeck.settings.sections import Settings

DAEMON_WEB = "the web in the daemon itself; until then run morningdeck web"
WAITING = {
    DAEMON_WEB: ("web.enabled", "web.host", "web.port"),
}
"""By the part that will read them."""
THERE: Mapping[str, Collection[object]] = {
    "web.enabled": (False,),
}
"""Values that already work."""


def without_effect(settings: Settings) -> Mapping[str, tuple[str, ...]]:
    """The changed settings that have no effect yet, by the part that will read them."""
    defaults = Settings()
    found = {
        part: tuple(
            key
            for key in keys
            if _at(settings, key) != _at(defaults, key)
            and _at(settings, key) not in THERE.get(key, ())
        )
        for part, keys in WAITING.items()
    }
    return {part: keys for part, keys in found.items() if keys}


def _at(settings: Settings, key: str) -> Any:
    section, _, name = key.partition(".")
    return getattr(getattr(settings, section), name)
