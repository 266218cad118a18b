"""THE settings: one frozen, typed object, made from defaults < TOML file < environment.

Keys are those of `config/morningdeck.example.toml`, which a test keeps true. All
mistakes are reported at once, in the user's words. Nobody but `app` and the command
line reads this module: the parts are given plain values.
"""

from __future__ import annotations

import ipaddress
import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)

from morningdeck.errors import ConfigError

PREFIX = "MORNINGDECK_"
DEFAULT_FILE = Path("config/morningdeck.toml")
ALIASES = {
    "DATABASE_URL": ("database", "url"),
    "OPENAI_API_KEY": ("enricher", "api_key"),
    "OPENAI_BASE_URL": ("enricher", "base_url"),
}
USER_AGENT = "MorningDeck/0.1 (+https://github.com/morningdeck/morningdeck)"


def _network(text: str) -> str:
    return str(ipaddress.ip_network(text, strict=False))


Positive = Annotated[int, Field(gt=0)]
Count = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(gt=0)]
Money = Annotated[float, Field(ge=0)]
Network = Annotated[str, AfterValidator(_network)]


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DatabaseSettings(Section):
    url: SecretStr = SecretStr("")
    pool_size: Annotated[int, Field(ge=2)] | None = None


class StageSettings(Section):
    enabled: bool = True
    workers: Positive = 4
    capacity: Positive = 1000
    batch: Positive = 100
    interval_seconds: Seconds = 60


class FetchSettings(StageSettings):
    first_import_items: Count = 10
    default_refresh_minutes: Annotated[float, Field(gt=0)] = 15


class ProcessingSettings(StageSettings):
    batch: Positive = 50
    backlog_warning: Positive = 10_000
    depth_trigger: Count = 0


class BriefingSettings(StageSettings):
    workers: Positive = 2
    capacity: Positive = 100
    batch: Positive = 50


class RetrySettings(Section):
    schedule_minutes: tuple[Annotated[float, Field(gt=0)], ...] = (1, 5, 15)


class RecoverySettings(Section):
    interval_seconds: Seconds = 30
    lease_seconds: Seconds = 90


class HttpSettings(Section):
    timeout_seconds: Seconds = 20
    max_body_bytes: Positive = 15_728_640
    max_redirects: Count = 5
    user_agent: str = USER_AGENT
    allow_networks: tuple[Network, ...] = ()
    requests_per_host_second: Annotated[float, Field(ge=0)] = 1


class EnricherSettings(Section):
    kind: Literal["auto", "openai", "offline"] = "auto"
    api_key: SecretStr | None = None
    base_url: str = "https://api.openai.com/v1"
    model: str = "gpt-4o-mini"
    heavy_model: str = "gpt-4o"
    timeout_seconds: Seconds = 60
    max_concurrency: Positive = 4
    daily_budget_usd: Money | None = None
    price_in: Money | None = None
    price_out: Money | None = None


class DeliverySettings(Section):
    folder: Path | None = None
    on_ambiguous: Literal["hold", "resend"] = "hold"


class SmtpSettings(Section):
    host: str | None = None
    port: Annotated[int, Field(gt=0, lt=65536)] = 587
    username: str | None = None
    password: SecretStr | None = None
    security: Literal["starttls", "tls", "none"] = "starttls"
    from_address: str | None = None


class SearchSettings(Section):
    backend: Literal["auto", "database", "meilisearch"] = "auto"
    url: str | None = None
    api_key: SecretStr | None = None
    index: str = "news_items"


class QueueSettings(Section):
    backend: Literal["memory", "celery"] = "memory"
    broker_url: SecretStr | None = None


class WebSettings(Section):
    enabled: bool = True
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, lt=65536)] = 8484
    base_url: str | None = None


class ImapSettings(Section):
    host: str | None = None
    port: Annotated[int, Field(gt=0, lt=65536)] = 993
    username: str | None = None
    password: SecretStr | None = None
    folder: str = "INBOX"


class RedditSettings(Section):
    client_id: str | None = None
    client_secret: SecretStr | None = None


class LoggingSettings(Section):
    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    format: Literal["auto", "json", "pretty"] = "auto"


class RetentionSettings(Section):
    items_days: Count = 365
    reports_days: Count = 0
    dead_letters_days: Count = 14
    delivery_bytes_days: Count = 7
    usage_days: Count = 90


