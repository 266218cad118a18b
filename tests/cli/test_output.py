"""What is printed, for programs and for people."""

from __future__ import annotations

import json

import pytest

from morningdeck.cli.output import Output
from morningdeck.views import to_json
from morningdeck.views.reading import RejectedView
from morningdeck.views.running import DaemonView, DatabaseView
from tests.conftest import NOW

NASTY = RejectedView(url="\x1b]0;owned\x07 \u202etxt.exe\x9b31m", reason="[bold]no[/bold] é")


def test_times_are_utc_with_z() -> None:
    assert json.loads(to_json(DaemonView(True, NOW))) == {
        "running": True,
        "since": "2026-11-18T07:00:00Z",
    }


def test_json_is_plain_ascii_whatever_a_feed_says() -> None:
    text = to_json((NASTY,))

    assert text.isascii()
    assert json.loads(text) == [{"url": NASTY.url, "reason": NASTY.reason}]


def test_json_is_all_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    out = Output(json=True)

    with out.busy("working"):
        out.show(NASTY)
    out.say("for people")

    assert json.loads(capsys.readouterr().out) == {"url": NASTY.url, "reason": NASTY.reason}


def test_what_comes_from_feeds_cannot_steer_a_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Output(json=False).show(NASTY)

    assert capsys.readouterr().out.splitlines() == [
        "url     ]0;owned   txt.exe 31m",
        "reason  [bold]no[/bold] é",
    ]


def test_a_list_is_one_line_each_for_other_programs(capsys: pytest.CaptureFixture[str]) -> None:
    views = [DaemonView(True, NOW), DaemonView(False, None)]

    Output(json=False, zone="Asia/Tokyo").list(views, "running since", up=lambda view: "?")

    assert capsys.readouterr().out.splitlines() == [
        "running\tsince\tup",
        "yes\t2026-11-18 16:00 JST\t?",
        "no\t\t?",
    ]


def test_an_object_shows_what_it_has(capsys: pytest.CaptureFixture[str]) -> None:
    Output(json=False).show(DatabaseView("sqlite", None, "0001", False, ("one", "two")))

    assert capsys.readouterr().out.splitlines() == [
        "database  sqlite",
        "newest    0001",
        "ok        no",
        "problems  one, two",
    ]
