"""The demo: everything on bundled feeds, whatever the user has set."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import closing, suppress
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from morningdeck.__main__ import run_command
from tests.mailcheck import MOST_SPAM, mail_checker, spam_points
from tests.waiting import until
from tests.web.newsroom import chromium

__all__ = ["chromium"]

_LINK = re.compile(r'href="([^"]+)"')


def links(page: str) -> list[str]:
    return [unescape(link) for link in _LINK.findall(page)]


def read(address: str) -> str:
    with urllib.request.urlopen(address, timeout=30) as answer:
        return str(answer.read().decode())


def test_the_demo_plays_all_of_it_and_ignores_the_users_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MORNINGDECK_FETCH__WORKERS", "nonsense")

    code = run_command(["demo", "--json", "--keep", str(tmp_path / "demo")])

    shown = json.loads(capsys.readouterr().out)
    assert code == 0
    assert Path(shown["report"]).is_relative_to(tmp_path / "demo")
    assert Path(shown["report"]).with_suffix(".html").exists()
    assert shown["items"] > shown["stories"] > 0
    assert "wind farm" in shown["search"]["hits"][0]["title"].lower()
    assert run_command(["demo", "--keep", str(tmp_path / "demo")]) == 1


def test_the_demo_names_a_page_whose_links_lead_to_its_articles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["demo", "--keep", str(tmp_path)]) == 0

    *_, page, _mail, last = capsys.readouterr().out.splitlines()
    found = links(Path(page.strip()).read_text())
    assert last == page.strip().replace(".html", ".eml")
    assert len(found) > 10
    for link in found:
        article = (Path(page.strip()).parent / link).read_text()
        assert article.count("<p>") > 2


def test_the_mails_of_the_demo_are_right_everywhere(tmp_path: Path) -> None:
    with mail_checker() as checker:
        assert run_command(["demo", "--keep", str(tmp_path)]) == 0
        mails = {mail.name: mail.read_bytes() for mail in tmp_path.rglob("*.eml")}
        assert len(mails) > 1
        for content in mails.values():
            checker.check(content)
    assert max(spam_points(mails).values()) <= MOST_SPAM


@pytest.mark.xdist_group("browser")
def test_the_demo_leaves_its_pages_up_until_it_is_interrupted(
    tmp_path: Path, chromium: Browser
) -> None:
    command = [sys.executable, "-m", "morningdeck", "demo", "--serve", "--json"]
    # what an environment says is ignored here too: it would be open to others
    elsewhere = {**os.environ, "MORNINGDECK_WEB__HOST": "0.0.0.0"}
    with subprocess.Popen(
        command, cwd=tmp_path, env=elsewhere, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        shown = ""
        while not shown.endswith("\n}\n"):
            shown += process.stdout.readline()
        told = json.loads(shown)
        try:
            assert told["address"].startswith("http://127.0.0.1:")
            until(lambda: answers(told["address"]))
            with chromium.new_context(viewport={"width": 360, "height": 800}) as context:
                look_around(context.new_page(), told)
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def answers(address: str) -> bool:
    with suppress(OSError):
        return bool(read(address))
    return False


def look_around(page: Page, told: dict[str, str]) -> None:
    """From the code on the terminal to an article, by the way of a briefing."""
    page.goto(told["address"])
    page.get_by_label("One-time code").fill(told["code"])
    page.get_by_label("E-mail address").fill("ada@example.org")
    page.get_by_label("Password").fill("a few good words")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("link", name="Morning Deck").click()
    page.locator(".story a").first.click()
    with page.expect_response(lambda answer: answer.ok) as original:
        page.get_by_role("link", name="Open original").click()
    assert original.value.url.startswith("http://127.0.0.1:")
    expect(page.locator("body")).not_to_be_empty()


def test_an_interrupted_demo_says_so_and_leaves_nothing_behind(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "morningdeck", "demo"]
    with subprocess.Popen(
        command, env={**os.environ, "TMPDIR": str(tmp_path)}, stdout=subprocess.PIPE, text=True
    ) as process:
        until(lambda: any(items_in(file) for file in tmp_path.glob("*/morningdeck.db")))
        process.send_signal(signal.SIGINT)
        told, _ = process.communicate(timeout=60)

    assert (process.returncode, told) == (130, "")
    assert not list(tmp_path.glob("morningdeck-demo-*"))


def items_in(file: Path) -> int:
    with closing(sqlite3.connect(file)) as database, suppress(sqlite3.OperationalError):
        return int(database.execute("SELECT count(*) FROM items").fetchone()[0])
    return 0
