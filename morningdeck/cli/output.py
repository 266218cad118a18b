"""Printing: one JSON document, or tables for people.

What comes from feeds is shown as text only: it can neither style nor steer a terminal.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.table import Table
from rich.text import Text

from morningdeck.views import plain, to_json

_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")

Columns = Mapping[str, Callable[[Any], object]]
"""What each column is called, and what of a view it shows."""


class Output:
    def __init__(self, *, json: bool, zone: str = "UTC") -> None:
        self._json = json
        self._zone = ZoneInfo(zone)

    def show(self, view: object) -> None:
        """One object."""
        if self._json:
            print(to_json(view))
            return
        named = plain_fields(view)
        width = max((len(name) for name in named), default=0)
        for name, value in named.items():
            if value not in (None, "", (), [], {}):
                print(f"{name.replace('_', ' '):{width}}  {self._cell(value)}")

    def list(self, views: Sequence[object], columns: Columns) -> None:
        if self._json:
            print(to_json(views))
            return
        rows = [[self._cell(cell(view)) for cell in columns.values()] for view in views]
        if not sys.stdout.isatty():
            for row in [list(columns), *rows]:
                print("\t".join(row))
            return
        table = Table(*(Text(name, style="bold") for name in columns), box=None, pad_edge=False)
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        Console(highlight=False).print(table)

    def say(self, text: str) -> None:
        """For people only."""
        if not self._json:
            print(readable(text, lines=True))

    @contextmanager
    def busy(self, text: str) -> Iterator[None]:
        """On a terminal, shows that something is going on."""
        if self._json or not sys.stderr.isatty():
            yield
            return
        with Console(stderr=True).status(Text(readable(text))):
            yield

    def _cell(self, value: object) -> str:
        match value:
            case None | False:
                return ""
            case True:
                return "yes"
            case datetime():
                return value.astimezone(self._zone).strftime("%Y-%m-%d %H:%M")
            case tuple() | list():
                return ", ".join(self._cell(held) for held in value)
            case Mapping():
                return ", ".join(f"{name} {self._cell(held)}" for name, held in value.items())
            case _ if is_dataclass(value):
                return self._cell(plain_fields(value))
            case _:
                return readable(str(value))


def plain_fields(view: object) -> dict[str, object]:
    """The view's own fields, times still as times."""
    if isinstance(view, Mapping):
        return dict(view)
    if is_dataclass(view):
        return {field.name: getattr(view, field.name) for field in fields(view)}
    return {"": plain(view)}


def readable(text: str, *, lines: bool = False) -> str:
    """Without control characters and reversals of direction."""
    if lines:
        return "\n".join(readable(line) for line in text.splitlines())
    return _UNSEEN.sub(" ", text).strip()
