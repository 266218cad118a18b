"""What the settings may name: the lines of a registry, and what has a form of its own.

Registries are imported when somebody has chosen, so that the defaults cost nothing.
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from morningdeck.errors import ConfigError, PermanentError


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


def one_mailbox(text: str) -> str:
    from morningdeck.mailboxes import mailbox

    try:
        mailbox(text)
    except ValueError:
        raise ValueError(f"must be an address of mail, got {text!r}") from None
    return text


def check_webhook_key(text: str) -> None:
    from morningdeck.delivery.webhook import read_key

    try:
        read_key(text)
    except PermanentError as error:
        raise ValueError(str(error)) from None


def quiet_hours(text: str) -> str:
    from morningdeck.quiet_hours import QuietHours

    QuietHours.parse(text)
    return text


def webhook_templates(folder: Path) -> Path:
    from morningdeck.delivery.webhook_bodies import WebhookBodies

    try:
        WebhookBodies(folder)
    except ConfigError as error:
        raise ValueError(str(error)) from None
    return folder


def user_agent(text: str) -> str:
    if not re.fullmatch(r"[ -~\xa0-\xff]*", text):  # what a header can hold
        raise ValueError("must be one line of plain Latin letters, digits and signs")
    return text


def host_name(text: str) -> str:
    from morningdeck.hosts import in_ascii

    try:
        in_ascii(text)
    except ValueError:
        text = ""
    if not re.fullmatch(r"[\w.-]+|[0-9a-fA-F:.%]+:[\w:.%]+", text):
        raise ValueError("must be the name of a host alone, its port is a setting of its own")
    return text


def search_backend(name: str) -> str:
    from morningdeck.search import SEARCHERS

    return _one_of(name, "auto", *SEARCHERS)


def server_address(text: str) -> str:
    if not re.fullmatch(r"https?://[^/\s?#@]+(/[^\s?#]*)?", text):
        # nothing of it is quoted: it may hold a password
        raise ValueError(
            "must be an address like http://127.0.0.1:7700, without user, password, ? and #"
            " (the key goes to search.api_key)"
        )
    return text


def outside_address(text: str) -> str:
    """Mails have links that begin with it."""
    try:
        known = urlsplit(text).port != 0 and bool(urlsplit(text).hostname)
    except ValueError:
        known = False
    if not known or not re.fullmatch(r"https?://[!-~]+", text) or re.search(r"[?#@\"<>\\]", text):
        raise ValueError("must be an address like https://deck.example.org, without user, ? and #")
    return text


def model_address(text: str) -> str:
    """User and password may stand in it: those of a proxy before the model."""
    try:
        parts = urlsplit(text)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known or re.search(r"[\s?#]", text):  # nothing of it is quoted
        raise ValueError(
            "must be an address like http://localhost:11434/v1, without ? and #"
            " (the key goes to enricher.api_key)"
        )
    return text


BROKERS = ("redis", "rediss", "amqp", "amqps", "sqs")


def check_broker_url(url: str) -> None:
    if url.partition("://")[0] not in BROKERS:  # what else is in it may be a secret
        raise ValueError(f"must begin with one of {', '.join(f'{one}://' for one in BROKERS)}")
    try:
        parts = urlsplit(url)
        readable = parts.port != 0 and "@" not in parts.path + parts.query + parts.fragment
    except ValueError:
        readable = False
    if not readable:  # its host or port may be a part of the password: nothing is quoted
        raise ValueError(
            "cannot be read: in its user and password write / as %2F, # as %23, ? as %3F, @ as %40,"
            " [ as %5B; its port is a number below 65536"
        )


def _one_of(name: str, *names: str) -> str:
    if name in names:
        return name
    *others, last = (repr(one) for one in dict.fromkeys(names))
    raise ValueError(f"must be {', '.join(others)} or {last}, got {name!r}")
