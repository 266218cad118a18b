"""Logs: one event a line on stderr, as JSON for machines, and never on stdout."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Literal

import pytest
import structlog

from morningdeck import logs
from tests.waiting import until

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _put_back() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def events(captured: Captured) -> list[dict[str, Any]]:
    out, err = captured.readouterr()
    assert out == ""
    return [json.loads(line) for line in err.splitlines()]


def test_an_event_is_one_line_of_json_with_its_fields(capsys: Captured) -> None:
    logs.configure(style="json")
    logs.log.info("source_fetched", source_id=17, title="a\nb", new=3)

    (event,) = events(capsys)

    assert event.pop("timestamp").endswith("Z")
    assert event == {
        "event": "source_fetched",
        "level": "info",
        "source_id": 17,
        "title": "a\nb",
        "new": 3,
    }


def test_a_logger_that_was_made_before_is_configured_too(capsys: Captured) -> None:
    early = logs.log
    logs.configure(style="json")
    early.info("started")

    assert [event["event"] for event in events(capsys)] == ["started"]


@pytest.mark.parametrize("style", ["json", "pretty"])
def test_no_secret_of_an_address_is_logged_not_even_in_a_traceback(
    capsys: Captured, style: Literal["json", "pretty"]
) -> None:
    logs.configure(style=style)
    url = "https://jo:s3cret@news.example/s3cret?key=s3cret"
    logs.log.warning("failed", error=url, all=[{"of": url}])
    try:
        raise ValueError(f"cannot read {url}")
    except ValueError:
        logs.log.exception("verb_bug")
        logging.getLogger("library").exception("cannot read %s", url)

    logged = capsys.readouterr().err
    assert "s3cret" not in logged
    assert logged.count("https://news.example/...") >= 4


def test_foreign_words_do_not_steer_the_terminal(capsys: Captured) -> None:
    logs.configure(style="pretty")
    try:
        raise ValueError("\x1b]0;owned\x07\x9b2J")
    except ValueError:
        logs.log.exception("\x1b[2Jverb_bug")

    logged = capsys.readouterr().err
    assert [code for code in ("\x1b]", "\x07", "\x9b", "\x1b[2J") if code in logged] == []


def test_what_is_below_the_level_is_not_logged(capsys: Captured) -> None:
    logs.configure("WARNING", "json")
    log = logs.log
    log.info("counted")
    log.warning("looked_at")
    logging.getLogger("some.library").info("counted too")
    logging.getLogger("some.library").warning("looked at too")

    assert [(e["event"], e["level"]) for e in events(capsys)] == [
        ("looked_at", "warning"),
        ("looked at too", "warning"),
    ]


def test_an_exception_is_json_in_the_same_line(capsys: Captured) -> None:
    logs.configure(style="json")
    try:
        raise ValueError("a bug\nof ours")
    except ValueError:
        logs.log.exception("work_failed", id=5)

    (event,) = events(capsys)

    assert (event["event"], event["level"], event["id"]) == ("work_failed", "error", 5)
    assert event["exception"][0]["exc_type"] == "ValueError"
    assert event["exception"][0]["exc_value"] == "a bug\nof ours"


@pytest.mark.parametrize("style", ["json", "pretty"])
def test_an_exception_never_shows_the_variables_it_came_by(
    capsys: Captured, style: Literal["json", "pretty"]
) -> None:
    logs.configure(style=style)
    secret = "".join(["hun", "ter2"])
    try:
        raise ValueError(len(secret))
    except ValueError:
        logs.log.exception("work_failed")
        logging.getLogger("some.library").exception("failed too")

    said = capsys.readouterr().err
    assert said.count("ValueError") >= 2
    assert "hunter2" not in said


def test_libraries_come_out_the_same_way_with_their_arguments(capsys: Captured) -> None:
    logs.configure(style="json")
    logging.getLogger("some.library").warning("lost %d of %s", 3, "them")

    (event,) = events(capsys)
    assert (event["event"], event["level"]) == ("lost 3 of them", "warning")


@pytest.mark.parametrize("name", ["apscheduler.scheduler", "urllib3", "alembic.runtime"])
def test_chatty_libraries_are_heard_from_warnings_on(capsys: Captured, name: str) -> None:
    logs.configure("DEBUG", "json")
    logging.getLogger(name).info("added job")
    logging.getLogger(name).warning("missed job")

    assert [event["event"] for event in events(capsys)] == ["missed job"]


def test_configuring_twice_says_nothing_twice(capsys: Captured) -> None:
    logs.configure(style="json")
    logs.configure(style="json")
    logs.log.info("once")

    assert len(events(capsys)) == 1


def test_pretty_is_for_people_and_auto_is_json_where_nobody_looks(capsys: Captured) -> None:
    logs.configure(style="pretty")
    logs.log.info("source_fetched", new=3)
    pretty = capsys.readouterr()
    logs.configure(style="auto")
    logs.log.info("source_fetched", new=3)

    assert pretty.out == ""
    assert "source_fetched" in pretty.err
    assert not pretty.err.startswith("{")
    assert events(capsys)[0]["new"] == 3


def test_what_was_gathered_is_all_there_at_the_end_in_its_order(capsys: Captured) -> None:
    logs.configure(style="json")
    log = logs.log
    with logs.gathering():
        for number in range(3 * logs.MOST_GATHERED):
            log.info("counted", number=number)
    log.info("after")

    *counted, after = events(capsys)
    assert [event["number"] for event in counted] == list(range(3 * logs.MOST_GATHERED))
    assert after["event"] == "after"


def test_a_line_is_seen_soon_while_lines_are_gathered(capsys: Captured) -> None:
    logs.configure(style="json")
    with logs.gathering():
        logs.log.info("started")

        until(lambda: "started" in capsys.readouterr().err)


def test_a_log_that_nobody_reads_any_more_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with suppress(BrokenPipeError), os.fdopen(writer, "w") as broken:
        monkeypatch.setattr("sys.stderr", broken)
        logs.configure(style="json")
        with logs.gathering():
            logs.log.info("started")


def test_a_log_that_nobody_reads_holds_no_end_up(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.set_blocking(reader, False)

    def written() -> bool:
        with suppress(BlockingIOError):
            os.read(reader, 1 << 20)
        return not any(thread.name == "log" for thread in threading.enumerate())

    with os.fdopen(writer, "w") as blocked:
        monkeypatch.setattr("sys.stderr", blocked)
        monkeypatch.setattr(logs, "END_SECONDS", 0.05)
        logs.configure(style="json")
        with logs.gathering():
            for _ in range(20):
                logs.log.info("said", text="x" * 10_000)  # no pipe takes that

        until(written)
    os.close(reader)


class Stuck:
    """A log that takes nothing until its speakers are heard out, or wait for it."""

    def __init__(self, speaker: threading.Thread) -> None:
        self._speaker = speaker
        self.largest = 0

    def write(self, text: str) -> None:
        with suppress(AssertionError):
            until(lambda: self.largest or not self._speaker.is_alive(), 0.5)
        self.largest = max(self.largest, len(text))

    def flush(self) -> None: ...


def test_long_lines_that_nobody_takes_off_are_not_heaped_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def speak() -> None:
        for _ in range(40):
            logs.log.info("said", text="x" * 1_000_000)

    speaker = threading.Thread(target=speak)
    stuck = Stuck(speaker)
    monkeypatch.setattr("sys.stderr", stuck)
    logs.configure(style="json")
    with logs.gathering():
        speaker.start()
        speaker.join()

    assert 0 < stuck.largest < logs.MOST_CHARACTERS + 2_000_000


def test_logging_takes_no_library_for_tables_along() -> None:
    program = "import sys, morningdeck.structured; sys.exit('rich.text' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
