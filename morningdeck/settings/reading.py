"""Reading the settings: defaults < TOML file < environment, all mistakes told at once."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import SecretStr, ValidationError

from morningdeck.errors import ConfigError
from morningdeck.folders import data_folder, settings_file
from morningdeck.settings.sections import Settings

PREFIX = "MORNINGDECK_"
ALIASES = {
    "DATABASE_URL": ("database", "url"),
    "OPENAI_API_KEY": ("enricher", "api_key"),
    "OPENAI_BASE_URL": ("enricher", "base_url"),
}
WORDS = {
    "extra": "there is no such setting",
    "greater_than": "must be greater than {gt:g}, got {got}",
    "greater_than_equal": "must be at least {ge:g}, got {got}",
    "less_than_equal": "must be at most {le}, got {got}",
    "less_than": "must be less than {lt:g}, got {got}",
    "finite": "must be a number, got {got}",
    "literal": "must be {expected}, got {got!r}",
    "value": "{error}",
    "string": "must be text in quotes",
    "path": "must be a path in quotes",
    "tuple": "must be a list in square brackets",
    "model": "must be a section with keys of its own",
    "int": "must be a whole number, got {got!r}",
    "float": "must be a number, got {got!r}",
    "bool": "must be true or false, got {got!r}",
}
"""What pydantic finds wrong (by its name or the first word of it), said to people."""


def load(file: Path | None = None, environment: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings; `file` must exist if it is named."""
    chosen = environment.get(f"{PREFIX}CONFIG")
    named = file or (Path(chosen) if chosen else None)
    values = _from_file(named or settings_file(environment), required=named is not None)
    mistakes = _add_environment(values, environment)
    values.setdefault("data_dir", str(data_folder(environment)))
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        mistakes += _in_words(error)
    if mistakes:
        raise ConfigError("; ".join(mistakes))
    return settings


def _from_file(file: Path, *, required: bool) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if required:
            raise ConfigError(f"there is no settings file {str(file)!r}") from None
        return {}
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file} is not valid TOML: {error}") from error
    except (OSError, ValueError) as error:  # no UTF-8, or a name that no file can have
        raise ConfigError(f"cannot read settings file {str(file)!r}: {error}") from error


def _add_environment(values: dict[str, Any], environment: Mapping[str, str]) -> list[str]:
    """Set what the environment says over what the file says; returns the mistakes in it.

    An empty variable counts as not set, as in a compose file that passes one on.
    """
    paths: dict[str, tuple[str, ...]] = {**ALIASES}
    for name in sorted(environment):
        if name.startswith(PREFIX) and name != f"{PREFIX}CONFIG":
            paths[name] = tuple(name.removeprefix(PREFIX).lower().split("__"))
    mistakes = []
    for name, path in paths.items():
        if environment.get(name):
            try:
                _put(values, *_value(path, environment[name]))
            except ConfigError as error:
                mistakes.append(f"{name}: {error}")
    return mistakes


def _value(path: tuple[str, ...], text: str) -> tuple[tuple[str, ...], Any]:
    """JSON where the key is not a string; `..._FILE` names a file that holds the secret."""
    if path[-1].endswith("_file"):
        path = (*path[:-1], path[-1].removesuffix("_file"))
        try:
            return path, Path(text).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"cannot read the secret: {error}") from error
    if _holds_text(path):
        return path, text
    try:
        return path, json.loads(text)
    except json.JSONDecodeError:
        return path, text  # perhaps `yes`, which is a boolean too; else it is reported


def _holds_text(path: tuple[str, ...]) -> bool:
    """Is it a key whose value is taken as it stands?"""
    model: Any = Settings
    for key in path:
        field = getattr(model, "model_fields", {}).get(key)
        if field is None:
            raise ConfigError("there is no such setting")
        model = field.annotation
    kinds = (model, *get_args(model))
    return get_origin(model) is Literal or any(kind in kinds for kind in (str, Path, SecretStr))


def _put(values: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for key in path[:-1]:
        values = values.setdefault(key, {})
        if not isinstance(values, dict):
            return  # the file has something else for a section, which is reported as that
    values[path[-1]] = value


def _in_words(error: ValidationError) -> list[str]:
    """One line for each mistake; what may be a secret is never repeated."""
    lines = []
    for problem in error.errors(include_url=False):
        where = ".".join(str(part) for part in problem["loc"])
        kind, found = problem["type"], {**problem.get("ctx", {}), "got": problem["input"]}
        words = WORDS.get(kind) or WORDS.get(kind.partition("_")[0], problem["msg"])
        lines.append(f"{where}: {words.format(**found)}")
    return lines
