"""Mistakes in settings: all said at once, in plain words, without secrets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from morningdeck.errors import ConfigError
from morningdeck.settings.sections import Section, Settings

from .test_settings import settings_of


def mistakes_of(tmp_path: Path, text: str = "", **environment: str) -> list[str]:
    with pytest.raises(ConfigError) as raised:
        settings_of(tmp_path, text, **environment)
    return str(raised.value).split("; ")


def keys_with_kinds(model: type[Section], *path: str) -> Iterator[tuple[str, Any]]:
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, Section):
            yield from keys_with_kinds(field.annotation, *path, name)
        else:
            yield ".".join((*path, name)), field.annotation


def test_a_file_that_is_no_toml_is_named_with_the_place(tmp_path: Path) -> None:
    assert "settings.toml is not valid TOML" in mistakes_of(tmp_path, "workers = = 4")[0]


def test_all_mistakes_are_said_at_once_in_plain_words(tmp_path: Path) -> None:
    text = """
        shutdown_seconds = "soon"
        colour = "red"
        briefing = 3
        [fetch]
        workers = 0
        batch = 1.5
        enabled = "perhaps"
        threads = 4
        [processing]
        depth_trigger = -1
        [http]
        allow_networks = ["127.0.0.0/8", "10.0.0/8"]
        timeout_seconds = inf
        user_agent = 1
        [smtp]
        port = 99999
        security = "ssl"
        [delivery]
        folder = 7
        [retry]
        schedule_minutes = 5
    """
    assert sorted(mistakes_of(tmp_path, text)) == [
        "briefing: must be a section with keys of its own",
        "colour: there is no such setting",
        "delivery.folder: must be a path in quotes",
        "fetch.batch: must be a whole number, got 1.5",
        "fetch.enabled: must be true or false, got 'perhaps'",
        "fetch.threads: there is no such setting",
        "fetch.workers: must be greater than 0, got 0",
        "http.allow_networks.1: must be networks like 10.0.0.0/8, got '10.0.0/8'",
        "http.timeout_seconds: must be a number, got inf",
        "http.user_agent: must be text in quotes",
        "processing.depth_trigger: must be at least 0, got -1",
        "retry.schedule_minutes: must be a list in square brackets",
        "shutdown_seconds: must be a number, got 'soon'",
        "smtp.port: must be less than 65536, got 99999",
        "smtp.security: must be 'starttls', 'tls' or 'none', got 'ssl'",
    ]


@pytest.mark.parametrize("value", [str(2**63), "1e300", "1" + "0" * 400, "-1"])
def test_no_number_leads_out_of_the_calendar_or_the_machine(tmp_path: Path, value: str) -> None:
    numbers = [key for key, kind in keys_with_kinds(Settings) if kind in (int, float)]

    for key in numbers:
        found = mistakes_of(tmp_path, **{key.replace(".", "__"): value})
        assert len(found) == 1, key
        assert found[0].startswith(f"{key}: must be "), found


def test_no_wait_for_a_server_is_longer_than_a_socket_can_count(tmp_path: Path) -> None:
    waits = [key for key, _ in keys_with_kinds(Settings) if key.endswith(".timeout_seconds")]

    for key in waits:
        found = mistakes_of(tmp_path, **{key.replace(".", "__"): "50000000"})
        assert found == [f"{key}: must be at most 1000000.0, got 50000000"]
    assert len(waits) == 3


def test_mistakes_of_the_environment_are_among_them(tmp_path: Path) -> None:
    found = mistakes_of(
        tmp_path,
        "[web]\nport = -1",
        workers="4",
        fetch__wrokers="4",
        fetch__workers__x="4",
        fetch__workers="many",
        http__allow_networks="[",
        smtp__password_file=str(tmp_path / "gone"),
    )

    assert sorted(line.partition(": ")[0] for line in found) == [
        "MORNINGDECK_FETCH__WORKERS__X",
        "MORNINGDECK_FETCH__WROKERS",
        "MORNINGDECK_SMTP__PASSWORD_FILE",
        "MORNINGDECK_WORKERS",
        "fetch.workers",
        "http.allow_networks",
        "web.port",
    ]
    assert "fetch.workers: must be a whole number, got 'many'" in found


def test_a_mistake_never_repeats_a_secret(tmp_path: Path) -> None:
    text = '[smtp]\npassword = ["hunter2"]\n[database]\nurl = {password = "hunter2"}'

    found = mistakes_of(tmp_path, text)

    assert "smtp.password: must be text in quotes" in found
    assert "hunter2" not in str(found)


@pytest.mark.parametrize("url", ["ftp://ada:hunter2@x", "http://ada:hunter2@x:7700"])
def test_an_address_that_is_refused_is_not_repeated(tmp_path: Path, url: str) -> None:
    (found,) = mistakes_of(tmp_path, f'[search]\nurl = "{url}"')

    assert found.startswith("search.url: must be an address like")
    assert "hunter2" not in found


@pytest.mark.parametrize("name", ["a\nX: b", "Reader \u2013 mine", "日本"])
def test_a_name_that_no_request_can_carry_is_refused(tmp_path: Path, name: str) -> None:
    (found,) = mistakes_of(tmp_path, http__user_agent=name)

    assert found == "http.user_agent: must be one line of plain Latin letters, digits and signs"


@pytest.mark.parametrize("host", ["imaps://mail.example", "ada:hunter2@mail.example", "mail:993"])
@pytest.mark.parametrize("section", ["smtp", "imap", "bounces"])
def test_a_mail_server_is_named_by_its_host_alone(tmp_path: Path, section: str, host: str) -> None:
    found = mistakes_of(tmp_path, f'[{section}]\nhost = "{host}"')

    told = f"{section}.host: must be the name of a host alone, its port is a setting of its own"
    assert found == [told]


@pytest.mark.parametrize(
    "url",
    [
        "localhost:11434/v1",
        "ftp://ada:hunter2@x/v1",
        "http://ada:hunter2@x:99999/v1",
        "http://[::1/v1",
        "http:///v1",
        "http://x/v1?key=hunter2",
    ],
)
def test_a_model_that_cannot_be_asked_there_is_refused_at_the_start(
    tmp_path: Path, url: str
) -> None:
    (found,) = mistakes_of(tmp_path, f'[enricher]\nbase_url = "{url}"')

    assert found.startswith("enricher.base_url: must be an address like")
    assert "hunter2" not in found


@pytest.mark.parametrize(
    "url",
    [
        *("deck.example.org", "ftp://deck.example", "https://", "https://[::1", "https://a:0"),
        *("https://a.example/?b=c", "https://a.example/#x", "https://a b", "https://deck.exämple"),
        *("https://ada:hunter2@a.example", "https://a.example/<b>", "https://a:port/"),
    ],
)
def test_links_of_mails_begin_with_an_address_of_the_web(tmp_path: Path, url: str) -> None:
    (found,) = mistakes_of(tmp_path, f"[web]\nbase_url = '{url}'")

    assert found.startswith("web.base_url: must be an address like https://deck.example.org")
    assert "hunter2" not in found


def test_a_section_that_is_none_is_named_although_the_environment_has_keys_of_it(
    tmp_path: Path,
) -> None:
    assert mistakes_of(tmp_path, "database = 3\nfetch = 3", fetch__workers="4") == [
        "database: must be a section with keys of its own",
        "fetch: must be a section with keys of its own",
    ]


@pytest.mark.parametrize("rest", ["", 'username = "deck"', 'password = "s3cret"'])
def test_a_mailbox_for_bounces_that_nobody_could_read_is_refused(tmp_path: Path, rest: str) -> None:
    (mistake,) = mistakes_of(tmp_path, f'[bounces]\nhost = "imap.example.org"\n{rest}')

    assert mistake.startswith("bounces: a host is set, so that a username and a password are")
