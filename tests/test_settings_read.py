"""No setting is for nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from morningdeck.app import open_app
from morningdeck.settings.sections import Section, Settings
from morningdeck.web.application import make_application
from morningdeck.web.server import open_port
from tests.test_settings import keys_of_the_model

BEFORE_THE_APP = {"logging.level", "logging.format", "shutdown_seconds", "queue.broker_url"}
BEFORE_THE_APP |= {"web.enabled"}
"""What a command and the daemon read themselves, or where work goes through a broker."""


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


def test_every_setting_is_read_by_something(tmp_path: Path) -> None:
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
    given |= {"web": {"port": 0}}
    given |= {"search": {"url": "http://127.0.0.1:7700", "api_key": "f"}}

    with open_app(recording(read, Settings.model_validate(given))) as app:
        app.build_engine()
        _ = app.keep, app.pictured
        for name in dir(app.adapters):
            getattr(app.adapters, name)
        _ = app.adapters.ways_out.channels
        _ = app.adapters.searching.service
        make_application(app, dict)
        open_port(app).close()

    assert set(keys_of_the_model(Settings)) - read == BEFORE_THE_APP
