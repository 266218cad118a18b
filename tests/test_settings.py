"""Settings: defaults < file < environment, secrets kept."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from morningdeck.errors import ConfigError
from morningdeck.settings.reading import load
from morningdeck.settings.sections import Section, Settings
from morningdeck.store.database.connect import parse_url

EXAMPLE = Path(__file__).parents[1] / "config" / "morningdeck.example.toml"
COMMENTED_KEY = re.compile(r"^# (\w+ = .+)$", re.M)


def settings_of(tmp_path: Path, text: str = "", **environment: str) -> Settings:
    file = tmp_path / "settings.toml"
    file.write_text(text, encoding="utf-8")
    named = {
        name if name.isupper() else f"MORNINGDECK_{name}".upper(): value
        for name, value in environment.items()
    }
    return load(file, named)


# ---- the example file


def keys(values: dict[str, Any], *path: str) -> Iterator[str]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from keys(value, *path, name)
        else:
            yield ".".join((*path, name))


def keys_of_the_model(model: type[Section], *path: str) -> Iterator[str]:
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, Section):
            yield from keys_of_the_model(field.annotation, *path, name)
        else:
            yield ".".join((*path, name))


def value_at(values: dict[str, Any], key: str) -> Any:
    for name in key.split("."):
        values = values[name]
    return values


def test_the_example_as_it_stands_says_nothing_but_the_defaults() -> None:
    assert load(EXAMPLE, {"MORNINGDECK_DATA_DIR": "data"}) == Settings()


def test_the_example_names_every_setting_and_no_other() -> None:
    everything = tomllib.loads(COMMENTED_KEY.sub(r"\1", EXAMPLE.read_text(encoding="utf-8")))

    assert sorted(keys(everything)) == sorted(keys_of_the_model(Settings))
    assert list(everything) == list(Settings.model_fields)


def test_what_the_example_comments_out_loads_and_is_no_other_default(tmp_path: Path) -> None:
    text = COMMENTED_KEY.sub(r"\1", EXAMPLE.read_text(encoding="utf-8"))
    for folder in ("config/prompts", "config/webhooks"):
        text = text.replace(folder, str(tmp_path))  # it has to be there
    ours, defaults = settings_of(tmp_path, text).model_dump(), Settings().model_dump()

    for key in keys(defaults):
        assert value_at(defaults, key) in (None, value_at(ours, key)), key
    assert settings_of(tmp_path, text).pool_size == Settings().pool_size


def test_each_key_of_the_example_has_one_line_of_comment() -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    for above, line in pairwise(lines):
        if re.match(r"(# )?\w+ = ", line):
            assert re.match(r"# [A-Z].*\.$|# (json|openai), .*\.$", above), line


def test_openai_needs_a_key_and_an_endpoint_of_one_s_own_does_not(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="enricher: kind is openai, which needs an api_key"):
        settings_of(tmp_path, "[enricher]\nkind = 'openai'")

    own = settings_of(tmp_path, "[enricher]\nkind = 'openai'\nbase_url = 'http://box:1/v1'")
    assert own.enricher.asks_a_model
    assert not settings_of(tmp_path, "").enricher.asks_a_model
    assert settings_of(tmp_path, "[enricher]\napi_key = 'k'").enricher.asks_a_model
    assert not settings_of(
        tmp_path, "[enricher]\napi_key = 'k'\nkind = 'offline'"
    ).enricher.asks_a_model


def test_a_mistake_in_a_prompt_is_told_with_all_others(tmp_path: Path) -> None:
    (tmp_path / "score.txt").write_text("How good is it?\n---\n{{text}}")

    with pytest.raises(ConfigError) as caught:
        settings_of(tmp_path, f"[enricher]\nprompts = '{tmp_path}'\nmodel = 5")

    assert "score.txt: it makes no use of {{title}}, {{wishes}}" in str(caught.value)
    assert "enricher.model: must be text" in str(caught.value)


# ---- where a value comes from


def test_the_environment_wins_over_the_file_and_the_file_over_the_defaults(tmp_path: Path) -> None:
    found = settings_of(tmp_path, "[fetch]\nworkers = 7\nbatch = 5", fetch__workers="9")

    assert (found.fetch.workers, found.fetch.batch, found.fetch.capacity) == (9, 5, 1000)


def test_the_environment_gives_lists_numbers_and_booleans_as_json(tmp_path: Path) -> None:
    found = settings_of(
        tmp_path,
        retry__schedule_minutes="[0.5, 2]",
        http__allow_networks='["127.0.0.0/8", "10.1.2.3"]',
        web__enabled="false",
        enricher__daily_budget_usd="1.5",
        shutdown_seconds="3",
    )

    assert found.retry.schedule_minutes == (0.5, 2)
    assert found.http.allow_networks == ("127.0.0.0/8", "10.1.2.3/32")
    assert not found.web.enabled
    assert (found.enricher.daily_budget_usd, found.shutdown_seconds) == (1.5, 3)


def test_text_is_taken_as_it_stands_even_where_it_looks_like_json(tmp_path: Path) -> None:
    found = settings_of(tmp_path, smtp__password="[1, 2", smtp__username="null", imap__folder="1")

    assert found.smtp.password is not None
    assert found.smtp.password.get_secret_value() == "[1, 2"
    assert (found.smtp.username, found.imap.folder) == ("null", "1")


def test_a_secret_can_lie_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("sk-1234\n")
    found = settings_of(tmp_path, enricher__api_key_file=str(tmp_path / "key"))

    assert found.enricher.api_key is not None
    assert found.enricher.api_key.get_secret_value() == "sk-1234"


def test_an_empty_variable_counts_as_not_set(tmp_path: Path) -> None:
    found = settings_of(
        tmp_path, '[smtp]\nhost = "here"', smtp__host="", fetch__workers="", DATABASE_URL=""
    )

    assert (found.smtp.host, found.fetch.workers) == ("here", 4)


def test_the_names_that_others_use_work_too(tmp_path: Path) -> None:
    found = settings_of(
        tmp_path,
        '[database]\nurl = "sqlite:///file.db"',
        DATABASE_URL="postgres://u@h/d",
        OPENAI_API_KEY="sk-1",
        OPENAI_BASE_URL="http://localhost:1/v1",
    )

    assert found.database.url.get_secret_value() == "postgres://u@h/d"
    assert found.enricher.api_key is not None
    assert found.enricher.api_key.get_secret_value() == "sk-1"
    assert found.enricher.base_url == "http://localhost:1/v1"


def test_our_own_names_win_over_those_of_others(tmp_path: Path) -> None:
    found = settings_of(tmp_path, DATABASE_URL="postgres://u@h/d", database__url="sqlite:///x.db")

    assert found.database.url.get_secret_value() == "sqlite:///x.db"


def test_database_and_outbox_move_with_the_data_folder(tmp_path: Path) -> None:
    found = settings_of(tmp_path, data_dir="/srv/deck")

    assert found.data_dir == Path("/srv/deck")
    assert found.database.url.get_secret_value() == "sqlite:////srv/deck/morningdeck.db"
    assert found.outbox == Path("/srv/deck/outbox")


def test_what_is_set_by_itself_does_not_move(tmp_path: Path) -> None:
    text = '[delivery]\nfolder = "/mail"\n[database]\nurl = "sqlite:////db"'
    found = settings_of(tmp_path, text, data_dir="/srv")

    assert (found.outbox, found.database.url.get_secret_value()) == (Path("/mail"), "sqlite:////db")


def test_the_pool_has_room_for_every_worker_and_four_more(tmp_path: Path) -> None:
    assert settings_of(tmp_path, fetch__workers="6").pool_size == 6 + 4 + 2 + 4
    assert settings_of(tmp_path, database__pool_size="5").pool_size == 5


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg2"])
def test_postgres_means_psycopg2(scheme: str) -> None:
    assert parse_url(f"{scheme}://u:p@h/d").drivername == "postgresql+psycopg2"


# ---- which file


@pytest.mark.parametrize(
    ("address", "advice"), [("u:pw@s3cret@h/d", "as %40"), ("u:s3cret@h:port/d", "not a database")]
)
def test_no_part_of_a_password_is_taken_for_the_host(address: str, advice: str) -> None:
    with pytest.raises(ConfigError, match=advice) as refused:
        parse_url(f"postgresql://{address}")

    assert "s3cret" not in str(refused.value)


def test_the_file_can_be_named_by_the_environment(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("[web]\nport = 1")

    assert load(None, {"MORNINGDECK_CONFIG": str(tmp_path / "mine.toml")}).web.port == 1


def test_the_usual_file_is_read_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    nothing = {"MORNINGDECK_CONFIG": "", "HOME": str(tmp_path / "home")}
    assert load(None, nothing) == settings_of(tmp_path, HOME=str(tmp_path / "home"))

    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "morningdeck.toml").write_text("[web]\nport = 2")
    assert load(None, {}).web.port == 2


def test_a_file_that_is_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"there is no settings file '.*gone.toml'"):
        load(tmp_path / "gone.toml", {})


# ---- what is shown


def test_secrets_that_are_set_are_masked_and_everything_else_is_shown(tmp_path: Path) -> None:
    shown = settings_of(
        tmp_path, smtp__password="hunter2", queue__broker_url="amqp://u:hunter2@h", smtp__host="h"
    ).shown()

    assert shown["smtp"]["password"] == shown["queue"]["broker_url"] == "***"
    assert (shown["smtp"]["host"], shown["imap"]["password"]) == ("h", None)
    assert sorted(keys(shown)) == sorted(keys_of_the_model(Settings))
    assert "hunter2" not in str(shown)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql+psycopg2://deck:hunter2@db/x", "postgresql+psycopg2://deck:***@db/x"),
        ("postgres://deck:p%40:/w@db:5/x?a=b", "postgres://deck:***@db:5/x?a=b"),
        ("postgres://u:hun@ter2/h@db/x", "postgres://u:***@db/x"),
        ("postgres://db/x?user=u&password=hunter2&a=b", "postgres://db/x?user=u&password=***&a=b"),
        ("postgres://deck@db/x", "postgres://deck@db/x"),
        ("sqlite:////srv/a:b@c/deck.db", "sqlite:////srv/a:b@c/deck.db"),
    ],
)
def test_of_the_database_only_the_password_is_masked(tmp_path: Path, url: str, shown: str) -> None:
    assert settings_of(tmp_path, DATABASE_URL=url).shown()["database"]["url"] == shown


def test_a_password_in_the_address_of_a_model_is_masked(tmp_path: Path) -> None:
    shown = settings_of(tmp_path, OPENAI_BASE_URL="https://ada:hunter2@models.example/v1").shown()

    assert shown["enricher"]["base_url"] == "https://ada:***@models.example/v1"
