"""What comes of one request to an endpoint: an answer, or one of three ways to have none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

from morningdeck.model.asking import FailureKind

_TOO_LONG = (
    *("context length", "context_length", "context window", "context size", "maximum context"),
    *("too long", "too many tokens", "n_ctx", "exceed"),
)
_FORBIDDEN = (
    *("content_filter", "content filter", "content management", "content policy"),
    *("moderation", "input was flagged", "prompt was flagged"),
)


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """What came back; the tokens are None where the endpoint does not count them."""

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    cut: bool = False
    """It ends where its limit was reached."""
    refused: bool = False
    """The model does not want to, or may not."""


class CallFailedError(Exception):
    """The endpoint's trouble, and nobody else's."""

    def __init__(
        self,
        kind: FailureKind,
        what: str,
        *,
        retry_after: str | None = None,
        unpaid: bool = True,
    ) -> None:
        super().__init__(what)
        self.kind = kind
        self.retry_after = retry_after
        self.unpaid = unpaid
        """It has certainly cost nothing."""


class RequestRefusedError(Exception):
    """The endpoint is well, but does not take this request."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(f"answered {status}")
        self.status = status
        self.said = said
        """To learn from, never to be shown."""

    @property
    def too_long(self) -> bool:
        says_so = any(words in self.said for words in _TOO_LONG)
        return self.status == 413 or (says_so and not self.forbidden)

    @property
    def forbidden(self) -> bool:
        """For what the article says, of which some of it may be quoted."""
        return any(words in self.said for words in _FORBIDDEN)


class NoAnswerError(Exception):
    """It answered, but not as a model does."""


class Chat(Protocol):
    """What makes the requests: see `client`."""

    def chat(self, model: str, messages: list[dict[str, str]], said: dict[str, Any]) -> ChatAnswer:
        """One answer to one request, or one of the errors above."""

    def close(self) -> None: ...


def host_and_path(base_url: str) -> str:
    """The endpoint's name: the same in all processes, with nothing secret in it."""
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    return f"{host}:{parts.port}{parts.path}" if parts.port else f"{host}{parts.path}"
