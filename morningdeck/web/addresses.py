"""Where things are: the only maker of addresses of pages and of what they are made of.

All of them lie below the path of `web.base_url`, whether a proxy leaves that on or takes it off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from morningdeck.errors import ConfigError

HIGHEST_SIGN = 0x20


@dataclass(frozen=True, slots=True)
class Addresses:
    base_path: str = ""
    origin: str | None = None
    """`https://example.org`, where the settings say it."""

    def to(self, path: str, query: Mapping[str, object] | None = None, **more: object) -> str:
        """`/deck/feed?unread=1` of `/feed`; what is None is left out, a list is said again."""
        asked = {**(query or {}), **more}
        given = [(name, value) for name, value in asked.items() if value is not None]
        return self.base_path + path + (f"?{urlencode(given, doseq=True)}" if given else "")

    def asset(self, name: str) -> str:
        """Of a file in `static/`, with the hash of what is in it."""
        from morningdeck.web.assets import ASSETS  # commands that name an address need no server

        return self.to(f"/static/{ASSETS[name].address}")

    def whole(self, path: str, seen_at: str = "") -> str:
        """With the host: as the settings say, else where it was `seen_at`."""
        return f"{self.origin or seen_at}{self.to(path)}"

    @property
    def host(self) -> str | None:
        return None if self.origin is None else urlsplit(self.origin).hostname

    @property
    def behind_tls(self) -> bool:
        return self.origin is not None and self.origin.startswith("https:")


def addresses_below(base_url: str | None) -> Addresses:
    """`/deck` of https://example.org/deck/."""
    try:
        parts = urlsplit(base_url or "")
        _ = parts.port
    except ValueError as error:
        raise ConfigError(f"web.base_url: {base_url!r} is no address: {error}") from error
    whole = parts.scheme in ("http", "https") and parts.netloc
    origin = f"{parts.scheme}://{parts.netloc}".lower() if whole else None
    return Addresses(parts.path.rstrip("/"), origin)


def own_path(text: str) -> str:
    """The path of ours that somebody names, else `/`: nobody is led elsewhere."""
    foreign = not text.startswith("/") or text[1:2] in ("/", "\\")
    odd = "\\" in text or any(ord(sign) <= HIGHEST_SIGN or ord(sign) > 0x7E for sign in text)
    return "/" if foreign or odd else text
