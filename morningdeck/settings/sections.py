"""The settings as one frozen, typed object, and their defaults.

Keys are those of `config/morningdeck.example.toml`, which a test keeps true.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    SecretStr,
    model_validator,
)

from morningdeck import choices

_PASSWORD = re.compile(r"(://[^:/@]*:).*(?=@)|((?:^|[?&])\w*password=)[^&]*")


def _network(text: str) -> str:
    try:
        return str(ipaddress.ip_network(text, strict=False))
    except ValueError:
        raise ValueError(f"must be networks like 10.0.0.0/8, got {text!r}") from None


def _mask(secret: SecretStr | None) -> str | None:
    if secret is None:
        return None
    return "***" if secret else ""


_MASKED = PlainSerializer(_mask, when_used="json")
Secret = Annotated[SecretStr, _MASKED]
PerhapsSecret = Annotated[SecretStr | None, _MASKED]
Port = Annotated[int, Field(gt=0, lt=65536)]
Positive = Annotated[int, Field(gt=0, le=10**9)]
Count = Annotated[int, Field(ge=0, le=10**9)]
Days = Annotated[int, Field(ge=0, le=36_525)]  # counted back from now, they must lead to a date
Length = Annotated[float, Field(gt=0, le=50_000_000)]  # long enough for seconds and for minutes
Wait = Annotated[float, Field(gt=0, le=1_000_000)]  # sockets count milliseconds in 32 bits
Money = Annotated[float, Field(ge=0, le=10**9)]


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class DatabaseSettings(Section):
    url: Secret = SecretStr("")
    pool_size: Annotated[int, Field(ge=4)] | None = None


class StageSettings(Section):
    enabled: bool = True
    workers: Positive = 4
    capacity: Positive = 1000
    batch: Positive = 100
    interval_seconds: Length = 60

    @property
    def warns_above(self) -> int | None:
        """So much may wait before somebody should look."""
        return None


class FetchSettings(StageSettings):
    first_import_items: Count = 10
    default_refresh_minutes: Length = 15


class ProcessingSettings(StageSettings):
    batch: Positive = 50
    backlog_warning: Positive = 10_000
    depth_trigger: Count = 0

    @property
    def warns_above(self) -> int | None:
        return self.backlog_warning


class BriefingSettings(StageSettings):
    workers: Positive = 2
    capacity: Positive = 100
    batch: Positive = 50


class RetrySettings(Section):
    schedule_minutes: tuple[Length, ...] = (1, 5, 15)


class RecoverySettings(Section):
    interval_seconds: Length = 30
    lease_seconds: Length = 90


class HttpSettings(Section):
    timeout_seconds: Wait = 20
    max_body_bytes: Positive = 15_728_640
    max_redirects: Count = 5
    user_agent: Annotated[str, AfterValidator(choices.user_agent)] = (
        "MorningDeck/0.1 (+https://github.com/morningdeck/morningdeck)"
    )
    allow_networks: tuple[Annotated[str, AfterValidator(_network)], ...] = ()
    requests_per_host_second: Annotated[float, Field(ge=0, le=10**9)] = 1


NEEDS_A_KEY = "//api.openai.com"


class EnricherSettings(Section):
    kind: Annotated[str, AfterValidator(choices.enricher)] = "auto"
    api_key: PerhapsSecret = None
    base_url: Annotated[str, AfterValidator(choices.model_address)] = "https://api.openai.com/v1"
    model: str = "gpt-4o-mini"
    heavy_model: str = "gpt-4o"
    timeout_seconds: Wait = 60
    max_concurrency: Positive = 4
    context_tokens: Annotated[int, Field(ge=2048, le=10**7)] | None = None
    prefilter_below: Annotated[int, Field(ge=0, le=100)] = 10
    prompts: Annotated[Path, AfterValidator(choices.prompt_folder)] | None = None
    daily_budget_usd: Money | None = None
    price_in: Money | None = None
    price_out: Money | None = None

    @property
    def asks_a_model(self) -> bool:
        return self.kind == "openai" or (self.kind == "auto" and self.api_key is not None)

    @model_validator(mode="after")
    def _has_a_key(self) -> EnricherSettings:
        """Endpoints of one's own need none."""
        if self.kind == "openai" and self.api_key is None and NEEDS_A_KEY in self.base_url:
            raise ValueError("kind is openai, which needs an api_key, or a base_url of your own")
        return self


class DeliverySettings(Section):
    folder: Path | None = None
    on_ambiguous: Literal["hold", "resend"] = "hold"
    quiet_hours: Annotated[str, AfterValidator(choices.quiet_hours)] | None = None
    pictures: bool = False


SENDER = "Morning Deck <morningdeck@localhost>"
"""Good for a folder, and for a server on this machine."""


class SmtpSettings(Section):
    host: Annotated[str, AfterValidator(choices.host_name)] | None = None
    port: Port = 587
    username: str | None = None
    password: PerhapsSecret = None
    security: Literal["starttls", "tls", "none"] = "starttls"
    from_address: Annotated[str, AfterValidator(choices.one_mailbox)] | None = None
    timeout_seconds: Wait = 60
    connections: Annotated[int, Field(ge=1, le=50)] = 4

    @model_validator(mode="after")
    def _can_log_in(self) -> SmtpSettings:
        if self.username is not None and self.password is None:
            raise ValueError("a username is set, so that a password is needed too")
        return self

    @property
    def sender(self) -> str:
        """Whom mails come from: at many providers one's name is one's address."""
        username = self.username if self.username and "@" in self.username else None
        return self.from_address or username or SENDER


