"""One request to an endpoint by the `openai` package: its answer, or what was wrong.

Nothing is asked twice in here, no answer is longer than a cap, none takes longer than its
deadline, and nothing that a server says is quoted: it may repeat the key.
"""

from __future__ import annotations

import logging
from typing import Any

import httpx2
import openai

from morningdeck.endpoint.chat import (
    CallFailedError,
    ChatAnswer,
    NoAnswerError,
    RequestRefusedError,
)
from morningdeck.endpoint.connections import Connections
from morningdeck.model.asking import FailureKind

PATH = "/chat/completions"
LONGEST_CONNECT_SECONDS = 10.0
NO_KEY = "none"
"""For endpoints on the own machine, which want none; the package insists on one."""
DENIALS = frozenset({401, 402, 403, 404, 405, 410})
REFUSALS = frozenset({400, 409, 413, 415, 422, 501})
"""Of this request, and not of any other."""
MODERATED = 403
"""Of the key, or of the article where its moderator has flagged that (OpenRouter)."""


class Client:
    """Safe to be used by many threads at once."""

    def __init__(self, base_url: str, api_key: str | None, timeout_seconds: float) -> None:
        for chatty in ("openai", "httpx2", "httpcore2"):  # they log addresses, and headers
            logging.getLogger(chatty).setLevel(logging.WARNING)
        connect = min(LONGEST_CONNECT_SECONDS, timeout_seconds)
        self._http = httpx2.Client(
            transport=Connections(timeout_seconds),
            timeout=httpx2.Timeout(timeout_seconds, connect=connect),
            follow_redirects=False,
            headers={"Accept-Encoding": "identity"},
            trust_env=False,
        )
        self._openai = openai.OpenAI(
            api_key=api_key or NO_KEY,
            base_url=base_url,
            organization=None,
            max_retries=0,
            http_client=self._http,
        )

    def chat(self, model: str, messages: list[dict[str, str]], said: dict[str, Any]) -> ChatAnswer:
        """By the package's general way to post: its own for chats goes through every level of a
        request, the answer's schema included, to find names of fields that might need another form.
        """
        asked = {"model": model, "messages": messages, **said}
        try:
            answer = self._openai.post(PATH, cast_to=httpx2.Response, body=asked)
            return _understood(answer.json())
        except openai.APIStatusError as error:
            raise _of_status(error) from None
        except openai.APIConnectionError as error:  # timeouts, too
            raise _of_connection(error) from None
        except (openai.OpenAIError, ValueError, TypeError, LookupError, AttributeError) as error:
            raise NoAnswerError(f"no answer of a model ({type(error).__name__})") from None

    def close(self) -> None:
        self._http.close()


def _of_status(error: openai.APIStatusError) -> Exception:
    status = error.status_code
    what = f"answered {status}"
    refusal = RequestRefusedError(status, f"{error.message} {error.body}"[:4000].lower())
    if status in REFUSALS or (status == MODERATED and refusal.forbidden):
        return refusal
    if status in DENIALS or 300 <= status < 400:
        return CallFailedError(FailureKind.DENIED, what)
    kind = FailureKind.LIMITED if status == 429 else FailureKind.SERVER
    return CallFailedError(kind, what, retry_after=error.response.headers.get("retry-after"))


def _of_connection(error: openai.APIConnectionError) -> Exception:
    """Before a connection stands nothing can have been asked, and nothing paid."""
    cause = error.__cause__
    if isinstance(cause, NoAnswerError):
        return cause
    unpaid = isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout)
    if isinstance(error, openai.APITimeoutError):
        return CallFailedError(FailureKind.TIMEOUT, "no complete answer in time", unpaid=unpaid)
    what = f"the connection failed ({type(cause or error).__name__})"
    return CallFailedError(FailureKind.CONNECTION, what, unpaid=unpaid)


def _understood(answer: Any) -> ChatAnswer:
    """As far as it is what a model answers; else whatever Python raises over it."""
    choice = answer["choices"][0]
    said = choice["message"]
    text = said.get("content")
    if isinstance(text, list):  # some answer in parts
        text = "".join(part.get("text") or "" for part in text)
    ended = choice.get("finish_reason")
    usage = answer.get("usage") or {}
    return ChatAnswer(
        str(text or ""),
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
        cut=ended == "length",
        refused=bool(said.get("refusal")) or ended == "content_filter",
    )


def _count(value: object) -> int | None:
    number = value if isinstance(value, int) and not isinstance(value, bool) else None
    return number if number is not None and 0 < number < 10**9 else None
