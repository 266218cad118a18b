"""Values out of rows."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

Value = TypeVar("Value")


def made_of(row: Any, kind: type[Value], **others: Any) -> Value:
    """The dataclass whose fields are the row's columns of the same names, but for the `others`."""
    names = (field.name for field in fields(kind) if field.name not in others)  # type: ignore[arg-type]  # a dataclass
    return kind(**{name: getattr(row, name) for name in names}, **others)