def _webhook_key(secret: SecretStr | None) -> SecretStr | None:
    if secret is not None:
        choices.check_webhook_key(secret.get_secret_value())
    return secret


class WebhookSettings(Section):
    secret: Annotated[PerhapsSecret, AfterValidator(_webhook_key)] = None
    templates: Annotated[Path, AfterValidator(choices.webhook_templates)] | None = None


class SearchSettings(Section):
    backend: Annotated[str, AfterValidator(choices.search_backend)] = "auto"
    url: Annotated[str, AfterValidator(choices.server_address)] | None = None
    api_key: PerhapsSecret = None
    index: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,400}$")] = "news_items"
    alerts_per_day: Annotated[int, Field(ge=1, le=10**6)] = 10

    @model_validator(mode="after")
    def _has_a_server(self) -> SearchSettings:
        if self.backend == "meilisearch" and self.url is None:
            raise ValueError("backend is meilisearch, which needs a url")
        return self


class TopicsSettings(Section):
    enabled: bool = True
    every_saved: Count = 20


def _broker_url(secret: SecretStr | None) -> SecretStr | None:
    if secret is not None:
        choices.check_broker_url(secret.get_secret_value())
    return secret


class QueueSettings(Section):
    backend: Literal["memory", "celery"] = "memory"
    broker_url: Annotated[PerhapsSecret, AfterValidator(_broker_url)] = None


class WebSettings(Section):
    enabled: bool = True
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, lt=65536)] = 8484
    base_url: Annotated[str, AfterValidator(choices.outside_address)] | None = None
    trusted_proxies: tuple[Annotated[str, AfterValidator(_network)], ...] = ()
    login_header: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9-]{0,99}$")] | None = None
    images: bool = True
    images_mb: Annotated[int, Field(ge=0, le=10**6)] = 200

    @property
    def address(self) -> str:
        """Where it is seen from: from outside, else on this machine."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return (self.base_url or f"http://{host}:{self.port}").rstrip("/")


class ImapSettings(Section):
    host: Annotated[str, AfterValidator(choices.host_name)] | None = None
    port: Port = 993
    username: str | None = None
    password: PerhapsSecret = None
    folder: str = "INBOX"


class BounceSettings(ImapSettings):
    @model_validator(mode="after")
    def _can_be_read(self) -> BounceSettings:
        """Else whoever unsubscribes is not heard, and nobody is told."""
        if self.host is not None and (self.username is None or self.password is None):
            raise ValueError("a host is set, so that a username and a password are needed too")
        return self


class RedditSettings(Section):
    client_id: str | None = None
    client_secret: PerhapsSecret = None


class LoggingSettings(Section):
    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    format: Literal["auto", "json", "pretty"] = "auto"


class RetentionSettings(Section):
    items_days: Days = 365
    reports_days: Days = 0
    dead_letters_days: Days = 14
    delivery_bytes_days: Days = 7
    usage_days: Days = 90


class Settings(Section):
    """Paths that are not set lie below `data_dir`."""

    data_dir: Path = Path("data")
    shutdown_seconds: Length = 30
    look_seconds: Length = 5
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
    webhook: WebhookSettings = WebhookSettings()
    search: SearchSettings = SearchSettings()
    topics: TopicsSettings = TopicsSettings()
    queue: QueueSettings = QueueSettings()
    web: WebSettings = WebSettings()
    imap: ImapSettings = ImapSettings()
    bounces: BounceSettings = BounceSettings()
    reddit: RedditSettings = RedditSettings()
    logging: LoggingSettings = LoggingSettings()
    retention: RetentionSettings = RetentionSettings()

    @model_validator(mode="before")
    @classmethod
    def _fill_paths(cls, values: dict[str, Any]) -> dict[str, Any]:
        folder = values.get("data_dir") or "data"
        filled = {**values, "data_dir": folder}
        for name, key, path in (
            ("database", "url", f"sqlite:///{Path(str(folder), 'morningdeck.db')}"),
            ("delivery", "folder", str(Path(str(folder), "outbox"))),
        ):
            section = values.get(name, {})
            if isinstance(section, Mapping):  # what is no section is reported as that
                filled[name] = {**section, key: section.get(key) or path}
        return filled

    @property
    def outbox(self) -> Path:
        return self.delivery.folder or self.data_dir / "outbox"

    @property
    def on_a_server(self) -> bool:
        """Can processes on other machines use the same database?"""
        return not self.database.url.get_secret_value().startswith("sqlite")

    @property
    def pool_size(self) -> int:
        workers = self.fetch.workers + self.processing.workers + self.briefing.workers
        return self.database.pool_size or workers + 4

    def shown(self) -> dict[str, Any]:
        """Everything as plain values, the secrets masked."""
        values: dict[str, Any] = self.model_dump(mode="json")
        url, model = self.database.url.get_secret_value(), self.enricher.base_url
        values["database"]["url"] = _PASSWORD.sub(r"\1\2***", url)
        values["enricher"]["base_url"] = _PASSWORD.sub(r"\1\2***", model)
        return values
