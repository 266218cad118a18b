"""The options that every command has, wherever among its words they stand."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from morningdeck.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Globals:
    config: Path | None = None
    user: str | None = None
    json: bool = False


def split(arguments: Sequence[str], command: object) -> tuple[Globals, list[str]]:
    """Take the global options out; a value of another option that looks like one stays."""
    found: dict[str, str] = {}
    rest: list[str] = []
    words = deque(arguments)
    while words:
        word = words.popleft()
        name, equals, value = word.partition("=")
        if word == "--":
            return _globals(found), [*rest, word, *words]
        if word == "--json":
            found["json"] = "yes"
        elif name in ("--config", "--user"):
            value = value if equals or not words else words.popleft()
            if not value:  # as of a variable that is not set: the first user is not meant
                raise ConfigError(f"{name} needs a value")
            found[name.removeprefix("--")] = value
        else:
            rest.append(word)
            command = getattr(command, "commands", {}).get(word, command)
            if words and _takes_value(getattr(command, "unnamed", command), word):
                rest.append(words.popleft())
    return _globals(found), rest


def _globals(found: dict[str, str]) -> Globals:
    config = Path(found["config"]) if "config" in found else None
    return Globals(config=config, user=found.get("user"), json="json" in found)


def _takes_value(command: object, word: str) -> bool:
    return any(
        word in parameter.opts and not getattr(parameter, "is_flag", True)
        for parameter in getattr(command, "params", ())
    )
