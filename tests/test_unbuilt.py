"""Settings of parts that are not built yet."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from morningdeck.app import open_app
from morningdeck.settings.sections import Section, Settings
from morningdeck.unbuilt import WAITING, without_effect
from tests.test_settings import keys_of_the_model

BEFORE_THE_APP = {"logging.level", "logging.format", "shutdown_seconds", "queue.broker_url"}
BEFORE_THE_APP |= {"web.base_url", "web.trusted_proxies", "web.login_header"}
"""What a command, the daemon and the web read themselves, or where work goes through a broker."""
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
    "web.enabled": True,  # as it is by default; without it nobody misses anything
}


def test_whoever_wants_it_as_it_is_hears_nothing() -> None:
    wanted = {"web": {"enabled": False}, "search": {"backend": "database"}}
    assert without_effect(Settings.model_validate(wanted)) == {}


def test_the_example_says_of_the_same_settings_that_they_wait() -> None:
    waiting, section, says = set(), "", False
    for line in EXAMPLE.read_text(encoding="utf-8").splitlines():
        if head := re.fullmatch(r"\[(\w+)\]", line):
            section = head[1]
        elif key := re.match(r"(?:# )?(\w+) = ", line):
            waiting |= {f"{section}.{key[1]}"} if says else set()
        says = "(used once" in line

    assert waiting == {key for keys in WAITING.values() for key in keys}


def recording(read: set[str], section: Section, path: str = "") -> Any:
    """The same settings, which note the key of each value that somebody takes."""
    kind: Any = type(section)

    class Recording(kind):  # type: ignore[misc]
        def __getattribute__(self, name: str) -> Any:
            if name in kind.model_fields:
                read.add(f"{path}{name}")
            return super().__getattribute__(name)

    held = {name: getattr(section, name) for name in kind.model_fields}
    return Recording.model_construct(
        **{
            name: recording(read, value, f"{name}.") if isinstance(value, Section) else value
            for name, value in held.items()
        }
    )


def test_a_setting_that_nothing_reads_waits_for_its_part(tmp_path: Path) -> None:
    read: set[str] = set()
    url = f"sqlite:///{tmp_path / 'deck.db'}"
    keys = {"client_id": "a", "client_secret": "b"}
    imap = {"host": "mail.example", "username": "ada", "password": "c"}
    given = {
        "data_dir": tmp_path,
        "database": {"url": url},
        "reddit": keys,
        "imap": imap,
        "bounces": imap,
    }
    smtp = {"host": "mail.example", "username": "ada@mail.example", "password": "e"}
    given |= {"enricher": {"api_key": "d"}, "smtp": smtp}
    given |= {"search": {"url": "http://127.0.0.1:7700", "api_key": "f"}}

    with open_app(recording(read, Settings.model_validate(given))) as app:
        app.build_engine()
        _ = app.keep, app.pictured
        for name in dir(app.adapters):
            getattr(app.adapters, name)
        for name in dir(app.adapters.outlets):
            getattr(app.adapters.outlets, name)
        _ = app.adapters.ways_out.channels
        _ = app.adapters.searching.service

    unread = set(keys_of_the_model(Settings)) - read - BEFORE_THE_APP
    assert unread <= {key for waiting in WAITING.values() for key in waiting}
