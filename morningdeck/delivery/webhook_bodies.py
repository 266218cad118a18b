"""What a webhook is sent: a Jinja2 template for each service, which the user may replace.

A template is given `report` (the `data` of the plain body), `type`, `timestamp` and `topic` (the
last word of an ntfy address), and has to make JSON of them. It runs in a sandbox: what it is given
is foreign text, and it may have come with somebody's recipe.

Each service refuses a message over its limits, and each has signs of its own to be escaped. Filters
do both at once, as cutting afterwards would cut through an escaped sign:

    cut        plain words             mrkdwn    Slack          markdown  Discord, ntfy
    html       Telegram                href      an address, or nothing where it is none

Their number is the most that may come out, in UTF-16 units, which no service counts more strictly.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from itertools import accumulate, takewhile
from pathlib import Path
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from morningdeck.errors import ConfigError, PermanentError

READY = Path(__file__).with_name("webhooks")
SUFFIX = ".j2"
PLAIN = "json"
"""The service of an address that names none: the body as it is, unless a template has its name."""
LARGEST_TEMPLATE = 1 << 20
_NO_LIMIT = 10**9
MANY = 100
"""Stories of the sample that templates are tried with."""
_NEAR = 20
"""A cut goes back to the end of a word that is no further away."""
_UNSAFE = {ord(sign): f"%{ord(sign):02X}" for sign in " \"'()<>\\`{|}"}


class WebhookBodies:
    """The ready templates, and those in the folder, which come first."""

    def __init__(self, folder: Path | None = None) -> None:
        self._environment = _environment()
        self._own = {} if folder is None else self._read(folder)
        self._templates = {**self._read(READY), **self._own}
        for name, template in self._own.items():
            self._try_out(f"{folder}/{name}{SUFFIX}", template)

    @property
    def services(self) -> frozenset[str]:
        """What may stand before the `+` of an address."""
        return frozenset({PLAIN, *self._templates})

    def body(self, service: str, content: bytes, *, topic: str = "") -> bytes:
        template = self._templates.get(service)
        if template is None:
            return content
        try:
            return _rendered(template, json.loads(content), topic)
        except (TemplateError, ValueError, TypeError, ArithmeticError) as error:
            raise PermanentError(
                f"webhook: its template {service}{SUFFIX} fails: {error}"
            ) from error

    def _read(self, folder: Path) -> dict[str, Template]:
        found = {}
        try:
            for path in sorted(folder.glob(f"*{SUFFIX}")):
                text = path.read_bytes()[:LARGEST_TEMPLATE].decode("utf-8")
                found[path.stem.lower()] = self._environment.from_string(text)
            if not folder.is_dir():
                raise ConfigError(f"there is no folder {folder}")
        except TemplateError as error:
            line = getattr(error, "lineno", None)
            where = path if line is None else f"{path}, line {line}"
            raise ConfigError(f"{where}: {error}") from None
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{folder} cannot be read: {error}") from None
        return found

    def _try_out(self, where: str, template: Template) -> None:
        for sample in (SAMPLE, QUIET):
            try:
                _rendered(template, sample, "topic")
            except (TemplateError, ValueError, TypeError, ArithmeticError) as error:
                raise ConfigError(f"{where}: {error}") from None


def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "cut": partial(_fitted, escape=str),
        "mrkdwn": partial(_fitted, escape=_mrkdwn),
        "markdown": partial(_fitted, escape=_markdown),
        "html": partial(_fitted, escape=_html),
        "href": _href,
        "units": _units,
        "octets": lambda text: len(str(text).encode("utf-8", "replace")),
    }
    environment.policies["json.dumps_kwargs"] = {"sort_keys": False, "default": _no_json}
    return environment


def _no_json(value: object) -> str:
    """What is not defined says so; of the rest nothing comes from a report."""
    if isinstance(value, StrictUndefined):
        return str(value)
    raise TypeError(f"{type(value).__name__} is nothing that JSON knows")


def _rendered(template: Template, document: Mapping[str, Any], topic: str) -> bytes:
    text = template.render(
        report=document["data"],
        type=document["type"],
        timestamp=document["timestamp"],
        topic=topic,
    ).strip()
    try:
        json.loads(text)
    except ValueError as error:
        raise ValueError(f"what it makes is no JSON ({error})") from None
    return text.encode("utf-8", "replace")


# ---- filters


def _units(text: object) -> int:
    return len(str(text).encode("utf-16-le", "replace")) // 2


def _fitted(text: object, most: int = _NO_LIMIT, *, escape: Callable[[str], str]) -> str:
    """On one line, escaped, and no longer than that: cut between words where one ends nearby."""
    words = " ".join(str(text or "").split())
    if _units(whole := escape(words)) <= most:
        return whole
    # one for the dots
    ends = accumulate(_units(escape(sign)) for sign in words)
    kept = words[: sum(1 for _ in takewhile(lambda end: end < most, ends))]
    head, blank, tail = kept.rpartition(" ")
    if blank and len(tail) < _NEAR:
        kept = head
    return f"{escape(kept.rstrip())}…" if most > 0 else ""


def _mrkdwn(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _html(text: str) -> str:
    return _mrkdwn(text).replace('"', "&quot;")


def _markdown(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\`*_~|[]()<>#" else sign for sign in text)


def _href(url: object, most: int = 1500) -> str:
    """Nothing for what is no address of the web, or too long for one."""
    text = str(url or "")
    if not text.startswith(("http://", "https://")):
        return ""
    text = text.translate(_UNSAFE)
    return text if _units(text) <= most else ""


# ---- what templates are tried with


def _story(position: int) -> dict[str, Any]:
    return {
        "position": position,
        "title": 'A <title> & "more" of it | *bold* _too_ ' + "\U0001f4f0 long " * 60,
        "url": f"https://news.example/{position}?a=(b)|c",
        "summary": "Grids & <storage>. " * 200,
        "source": "The Harbour & Courier",
        "also_in": ["Ledger", "Tide"],
        "score": 81,
        "reason": "about grids",
        "topics": ["energy"],
        "section": "",
        "language": "en",
        "minutes": 4,
        "update": "",
        "told": False,
        "missed": False,
        "published_at": None,
    }


def _document(stories: int) -> dict[str, Any]:
    return {
        "type": "briefing.report",
        "timestamp": "2026-11-19T07:30:00Z",
        "data": {
            "report": 7,
            "briefing": {"id": 1, "title": "Energy"},
            "slot": "2026-11-19",
            "subject": "Grids & <storage> today",
            "overview": "The day in short. " * 100,
            "language": None,
            "weekly": False,
            "test": False,
            "notices": ["The budget is spent."],
            "stories": [_story(number) for number in range(1, stories + 1)],
        },
    }


SAMPLE, QUIET = _document(MANY), _document(0)
