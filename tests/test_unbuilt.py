"""Settings of parts that are not built yet."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from morningdeck.settings import Settings
from morningdeck.unbuilt import WAITING, without_effect

EXAMPLE = Path(__file__).parents[1] / "config" / "morningdeck.example.toml"


def test_nobody_is_told_of_what_was_not_set() -> None:
    assert without_effect(Settings()) == {}


@pytest.mark.parametrize("part", WAITING)
def test_whoever_sets_what_is_not_built_is_told_so(part: str) -> None:
    given: dict[str, dict[str, object]] = {}
    for section, _, name in (key.partition(".") for key in WAITING[part]):
        given.setdefault(section, {})[name] = OTHER.get(f"{section}.{name}", "7")

    told = tuple(key for key in WAITING[part] if key != "web.enabled")
    assert without_effect(Settings.model_validate(given)) == {part: told}


OTHER = {
    "enricher.kind": "openai",
    "delivery.on_ambiguous": "resend",
    "smtp.security": "none",
    "search.backend": "meilisearch",
    "queue.backend": "celery",
    "web.enabled": True,  # as it is by default; without it nobody misses anything
}


def test_whoever_wants_it_as_it_is_hears_nothing() -> None:
    wishes = {"web": {"enabled": False}, "search": {"backend": "database"}}
    assert without_effect(Settings.model_validate(wishes)) == {}


def test_the_example_says_of_the_same_settings_that_they_wait() -> None:
    waiting, section, says = set(), "", False
    for line in EXAMPLE.read_text(encoding="utf-8").splitlines():
        if head := re.fullmatch(r"\[(\w+)\]", line):
            section = head[1]
        elif key := re.match(r"(?:# )?(\w+) = ", line):
            waiting |= {f"{section}.{key[1]}"} if says else set()
        says = "(used once" in line

    assert waiting == {key for keys in WAITING.values() for key in keys}
