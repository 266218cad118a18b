"""The ways to deliver a report: one file each, one line each in `CHANNELS`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from morningdeck.errors import ConfigError, PermanentError

if TYPE_CHECKING:
    from morningdeck.delivery.mail_server import PostOffice
    from morningdeck.model.sending import Report, Step
    from morningdeck.ports.engine import Clock
    from morningdeck.ports.verbs import Channel, Poster


TellStep = Callable[["Step"], None]


def tell_nobody(step: Step) -> None:
    """Where nobody watches."""


@runtime_checkable
class KeepsSessions(Protocol):
    """A channel with connections that outlast a send."""

    def end_idle(self) -> None:
        """Close those that nobody has used for a while."""

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class WebhookMeans:
    """`key` is what the settings say of one; without it one is made, and kept in `key_file`."""

    poster: Callable[[], Poster]
    key_file: Path
    clock: Clock
    key: str | None = field(default=None, repr=False)
    templates: Path | None = None


@dataclass(frozen=True, slots=True)
class ChannelMeans:
    """What channels are made of; each takes what it needs. `tell` hears each step of a send."""

    folder: Path
    tell: TellStep = tell_nobody
    post_office: PostOffice | None = None
    """Where a mail server is set."""
    webhooks: WebhookMeans | None = None


def is_mailbox(address: str) -> bool:
    return not is_web_address(address)


def is_web_address(address: str) -> bool:
    return "://" in address


@dataclass(frozen=True, slots=True)
class ChannelKind:
    """`open` raises ConfigError, which says what is missing, where a channel is not set up.

    One that is not `addressed` gets one copy, whose address is its own name; the others get
    one for each recipient that they take. `check` raises PermanentError for an address that can
    never be reached; `compose` makes the bytes that go out, unless they are a mail's.
    """

    open: Callable[[ChannelMeans], Channel]
    addressed: bool = True
    takes: Callable[[str], bool] = is_mailbox
    check: Callable[[str, ChannelMeans], None] = lambda address, means: None
    compose: Callable[[Report], bytes] | None = None


def _folder(means: ChannelMeans) -> Channel:
    from morningdeck.delivery.folder import FolderChannel  # the names of channels cost nothing

    return FolderChannel(means.folder, means.tell)


def _smtp(means: ChannelMeans) -> Channel:
    if means.post_office is None:
        raise ConfigError(
            "channel 'smtp': there is no mail server, set smtp.host (and whom mails are from:"
            " smtp.from_address)"
        )
    from morningdeck.delivery.smtp import SmtpChannel

    try:
        return SmtpChannel(means.post_office, tell=means.tell)
    except ValueError as error:
        raise ConfigError(
            f"channel 'smtp': {means.post_office.server.sender!r} is not an e-mail address,"
            " set smtp.from_address"
        ) from error


def _webhook(means: ChannelMeans) -> Channel:
    from morningdeck.delivery.webhook import open_webhook

    return open_webhook(means)


def _check_webhook(address: str, means: ChannelMeans) -> None:
    from morningdeck.delivery.webhook import open_webhook

    open_webhook(means).check(address)


def _webhook_body(report: Report) -> bytes:
    from morningdeck.delivery.webhook import report_as_json

    return report_as_json(report)


CHANNELS = {
    "smtp": ChannelKind(_smtp),
    "folder": ChannelKind(_folder, addressed=False),
    "webhook": ChannelKind(
        _webhook, takes=is_web_address, check=_check_webhook, compose=_webhook_body
    ),
}


def open_channel(name: str, means: ChannelMeans) -> Channel:
    if name not in CHANNELS:
        known = " or ".join(f"--channel {one}" for one in CHANNELS)
        raise ConfigError(f"channel {name!r}: this version cannot deliver by it yet, use {known}")
    return CHANNELS[name].open(means)


def addressed(name: str) -> bool:
    """One that is not there any more is taken for one that was."""
    return name not in CHANNELS or CHANNELS[name].addressed


def copies(name: str, recipients: Sequence[str]) -> tuple[str, ...]:
    """Those of the recipients that a channel takes."""
    takes = CHANNELS[name].takes if name in CHANNELS else is_mailbox
    return tuple(one for one in recipients if takes(one))


def asks_for(name: str) -> str:
    """What to say so that it has an address."""
    web = name in CHANNELS and CHANNELS[name].takes is is_web_address
    return "say --to https://..." if web else "say --to ADDRESS"


def composes(name: str) -> Callable[[Report], bytes] | None:
    """What makes the bytes that go out by this channel; None where they are a mail's."""
    return CHANNELS[name].compose if name in CHANNELS else None


def check_address(name: str, address: str, means: ChannelMeans) -> None:
    """ConfigError for one that this channel can never reach."""
    try:
        CHANNELS[name].check(address, means)
    except PermanentError as error:
        raise ConfigError(str(error)) from None