class Settings(Section):
    """Paths that are not set lie below `data_dir`."""

    data_dir: Path = Path("data")
    shutdown_seconds: Seconds = 30
    database: DatabaseSettings = DatabaseSettings()
    fetch: FetchSettings = FetchSettings()
    processing: ProcessingSettings = ProcessingSettings()
    briefing: BriefingSettings = BriefingSettings()
    retry: RetrySettings = RetrySettings()
    recovery: RecoverySettings = RecoverySettings()
    http: HttpSettings = HttpSettings()
    enricher: EnricherSettings = EnricherSettings()
    delivery: DeliverySettings = DeliverySettings()
    smtp: SmtpSettings = SmtpSettings()
    search: SearchSettings = SearchSettings()
    queue: QueueSettings = QueueSettings()
    web: WebSettings = WebSettings()
    imap: ImapSettings = ImapSettings()
    reddit: RedditSettings = RedditSettings()
    logging: LoggingSettings = LoggingSettings()
    retention: RetentionSettings = RetentionSettings()

    @model_validator(mode="before")
    @classmethod
    def _fill_paths(cls, values: dict[str, Any]) -> dict[str, Any]:
        folder = Path(values.get("data_dir") or "data")
        database = dict(values.get("database") or {})
        delivery = dict(values.get("delivery") or {})
        database["url"] = database.get("url") or f"sqlite:///{folder / 'morningdeck.db'}"
        delivery["folder"] = delivery.get("folder") or str(folder / "outbox")
        return {**values, "data_dir": folder, "database": database, "delivery": delivery}

    @property
    def outbox(self) -> Path:
        return self.delivery.folder or self.data_dir / "outbox"

    @property
    def pool_size(self) -> int:
        workers = self.fetch.workers + self.processing.workers + self.briefing.workers
        return self.database.pool_size or workers + 4

    def shown(self) -> dict[str, Any]:
        """Everything as plain values, the secrets masked."""
        values: dict[str, Any] = self.model_dump(mode="json")
        for section, keys in _secrets(self).items():
            for key in keys:
                values[section][key] = "***"
        return values


def _secrets(settings: Settings) -> dict[str, list[str]]:
    """Which keys hold a secret that is set; a SQLite path is none."""
    found: dict[str, list[str]] = {}
    for name in type(settings).model_fields:
        section = getattr(settings, name)
        if isinstance(section, Section):
            for key in type(section).model_fields:
                value = getattr(section, key)
                if isinstance(value, SecretStr) and value.get_secret_value():
                    found.setdefault(name, []).append(key)
    return found


def load(file: Path | None = None, environment: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings; `file` must exist if it is named."""
    named = file or (
        Path(environment[f"{PREFIX}CONFIG"]) if f"{PREFIX}CONFIG" in environment else None
    )
    values = _from_file(named or DEFAULT_FILE, required=named is not None)
    for path, value in _from_environment(environment):
        target = values
        for key in path[:-1]:
            target = target.setdefault(key, {})
        target[path[-1]] = value
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        raise ConfigError(_in_words(error)) from None


def _from_file(file: Path, *, required: bool) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if required:
            raise ConfigError(f"there is no settings file {str(file)!r}") from None
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read settings file {str(file)!r}: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file} is not valid TOML: {error}") from error


def _from_environment(environment: Mapping[str, str]) -> list[tuple[tuple[str, ...], Any]]:
    found: list[tuple[tuple[str, ...], Any]] = []
    path: tuple[str, ...]
    for name, path in ALIASES.items():
        if environment.get(name):
            found.append((path, environment[name]))
    for name in sorted(environment):
        if name.startswith(PREFIX) and name != f"{PREFIX}CONFIG":
            path = tuple(name.removeprefix(PREFIX).lower().split("__"))
            found.append(_value(path, environment[name]))
    return found


def _value(path: tuple[str, ...], text: str) -> tuple[tuple[str, ...], Any]:
    """JSON where the key is not a string; `..._FILE` names a file that holds the secret."""
    if path[-1].endswith("_file"):
        path = (*path[:-1], path[-1].removesuffix("_file"))
        try:
            return path, Path(text).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ConfigError(f"cannot read the secret {'.'.join(path)}: {error}") from error
    if text[:1] in ("[", "{"):
        try:
            return path, json.loads(text)
        except json.JSONDecodeError as error:
            raise ConfigError(f"{'.'.join(path)}: not valid JSON: {error}") from error
    return path, None if text == "null" else text


def _in_words(error: ValidationError) -> str:
    lines = []
    for problem in error.errors(include_url=False, include_context=False):
        where = ".".join(str(part) for part in problem["loc"])
        if problem["type"] == "extra_forbidden":
            lines.append(f"{where}: there is no such setting")
        else:
            lines.append(f"{where}: {problem['msg'][:1].lower()}{problem['msg'][1:]}")
    return "; ".join(lines)
