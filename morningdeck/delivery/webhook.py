"""Reports as signed JSON, sent to an address of the web.

    [service+]https://host/path[?query][#whsec_...]

The service says what the body looks like; some are known by their host. The rest of the address
is the receiver's and mostly a secret: what is told of it is its host. Bodies are signed as
Standard Webhooks has it, by the key behind the `#`, which never leaves, else by that of the
installation. The `webhook-id` stays the same for every attempt, so a receiver can tell a
repetition.

    connect, headers, body but for its last byte     nothing has arrived
    final(), the last byte                           it may have arrived
    2xx                                              sent
    408, 425, 429, 5xx                               not taken: later again, as Retry-After says
    any other status                                 refused
    no status                                        nobody knows: the delivery is UNKNOWN
"""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC
from functools import cached_property
from http.client import responses
from pathlib import Path
from secrets import token_bytes, token_hex
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit, urlunsplit

from morningdeck.delivery import ChannelMeans, TellStep, WebhookMeans
from morningdeck.delivery.webhook_bodies import PLAIN, WebhookBodies
from morningdeck.discreet import said
from morningdeck.errors import (
    ConfigError,
    MorningDeckError,
    NotSentError,
    PermanentError,
    TransientError,
)
from morningdeck.files import write
from morningdeck.holds import retry_after
from morningdeck.model.reading import Page
from morningdeck.model.sending import Delivery, Receipt, Report, ReportItem, Step

BY_HOST = {
    "hooks.slack.com": "slack",
    "discord.com": "discord",
    "discordapp.com": "discord",
    "ntfy.sh": "ntfy",
    "api.telegram.org": "telegram",
}
UNSIGNED = frozenset(BY_HOST.values())
"""These know who writes by the address alone."""
KEY_PREFIX = "whsec_"
LONGEST_HOOK = 2000
"""Bytes: it is part of a key in the database."""
SHORTEST_KEY, LONGEST_KEY = 24, 64
MOST_SHOWN = 200
"""Characters of what a receiver says."""
SECRET_LENGTH = 8
"""Words of an address that are as long are not to be told, wherever they come back."""

_ADDRESS = re.compile(r"(?:([a-z][a-z0-9-]{0,30})\+)?(https?://[^\s#]+)(?:#(\S*))?", re.I)
_LATER = frozenset({408, 425, 429})


@dataclass(frozen=True, slots=True)
class Hook:
    """What an address means."""

    service: str
    url: str = field(repr=False)
    key: bytes | None = field(default=None, repr=False)
    topic: str = ""

    @classmethod
    def of(cls, address: str, services: frozenset[str]) -> Hook:
        """PermanentError says what is wrong with it, without telling it."""
        found = _ADDRESS.fullmatch(address.strip())
        if len(address.encode("utf-8", "replace")) > LONGEST_HOOK:
            raise PermanentError(f"a webhook's address has at most {LONGEST_HOOK} bytes")
        if found is None or not address.strip().isprintable():
            raise PermanentError("a webhook's address begins with https://, or service+https://")
        try:
            parts = urlsplit(found[2])
        except ValueError:  # of a host in brackets
            raise PermanentError("a webhook's address has no host that can be read") from None
        service = (found[1] or BY_HOST.get(parts.hostname or "", PLAIN)).lower()
        if service not in services:
            known = ", ".join(sorted(services))
            raise PermanentError(f"webhook: {service!r} is no service that is known ({known})")
        key = None if found[3] is None else read_key(found[3])
        url, topic = _where_to(service, found[2])
        return cls(service, url, key, topic)


def _where_to(service: str, url: str) -> tuple[str, str]:
    """Where a service wants to be asked, and ntfy's topic."""
    parts = urlsplit(url)
    query = parse_qs(parts.query)
    match service:
        case "telegram" if "chat_id" not in query:
            raise PermanentError(
                "webhook: Telegram needs to know the chat: its address ends with"
                " /sendMessage?chat_id=NUMBER"
            )
        case "discord" if "wait" not in query:  # else it answers before it has looked
            asked = urlencode({"wait": "true"})
            parts = parts._replace(query=f"{parts.query}&{asked}" if parts.query else asked)
        case "ntfy":
            root, _, topic = parts.path.rstrip("/").rpartition("/")
            if not topic:
                raise PermanentError("webhook: the path of an ntfy address is its topic")
            return urlunsplit(parts._replace(path=f"{root}/")), unquote(topic)
    return urlunsplit(parts), ""


