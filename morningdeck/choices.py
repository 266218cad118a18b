"""What the settings may name: the lines of a registry, and what this version does not have yet.

Registries are imported when somebody has chosen, so that the defaults cost nothing.
"""

from __future__ import annotations

from pathlib import Path

from morningdeck.errors import ConfigError


def enricher(name: str) -> str:
    from morningdeck.enrichers import ENRICHERS

    return _one_of(name, "auto", *sorted(ENRICHERS, reverse=True))


def prompt_folder(folder: Path) -> Path:
    from morningdeck.prompts import read_prompts

    try:
        read_prompts(folder)
    except ConfigError as error:
        raise ValueError(str(error)) from None
    return folder


def search_backend(name: str) -> str:
    from morningdeck.search import SEARCHERS

    return _one_of(name, "auto", *SEARCHERS, "meilisearch")


def _one_of(name: str, *names: str) -> str:
    if name in names:
        return name
    *others, last = (repr(one) for one in dict.fromkeys(names))
    raise ValueError(f"must be {', '.join(others)} or {last}, got {name!r}")
