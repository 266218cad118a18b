"""What a model has written, as the value that was asked for, or a ValueError.

    text --strict JSON, else repaired--> value --held against the schema--> fitting value

Schemas are JSON Schema, of which only this is used: type (object, array, string, integer),
properties, items, enum, minimum, maximum, minItems, maxItems, maxLength. All properties are
required. Numbers outside their range are moved to its edge, lists and texts cut, what is not in
an enum is refused: whatever comes out of here is what was asked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

Schema = Mapping[str, Any]

LONGEST_REPAIRED = 50_000
"""Characters: no answer that we ask for is longer, and repairing takes its time."""

_THOUGHTS = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_NUMBER = re.compile(r"\s*(-?\d{1,9})(?:[.,]\d+)?\s*(?:%|/\s*100|points?)?\s*")
_PLAIN = frozenset({"type", "properties", "items", "enum", "description"})
_NONSENSE = (ValueError, RecursionError, LookupError, TypeError, AttributeError)
"""What the repair raises over texts that nothing can be made of."""


def read_answer(text: str, schema: Schema) -> Any:
    """The value that the text holds, as the schema wants it."""
    value = json_in(text)
    try:
        return _fitted(value, schema)
    except ValueError:
        for inner in _inner(value):
            try:
                return _fitted(inner, schema)
            except ValueError:
                continue
        raise


def json_in(text: str) -> Any:
    """The JSON in the text, mended where it is broken."""
    text = _THOUGHTS.sub("", text.removeprefix("\ufeff"))
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        if len(text) > LONGEST_REPAIRED:
            raise ValueError("no JSON, and too long to mend") from None
    from json_repair import repair_json  # only broken answers need it

    try:
        return repair_json(text, return_objects=True, skip_json_loads=True)
    except _NONSENSE as error:
        raise ValueError("no JSON, and not to be mended") from error


def sent(schema: Schema) -> dict[str, Any]:
    """The schema as endpoints take it: strict, and without the bounds that some refuse."""
    said = {key: value for key, value in schema.items() if key in _PLAIN}
    if "properties" in said:
        said["properties"] = {name: sent(one) for name, one in schema["properties"].items()}
        said |= {"required": list(said["properties"]), "additionalProperties": False}
    if "items" in said:
        said["items"] = sent(schema["items"])
    return said


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _inner(value: Any) -> Iterator[Any]:
    """What else of the value may be meant: one of several, or the only one in a wrapping."""
    match value:
        case list():
            yield from reversed(value)
        case {**held} if len(held) == 1:
            yield from held.values()


def _fitted(value: Any, schema: Schema) -> Any:
    match schema["type"]:
        case "object":
            return _fitted_object(value, schema)
        case "array":
            return _fitted_list(value, schema)
        case "integer":
            return _fitted_number(value, schema)
        case _:
            return _fitted_text(value, schema)


def _fitted_object(value: Any, schema: Schema) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("no object")
    names = {str(name).strip().lower(): held for name, held in value.items()}
    if names.keys().isdisjoint(schema["properties"]):
        raise ValueError("nothing of what was asked for")
    return {name: _fitted(names.get(name), one) for name, one in schema["properties"].items()}


def _fitted_list(value: Any, schema: Schema) -> list[Any]:
    """Those members that fit, in their order."""
    members = value if isinstance(value, list) else [] if value is None else [value]
    fitting = []
    for member in members[: 10 * schema["maxItems"]]:
        try:
            fitting.append(_fitted(member, schema["items"]))
        except ValueError:
            continue
    if len(fitting) < schema.get("minItems", 0):
        raise ValueError("too few members")
    return fitting[: schema["maxItems"]]


def _fitted_number(value: Any, schema: Schema) -> int:
    if isinstance(value, str) and (found := _NUMBER.fullmatch(value)):
        value = int(found[1])
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        raise ValueError("no number")
    least, most = int(schema["minimum"]), int(schema["maximum"])
    return round(min(max(value, least), most))


def _fitted_text(value: Any, schema: Schema) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise ValueError("no text")
    if "enum" not in schema:
        return value[: schema["maxLength"]]
    for name in schema["enum"]:
        if value.strip().lower() == name.lower():
            return str(name)
    raise ValueError("not one of those that were named")
