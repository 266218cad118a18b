"""A language model on loopback that answers what the test tells it to, as OpenAI's endpoint does.

`good` reads the prompt and the schema and answers like a model that does as it is told; the others
are the ways in which endpoints go wrong.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any, Self

from tests.servers.web import HangUp, Request, Server, answer

PATH = "/v1/chat/completions"
Reply = Callable[["Asked"], Iterable[bytes]]
_ITEM = re.compile(r"^\[1\].*\n([^.!?]*[.!?])", re.MULTILINE)
_SENTENCE = re.compile(r"[^.!?\n]{20,}[.!?]")


@dataclass(frozen=True, slots=True)
class Asked:
    """One request that came in."""

    body: dict[str, Any]
    headers: dict[str, str]
    at: float = field(default_factory=time.monotonic)

    @property
    def instructions(self) -> str:
        return str(self.body["messages"][0]["content"])

    @property
    def material(self) -> str:
        return str(self.body["messages"][1]["content"])

    @property
    def text(self) -> str:
        """The article in it, without its marks and its first lines."""
        inside = re.sub(r"</?article-\w+>", "", self.material)
        return inside.partition("Title: ")[2].partition("\n")[2].strip()

    @property
    def manner(self) -> str:
        wanted: dict[str, str] = self.body.get("response_format") or {}
        return wanted.get("type", "words")

    @property
    def schema(self) -> dict[str, Any]:
        """Of the form, wherever it stands."""
        if self.manner == "json_schema":
            schema: dict[str, Any] = self.body["response_format"]["json_schema"]["schema"]
            return schema
        in_words = next(line for line in self.instructions.splitlines() if line.startswith("{"))
        found: dict[str, Any] = json.loads(in_words)
        return found


class ModelServer:
    """Answers by `replies`, one after the other, the last for all that follow; keeps what came."""

    def __init__(self, *replies: Reply) -> None:
        self.asked: list[Asked] = []
        self._replies = list(replies) or [good]
        self._server = Server(self._lost)
        self._server.does(PATH, self._answer)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()

    @property
    def base_url(self) -> str:
        return self._server.url("/v1")

    @property
    def server(self) -> Server:
        return self._server

    def will(self, *replies: Reply) -> None:
        """From now on."""
        self._replies[:] = replies

    def _answer(self, request: Request) -> Iterator[bytes]:
        asked = Asked(json.loads(request.body), request.headers)
        self.asked.append(asked)
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        yield from reply(asked)

    def _lost(self, request: Request) -> Iterable[bytes]:
        yield answer(404, json.dumps({"error": {"message": f"no {request.path}"}}).encode())


# ---- answers that are well


def completion(
    content: str | None, *, tokens_in: int | None = 500, ended: str = "stop", **message: Any
) -> bytes:
    """As endpoints send it."""
    said = {"role": "assistant", "content": content, **message}
    usage = {"prompt_tokens": tokens_in, "completion_tokens": 50, "total_tokens": 550}
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [{"index": 0, "message": said, "finish_reason": ended}],
        **({} if tokens_in is None else {"usage": usage}),
    }
    return answer(200, json.dumps(body).encode(), content_type="application/json")


def said(content: str | None, **how: Any) -> Reply:
    """Always this."""

    def reply(_: Asked) -> Iterable[bytes]:
        yield completion(content, **how)

    return reply


def good(asked: Asked) -> Iterator[bytes]:
    yield completion(json.dumps(filled(asked)), tokens_in=counted(asked))


def counted(asked: Asked) -> int:
    """As tokenizers count English, about."""
    return len(asked.instructions + asked.material) * 2 // 9 + 10


def filled(asked: Asked, **instead: Any) -> dict[str, Any]:
    """What a good model answers: the article's first two sentences, and 70 for every wish; of a
    briefing the first sentence of its first item.
    """
    sentences = _SENTENCE.findall(asked.text)
    value = {
        "summary": " ".join(one.strip() for one in sentences[:2]),
        "category": "technology",
        "intent": "news",
        "sentiment": "positive",
        "topics": re.findall(r"[a-z]{6,}", asked.text)[:3],
        "people": [],
        "companies": [],
        "technologies": [],
        "scores": [scored(number) for number in wishes(asked)],
        "subject": "",
        "sentences": [{"text": one, "items": ["1"]} for one in _ITEM.findall(asked.material)[:1]],
        "links": [],
        "stories": [],
        "items": [],
        **instead,
    }
    known = asked.schema["properties"]
    return {name: held for name, held in value.items() if name in known}


def scored(wish: str, score: Any = 70, reason: str = "it is about this") -> dict[str, Any]:
    return {"wish": wish, "reason": reason, "score": score}


def wishes(asked: Asked) -> list[str]:
    scores = asked.schema["properties"].get("scores")
    named = scores["items"]["properties"]["wish"]["enum"] if scores else []
    return [one for one in named if one != "none"]


# ---- answers that are not


def refused(status: int, message: str = "", **headers: str) -> Reply:
    """An error, which repeats the key as some do."""

    def reply(asked: Asked) -> Iterable[bytes]:
        key = asked.headers.get("authorization", "")
        error = {"message": message or f"no: {key}", "type": "error", "code": None}
        body = json.dumps({"error": error}).encode()
        yield answer(status, body, content_type="application/json", **headers)

    return reply


def slow(seconds: float, then: Reply = good) -> Reply:
    """So long after the question, however long it took to think of an answer."""

    def reply(asked: Asked) -> Iterable[bytes]:
        pieces = list(then(asked))
        time.sleep(max(0.0, asked.at + seconds - time.monotonic()))
        yield from pieces

    return reply


def cut(asked: Asked) -> Iterator[bytes]:
    """Hangs up in the middle."""
    whole = b"".join(good(asked))
    yield whole[: len(whole) * 2 // 3]
    raise HangUp


def reset(_: Asked) -> Iterator[bytes]:
    yield b""
    raise HangUp(reset=True)


def empty(_: Asked) -> Iterator[bytes]:
    yield answer(200, b"", content_type="application/json")


def html(_: Asked) -> Iterator[bytes]:
    yield answer(200, b"<html><body>Welcome to our proxy</body></html>", content_type="text/html")


def large(_: Asked) -> Iterator[bytes]:
    """A megabyte where a few hundred bytes were asked for."""
    yield completion("x" * (1 << 20))


def with_prose(asked: Asked) -> Iterator[bytes]:
    value = json.dumps(filled(asked), indent=1)
    yield completion(f"Sure! Here is what you asked for:\n\n```json\n{value}\n```\nAnything else?")


def wrong_form(asked: Asked) -> Iterator[bytes]:
    yield completion(json.dumps({"title": "Harbour", "rating": "five stars"}))


def refusal(_: Asked) -> Iterator[bytes]:
    yield completion(None, refusal="I'm sorry, I can't help with that.")


def only_in(*manners: str, then: Reply = good) -> Reply:
    """An endpoint that knows these manners of asking and refuses the others."""

    def reply(asked: Asked) -> Iterable[bytes]:
        if asked.manner not in manners:
            message = f"response_format.type {asked.manner} is not supported"
            return refused(400, message)(asked)
        return then(asked)

    return reply


def dripping(server: Server) -> Reply:
    """Of its answer a byte now and then, for ever."""

    def reply(_: Asked) -> Iterable[bytes]:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99999\r\n\r\n"
        return chain([head], server.drip())

    return reply


def dripping_headers(server: Server) -> Reply:
    """A header now and then, for ever."""
    return lambda _: chain([b"HTTP/1.1 200 OK\r\n"], server.drip(repeat(b"X-More: to come\r\n")))
