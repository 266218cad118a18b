"""A real daemon as a child process, watched through its log.

Every start writes a log of its own, one JSON object a line, so that a line that a kill
cut off spoils no other.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAM = (sys.executable, "-m", "morningdeck")
RUN = ("run", "--no-web")
LIMIT_SECONDS = 100.0
"""Far more than anything takes on a busy machine: reached only when it never comes."""
STAGES = ("fetch", "processing", "briefing")
OTHERWISE: Mapping[str, object] = {
    # the hosts that the tests serve are on loopback, which nobody may read unless allowed
    "http__allow_networks": ["127.0.0.0/8"],
    # every entry is to go all the way, not only a new source's ten latest
    "fetch__first_import_items": 10_000,
    # the tests read the log
    "logging__format": "json",
    # the tests make things due behind the daemon's back, so nobody wakes it
    **{f"{stage}__interval_seconds": 1 for stage in STAGES},
}
"""All that is not as users have it by default; a test that needs more says why."""
SHORT_VISITS: Mapping[str, object] = {"http__timeout_seconds": 3}
"""For tests that wait until a host whose visitor has died may be asked again: seconds then,
instead of a minute.
"""
FOREIGN = re.compile(r"MORNINGDECK_|DATABASE_URL$|OPENAI_|COVERAGE_")
"""What would set the program otherwise, or make it half as fast and larger."""

Event = Mapping[str, Any]


class Log:
    """The events of one start, read as they are written."""

    def __init__(self, path: Path) -> None:
        path.touch()
        self.path = path
        self._file = path.open()
        self._rest = ""
        self._events: list[Event] = []

    def events(self, name: str = "", **fields: object) -> list[Event]:
        """Those of that name that carry these fields, in their order."""
        *lines, self._rest = (self._rest + self._file.read()).split("\n")
        self._events += [json.loads(line) for line in lines if line.startswith("{")]
        return [
            event
            for event in self._events
            if name in ("", event["event"]) and fields.items() <= event.items()
        ]

    def close(self) -> None:
        self._file.close()


class Daemon:
    """Killed, paused, stopped and started again at will; always the same data folder."""

    def __init__(
        self,
        folder: Path,
        database_url: str,
        *,
        program: Sequence[str] = PROGRAM,
        words: Sequence[str] = RUN,
        **settings: object,
    ) -> None:
        """`words` say what it is to do; `settings` are named as in the environment, e.g.
        `recovery__lease_seconds=3`.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._program = program
        self._words = words
        self.folder = folder
        self.logs: list[Log] = []
        self.environment = _environment(
            {
                "data_dir": str(folder),
                **OTHERWISE,
                **settings,
            },
            database_url,
        )
        self._process: subprocess.Popen[bytes] | None = None

    # ---- its life

    def start(self, *options: str) -> Daemon:
        """Begin; the start is over when `started` is in the log."""
        self.logs.append(Log(self.folder / f"daemon-{len(self.logs)}.log"))
        self.began = time.monotonic()
        with self.log.path.open("a") as stderr:
            self._process = self._spawn(*self._words, *options, stderr=stderr.fileno())
        return self

    def kill(self) -> None:
        """As good as a power cut for the process."""
        self.signal(signal.SIGKILL)
        self.ended()

    def stop(self) -> int:
        """Ask it to drain; returns its exit code."""
        self.signal(signal.SIGTERM)
        return self.ended()

    def pause(self) -> None:
        self.signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.signal(signal.SIGCONT)

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def ended(self, limit_seconds: float = LIMIT_SECONDS) -> int:
        return self.process.wait(limit_seconds)

    def cut(self) -> None:
        """Whatever it is doing, it is gone after this."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()  # ends a paused process too
            self._process.wait()
        for log in self.logs:
            log.close()

    @property
    def process(self) -> subprocess.Popen[bytes]:
        assert self._process is not None, "it has not been started"
        return self._process

    # ---- what it says

    @property
    def log(self) -> Log:
        return self.logs[-1]

    def events(self, name: str = "", **fields: object) -> list[Event]:
        """Of its latest start."""
        return self.log.events(name, **fields)

    def history(self, name: str = "", **fields: object) -> list[Event]:
        """Of all its starts."""
        return [event for log in self.logs for event in log.events(name, **fields)]

    def wait_for(
        self,
        condition: Callable[[], object],
        limit_seconds: float = LIMIT_SECONDS,
        pause_seconds: float = 0.01,
    ) -> float:
        """Return as soon as the condition holds: how many seconds after the last start."""
        patience = time.monotonic() + limit_seconds
        while not condition():
            assert self.process.poll() is None, f"it ended by itself: {self._last_words()}"
            assert time.monotonic() < patience, f"it never happened: {self._last_words()}"
            time.sleep(pause_seconds)
        return time.monotonic() - self.began

    def wait_for_event(self, name: str, **fields: object) -> float:
        return self.wait_for(lambda: self.events(name, **fields))

    def _last_words(self) -> str:
        return "\n".join(str(event) for event in self.events()[-8:])

    # ---- commands beside it

    def command(self, *words: str, code: int = 0) -> Any:
        """Run one to its end; returns the JSON it printed."""
        process = self.begin_command(*words)
        out, error = process.communicate(timeout=LIMIT_SECONDS)
        assert process.returncode == code, error.decode()
        return json.loads(out) if out else error.decode()

    def begin_command(self, *words: str) -> subprocess.Popen[bytes]:
        return self._spawn(*words, "--json", stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def _spawn(
        self, *words: str, stderr: int, stdout: int = subprocess.DEVNULL
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*self._program, *words],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
        )


def _environment(settings: Mapping[str, object], database_url: str) -> dict[str, str]:
    """Ours without anything that would set the program otherwise."""
    kept = {name: value for name, value in os.environ.items() if not FOREIGN.match(name)}
    named = {
        f"MORNINGDECK_{name.upper()}": value if isinstance(value, str) else json.dumps(value)
        for name, value in settings.items()
    }
    return {**kept, **named, "DATABASE_URL": database_url}


@contextmanager
def daemons() -> Iterator[Callable[..., Daemon]]:
    """Makes daemons; all of them are gone afterwards, whatever happened."""
    made: list[Daemon] = []

    def make(folder: Path, database_url: str, **options: Any) -> Daemon:
        made.append(Daemon(folder, database_url, **options))
        return made[-1]

    try:
        yield make
    finally:
        for daemon in made:
            daemon.cut()
