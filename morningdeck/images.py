"""The images of items, fetched for their readers and kept a while: so that servers elsewhere learn
of a deck only that somebody in it has looked.

    of(url) --kept?--> file in the folder --else--> Http (guarded) --what is it?--> kept, answered

What a thing is, its first bytes say, whatever its server calls it. SVG is none: it can hold
scripts. What could not be had is not asked for again for a while either.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

from morningdeck import files
from morningdeck.errors import MorningDeckError, NotFoundError
from morningdeck.logs import log
from morningdeck.ports.engine import Clock
from morningdeck.ports.verbs import Http

KEPT, REFUSED_FOR = timedelta(days=30), timedelta(minutes=10)
LEFT_OF_FULL = 0.8
"""How full the folder is after what is oldest had to go."""
IMAGE_TYPES = ("image/avif", "image/gif", "image/jpeg", "image/png", "image/webp")
NOT_TO_BE_HAD = "this image cannot be had: its server does not give it, or it is none"


def type_of(content: bytes) -> str | None:
    """None for what no page may show."""
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if content.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    if content[4:12] in (b"ftypavif", b"ftypavis"):
        return "image/avif"
    return None


@dataclass(frozen=True, slots=True)
class Image:
    content: bytes
    type: str


class Images:
    """Thread safe, and several processes may share a folder. `most_bytes` is for all together."""

    def __init__(
        self, http: Callable[[], Http], folder: Path, clock: Clock, *, most_bytes: int
    ) -> None:
        self._http = http
        self._folder = folder
        self._clock = clock
        self._most_bytes = most_bytes
        self._size: int | None = None
        """Of what is kept; None until it was counted. Others may have added to it."""

    def of(self, url: str) -> Image:
        """NotFoundError for what cannot be had, or is no image."""
        content = self._kept(url)
        if content is None:
            content = self._fetched(url)
            self.keep(url, content)
        type_ = type_of(content)
        if type_ is None:
            raise NotFoundError(NOT_TO_BE_HAD)
        return Image(content, type_)

    def _fetched(self, url: str) -> bytes:
        """Nothing where there is no image."""
        try:
            content = self._http().get(url, accept=", ".join(IMAGE_TYPES)).body
        except MorningDeckError as error:
            log.info("image_left_out", reason=str(error))
            return b""
        return content if type_of(content) else b""

    def _file(self, url: str) -> Path:
        return self._folder / sha256(url.encode("utf-8", "replace")).hexdigest()

    def _kept(self, url: str) -> bytes | None:
        try:
            with self._file(url).open("rb") as file:
                content, since = file.read(), os.fstat(file.fileno()).st_mtime
        except OSError:  # what cannot be read is as good as gone
            return None
        age = timedelta(seconds=self._clock().timestamp() - since)
        return content if age < (KEPT if content else REFUSED_FOR) else None

    def keep(self, url: str, content: bytes) -> None:
        """Nothing, where there is no image. A full disk is no reason to show none."""
        try:
            files.make_folder(self._folder)
            files.replace(self._file(url), content)
            now = self._clock().timestamp()
            os.utime(self._file(url), (now, now))
            self._make_room(len(content))
        except OSError as error:
            log.warning("image_not_kept", error=str(error), advice="look at the data folder")

    def _make_room(self, added: int) -> None:
        if self._size is not None:
            self._size += added
        if self._size is None or self._size > self._most_bytes:
            self._size = self._emptied_to(LEFT_OF_FULL * self._most_bytes)

    def _emptied_to(self, most: float) -> int:
        """Remove what is oldest, where there is too much; returns how many bytes are left."""
        there = []
        for entry in os.scandir(self._folder):
            with suppress(FileNotFoundError):  # another process was quicker
                there.append((entry.stat().st_mtime, entry.stat().st_size, entry.path))
        size = sum(length for _, length, _ in there)
        if size <= self._most_bytes:
            return size
        for _, length, path in sorted(there):
            if size <= most:
                break
            Path(path).unlink(missing_ok=True)
            size -= length
        return size
