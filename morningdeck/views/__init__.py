"""What users are shown: the JSON objects of the command line and the REST API.

Each class is one object, field by field; `to_json` writes any of them. Nothing in here
asks a database or decides anything.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import PurePath
from typing import Any


def to_json(view: object) -> str:
    """One JSON document in plain ASCII, so that no terminal and no locale can spoil it."""
    return json.dumps(as_json(view), indent=2)


def as_json(value: object) -> Any:
    """The view as JSON knows it: objects, arrays, strings, numbers; times in UTC with `Z`."""
    match value:
        case datetime():
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case Enum():
            return value.value
        case Mapping():
            return {str(as_json(key)): as_json(held) for key, held in value.items()}
        case tuple() | list():
            return [as_json(held) for held in value]
        case PurePath():
            return str(value)
        case _ if is_dataclass(value):
            return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
        case _:
            return value
