"""One checker for every mail: two parsers, what clients understand, valid HTML, no spam.

The tools are those of `package-lock.json` and Debian's SpamAssassin; `make test` installs them.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import IO, Any

import pytest

FOLDER = Path(__file__).parent
MOST_SPAM = 1.0
MOST_BYTES, MOST_WITH_PICTURE = 80_000, 102_400
LONGEST_LINE = 998
ONE_EACH = ("From", "To", "Subject", "Date", "Message-ID", "List-ID", "Auto-Submitted")
HEADERS = {*ONE_EACH, "List-Unsubscribe", "List-Unsubscribe-Post"}
OF_MIME = {"MIME-Version", "Content-Type"}

TOLERATED: Mapping[str, str] = {
    "@media": "without it a mail is narrow and light, as everywhere",
    "<style> element": "the same: all that it needs stands in its elements",
    "display:none": "the preheader is two pixels high then",
    "table-layout": "a table is as wide as its longest word then",
    "word-break": "the same",
    "role attribute": "a screen reader of Windows Mail says that there is a table",
    "<body> element": "the first table has its colours too",
    "height property": "we have none: caniemail takes line-height for one",
}
"""What some client does not understand, and why that does no harm."""


def need(tool: str, there: bool) -> None:
    """Where nobody promised that all tools are there, a test may do without."""
    if there:
        return
    if os.environ.get("CI"):
        pytest.fail(f"{tool} is missing: make test installs it")
    pytest.skip(f"{tool} is missing: make test installs it")


@dataclass(frozen=True, slots=True)
class MailChecker:
    asked: IO[str]
    answers: IO[str]

    def check(self, content: bytes) -> None:
        """AssertionError says what is wrong with the mail."""
        message = read(content)
        self.asked.write(base64.b64encode(content).decode() + "\n")
        self.asked.flush()
        said = json.loads(self.answers.readline())
        _agree(message, said["read"])
        assert said["html"] == []
        assert {*said["clients"]} <= {*TOLERATED}, said["clients"]


def html_mistakes(pages: Sequence[str]) -> list[list[str]]:
    """What html-validate has against each page."""
    node = shutil.which("node") or ""
    need("the mail checker", bool(node) and (FOLDER / "node_modules").is_dir())
    asked = "".join(base64.b64encode(page.encode()).decode() + "\n" for page in pages)
    words = [node, str(FOLDER / "pages.mjs")]
    done = subprocess.run(words, input=asked, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@contextmanager
def mail_checker() -> Iterator[MailChecker]:
    node = shutil.which("node") or ""
    need("the mail checker", bool(node) and (FOLDER / "node_modules").is_dir())
    with subprocess.Popen(
        [node, FOLDER / "check.mjs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield MailChecker(process.stdin, process.stdout)
        process.stdin.close()


def read(content: bytes) -> EmailMessage:
    """As Python's parser reads it, and ready for the wire."""
    lines = content.split(b"\r\n")
    assert max(map(len, lines)) <= LONGEST_LINE
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    message = message_from_bytes(content, policy=default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    assert set(message.keys()) <= HEADERS | OF_MIME
    assert [name for name in ONE_EACH if len(message.get_all(name, [])) != 1] == []
    assert message.get_content_type() == "multipart/alternative"
    pictures = [part for part in message.walk() if part.get_content_type() == "image/jpeg"]
    _, page = _texts(message)
    kinds = [part.get_content_type() for part in message.iter_parts()]
    assert kinds == ["text/plain", "multipart/related" if pictures else "text/html"]
    named = [f"cid:{one['Content-ID'].strip('<>')}" for one in pictures]
    assert re.findall(r"<img[^>]*\ssrc=\"([^\"]*)\"", page) == named
    beside = sum(len(one.as_bytes()) for one in pictures)
    assert len(content) - beside < MOST_BYTES
    assert len(content) < MOST_WITH_PICTURE
    return message


def _texts(message: EmailMessage) -> tuple[str, str]:
    text, page = (message.get_body((kind,)) for kind in ("plain", "html"))
    assert text is not None
    assert page is not None
    return text.get_content(), page.get_content()


def _agree(message: EmailMessage, other: dict[str, Any]) -> None:
    """Both parsers read the same."""
    text, page = _texts(message)
    assert other["subject"] == message["Subject"]
    assert other["from"] == message["From"].addresses[0].addr_spec
    assert other["to"] == [one.addr_spec for one in message["To"].addresses]
    assert sorted(other["headers"]) == sorted(name.lower() for name in message)
    assert _lines(other["text"]) == _lines(text)
    assert _lines(other["html"]) == _lines(page)
    assert other["attachments"] == page.count("<img")


def _lines(text: str) -> Sequence[str]:
    return text.replace("\r\n", "\n").strip().split("\n")


def spam_points(mails: Mapping[str, bytes]) -> dict[str, float]:
    """What SpamAssassin's own rules, without the network, say of each."""
    tool = shutil.which("spamassassin") or ""
    need("SpamAssassin", bool(tool))
    box = b"".join(
        b"From deck Wed Nov 18 07:00:00 2026\n" + content.replace(b"\r\n", b"\n") + b"\n\n"
        for content in mails.values()
    )
    done = subprocess.run(
        [tool, "--local", "--mbox"], input=box, capture_output=True, check=True, timeout=100
    )
    points = re.findall(rb"^X-Spam-Status: \w+, score=(-?[\d.]+)", done.stdout, re.MULTILINE)
    assert len(points) == len(mails)
    return dict(zip(mails, map(float, points), strict=True))
