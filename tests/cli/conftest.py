"""The command line as somebody at a terminal has it, with a data folder of its own."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from morningdeck.__main__ import run_command
from tests.servers.feeds import FeedServer

FEED = b"""<rss version="2.0"><channel><title>Harbour news</title>
<item><title>Harbour opens</title><link>https://example.org/1</link><guid>1</guid></item>
</channel></rss>"""


@dataclass(frozen=True, slots=True)
class Ended:
    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Terminal:
    capture: pytest.CaptureFixture[str]

    def __call__(self, *words: str) -> Ended:
        code = run_command(words)
        captured = self.capture.readouterr()
        return Ended(code, captured.out, captured.err)

    def add_source(self, url: str = "https://example.org/feed") -> int:
        return int(self.json("source", "add", url, "--no-check")["id"])

    def json(self, *words: str) -> Any:
        """Of a command that must succeed, what it prints."""
        ended = self(*words, "--json")
        assert (ended.code, ended.err) == (0, "")
        return json.loads(ended.out)


@pytest.fixture
def terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Terminal:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MORNINGDECK_DATA_DIR", "data")
    monkeypatch.setenv("MORNINGDECK_HTTP__ALLOW_NETWORKS", '["127.0.0.0/8"]')
    return Terminal(capsys)


@pytest.fixture
def feed_url(site: FeedServer) -> str:
    return site.put("/feed", FEED)
