"""Printing: one JSON document, or tables for people.

What comes from feeds is shown as text only: it can neither style nor steer a terminal.
"""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from morningdeck import moments
from morningdeck.discreet import STEERING
from morningdeck.schedule import zone_or_utc
from morningdeck.views import as_json, to_json

if TYPE_CHECKING:
    from rich.text import Text

_UNSEEN = re.compile(rf"[{STEERING}\t\n\ud800-\udfff]+")

UNLIMITED = 10_000
EMPTY: tuple[object, ...] = (None, "", (), [], {})

Derived = Callable[[Any], object]


class Output:
    """`now` is when it is read: then near times need no year."""

    def __init__(self, *, json: bool, zone: str = "UTC", now: datetime | None = None) -> None:
        self._json = json
        self._now = now
        self.zone = zone_or_utc(zone)

    @property
    def on_terminal(self) -> bool:
        return sys.stdout.isatty()

    @property
    def width(self) -> int:
        """Of the terminal; lines for another program may be as long as they like."""
        return shutil.get_terminal_size().columns if self.on_terminal else UNLIMITED

    def show(self, view: object) -> None:
        """One object."""
        if self._json:
            print(to_json(view))
            return
        named = {name: value for name, value in own_fields(view).items() if value not in EMPTY}
        width = max((len(name) for name in named), default=0)
        for name, value in named.items():
            first, *others = self._wrapped(self._lines(value), self.width - width - 2)
            print(f"{name.replace('_', ' '):{width}}  {first}")
            for line in others:
                print(f"{'':{width}}  {line}")

    def _wrapped(self, lines: Sequence[str], width: int) -> Sequence[str]:
        """Between words: an address stays whole."""
        wrap = partial(textwrap.wrap, break_long_words=False, break_on_hyphens=False)
        wrapped = [part for line in lines for part in wrap(line, max(20, width))]
        return wrapped or lines

    def _lines(self, value: object) -> list[str]:
        """One line, or one for each object in it."""
        match value:
            case Mapping() if any(is_dataclass(held) for held in value.values()):
                return [f"{name}: {self._cell(held)}" for name, held in value.items()]
            case tuple() if any(is_dataclass(held) for held in value):
                return [self._cell(held) for held in value]
            case _:
                return [self._cell(value)]

    def either(self, view: object, for_people: Callable[[], None]) -> None:
        """One object for programs, something else for people."""
        if self._json:
            print(to_json(view))
        else:
            for_people()

    def list(self, views: Sequence[object], shown: str, **derived: Derived) -> None:
        """Many objects: of each, people are shown these fields and what is derived from it."""
        if self._json:
            print(to_json(views))
            return
        names = shown.split()
        columns = [name.replace("_", " ") for name in (*names, *derived)]
        rows = [
            [getattr(view, name) for name in names] + [of(view) for of in derived.values()]
            for view in views
        ]
        if self.on_terminal:
            self._table(columns, rows)
        else:
            for row in [columns, *([self._cell(value) for value in row] for row in rows)]:
                print("\t".join(row))

    def _table(self, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        from rich.text import Text  # see `print`

        from morningdeck.cli.table import fit

        if not rows:
            self.print(Text("none", style="dim"))
            return
        cells = [[self._entry(value) for value in row] for row in rows]
        lines = [Text(line) for line in fit(columns, cells, self.width)]
        lines[0].stylize("bold")
        if any(isinstance(value, datetime) for row in rows for value in row):
            lines.append(Text(f"times are {self.zone.key}", style="dim"))
        self.print(*lines)

    def print(self, *lines: Text) -> None:
        """Lines that are no wider than the terminal, or may be folded by it."""
        from rich.console import Console  # what goes to another program has no need of rich

        console = Console(highlight=False, soft_wrap=True)
        for line in lines:
            console.print(line)

    def text(self, name: str, text: str) -> None:
        """A document as it is; on a terminal without what could steer it."""
        if self._json:
            print(to_json({name: text}))
        elif self.on_terminal:
            print(readable(text, lines=True))
        else:
            sys.stdout.write(text)

    def say(self, text: str) -> None:
        """For people only."""
        if not self._json:
            print(readable(text, lines=True))

    def note(self, text: str) -> None:
        """For people only, beside what they asked for."""
        if text and not self._json:
            print(readable(text), file=sys.stderr)

    @contextmanager
    def busy(self, text: str) -> Iterator[Callable[[str], None]]:
        """On a terminal, show that work is going on; call the yielded function to say which."""
        if self._json or not sys.stderr.isatty():
            yield lambda news: None
            return
        from rich.console import Console
        from rich.text import Text

        with Console(stderr=True).status(Text(readable(text))) as line:
            yield lambda news: line.update(Text(readable(news)))

    def _entry(self, value: object) -> str:
        """A cell of a table: times are short, False is empty."""
        if isinstance(value, datetime) and self._now is not None:
            return moments.short(value, self._now, self.zone)
        return "" if value is False else self._cell(value)

    def _cell(self, value: object) -> str:
        match value:
            case None:
                return ""
            case bool():
                return "yes" if value else "no"
            case datetime():
                return moments.full(value, self.zone)
            case tuple() | list():
                return ", ".join(self._cell(held) for held in value)
            case Mapping():
                known = {name: held for name, held in value.items() if held not in EMPTY}
                return ", ".join(f"{name} {self._cell(held)}" for name, held in known.items())
            case _ if is_dataclass(value):
                return self._cell(own_fields(value))
            case _:
                return readable(str(value))


def own_fields(view: object) -> dict[str, object]:
    """The view's own fields, times still as times."""
    if isinstance(view, Mapping):
        return dict(view)
    if is_dataclass(view):
        return {field.name: getattr(view, field.name) for field in fields(view)}
    return {"": as_json(view)}


def readable(text: str, *, lines: bool = False, strip: bool = True) -> str:
    """Without control characters and reversals of direction."""
    if lines:
        return "\n".join(_UNSEEN.sub(" ", line) for line in text.splitlines())
    seen = _UNSEEN.sub(" ", text)
    return seen.strip() if strip else seen


def shown_path(path: Path) -> str:
    """The path, relative to the current folder if it lies there."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