class WebhookChannel:
    def __init__(self, means: WebhookMeans, tell: TellStep) -> None:
        self._means = means
        self._tell = tell

    @cached_property
    def _bodies(self) -> WebhookBodies:
        return WebhookBodies(self._means.templates)

    def check(self, address: str) -> None:
        """PermanentError where nothing could ever be sent there."""
        Hook.of(address, self._bodies.services)

    def send(self, delivery: Delivery, *, final: Callable[[], bool]) -> Receipt:
        bodies = self._bodies
        hook = Hook.of(delivery.address, bodies.services)
        body = bodies.body(hook.service, delivery.content, topic=hook.topic)
        headers = {"Content-Type": "application/json", **self._signature(hook, delivery, body)}
        asked = said(f"POST {len(body):,} bytes to {hook.url}")
        try:
            page = self._means.poster().post(hook.url, body, headers=headers, last_step=final)
        except MorningDeckError as error:
            self._tell(Step(asked, str(error)))
            raise
        if page is None:
            return Receipt("not sent")
        answer = _told(page, delivery.address)
        self._tell(Step(asked, answer))
        if 200 <= page.status < 300:
            return Receipt(answer)
        later = page.status in _LATER or page.status >= 500
        asked_for = page.headers.get("retry-after")
        after = None if asked_for is None else retry_after(_whole(asked_for), self._means.clock())
        host = urlsplit(hook.url).hostname
        raise NotSentError(f"{host}: answered {answer}", permanent=not later, after=after)

    def _signature(self, hook: Hook, delivery: Delivery, body: bytes) -> dict[str, str]:
        """The headers of Standard Webhooks; without a dot in the id, nobody can shift its parts."""
        name = delivery.message_id.strip("<>").partition("@")[0].replace(".", "-")
        if hook.service in UNSIGNED:
            return {"webhook-id": name}
        at = str(int(self._means.clock().timestamp()))
        key = self._own_key if hook.key is None else hook.key
        signed = hmac.digest(key, f"{name}.{at}.".encode() + body, "sha256")
        signature = base64.b64encode(signed).decode("ascii")
        return {
            "webhook-id": name,
            "webhook-timestamp": at,
            "webhook-signature": f"v1,{signature}",
        }

    @cached_property
    def _own_key(self) -> bytes:
        """Of the installation, for addresses that bring none."""
        given, file = self._means.key, self._means.key_file
        return own_key(file) if given is None else read_key(given)


def _told(page: Page, address: str) -> str:
    """Status and first words of an answer, without what they may repeat of the address."""
    words = " ".join(page.body.decode("utf-8", "replace").split())
    login = unquote(urlsplit(address).netloc.rpartition("@")[0]).encode("utf-8", "replace")
    secrets = [base64.b64encode(login).decode("ascii"), *re.split(r"[/?&=:@#+]", address)]
    for secret in secrets:
        if len(secret) >= SECRET_LENGTH:
            words = words.replace(secret, "***").replace(unquote(secret), "***")
    status = f"{page.status} {responses.get(page.status, '')}".strip()
    return said(f"{status}: {words}" if words else status, MOST_SHOWN)


def _whole(seconds: str) -> str:
    """Discord counts in parts of a second."""
    return re.sub(r"^(\d+)\.\d+$", lambda found: str(int(found[1][:9]) + 1), seconds.strip())


# ---- keys


def read_key(text: str) -> bytes:
    """PermanentError where it is none."""
    try:
        key = base64.b64decode(text.strip().removeprefix(KEY_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not SHORTEST_KEY <= len(key) <= LONGEST_KEY:
        raise PermanentError(
            f"a key of webhooks is {KEY_PREFIX} and {SHORTEST_KEY} to {LONGEST_KEY} bytes in"
            " base64: openssl rand -base64 32 makes one"
        )
    return key


def own_key(file: Path) -> bytes:
    """The installation's: made at first use, and whoever comes second takes the first one's."""
    try:
        if not file.exists():
            draft = file.with_name(f".{file.name}.{token_hex(8)}")
            write(
                draft,
                f"{KEY_PREFIX}{base64.b64encode(token_bytes(32)).decode()}\n".encode(),
            )
            with suppress(FileExistsError):
                os.link(draft, file)
            draft.unlink()
        return read_key(file.read_text(encoding="ascii"))
    except (OSError, UnicodeDecodeError) as error:
        raise TransientError(f"webhook: {file} cannot be read or made ({error})") from error


# ---- the plain body


def report_as_json(report: Report) -> bytes:
    """A report as JSON, from which every other body is made."""
    at = report.generated_at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    data = {
        "report": report.id,
        "briefing": {"id": report.briefing_id, "title": report.briefing_title},
        "slot": report.slot,
        "subject": report.subject,
        "overview": report.overview,
        "language": report.language,
        "weekly": report.weekly,
        "test": not report.id,  # nothing is kept of one
        "notices": [one.text for one in report.untold],
        "stories": [_story(item) for item in report.items],
    }
    document = {"type": "briefing.report", "timestamp": at, "data": data}
    return json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")


def _story(item: ReportItem) -> dict[str, Any]:
    at = item.published_at
    return {
        "position": item.position,
        "title": item.title,
        "url": item.url,
        "summary": item.summary,
        "source": item.source_title,
        "also_in": [teller.source for teller in item.also_in],
        "score": item.score,
        "reason": item.reason,
        "topics": list(item.topics),
        "section": item.section,
        "language": item.language,
        "minutes": item.minutes,
        "update": item.update,
        "told": item.told,
        "missed": item.missed,
        "published_at": None if at is None else at.astimezone(UTC).isoformat(),
    }


def open_webhook(means: ChannelMeans) -> WebhookChannel:
    if means.webhooks is None:
        raise ConfigError("channel 'webhook': there is no way out")
    return WebhookChannel(means.webhooks, means.tell)
