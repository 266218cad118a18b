"""How soon a command starts, in seconds of processor, and what a daemon keeps that has no work.

Beside them an interpreter that does nothing, and one that imports SQLAlchemy alone: no command
that asks the database can be quicker than that.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.benchmarks.cost import Peak, measure
from tests.benchmarks.report import Report

PYTHON = sys.executable
OURS = (PYTHON, "-m", "morningdeck")
BARE, SQLALCHEMY = (PYTHON, "-c", ""), (PYTHON, "-c", "import sqlalchemy")
COMMANDS = {"--help": 1.2, "source list": 2.5, "status": 2.5}
"""Each with how many times what importing SQLAlchemy takes it may take."""
MOST_BYTES = 100_000_000
WATCHED_SECONDS = 3.0


def run(report: Report) -> None:
    rounds = 1 if report.quick else 10
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        _start(here, (*OURS, "status"))  # makes the deck
        with_sqlalchemy, bare = (_processor(here, one, rounds) for one in (SQLALCHEMY, BARE))
        report.say(f"a bare interpreter takes {bare * 1000:.0f} ms")
        for command, times in COMMANDS.items():
            ours = _processor(here, (*OURS, *command.split()), rounds)
            report.no_slower(
                f"{command}, processor",
                ours,
                times=times,
                beside=with_sqlalchemy,
                name="import sqlalchemy",
            )
        idle = _memory(here, (*OURS, "run"), lambda line: '"started"' in line)
        nothing = _memory(here, (PYTHON, "-c", "print(); input()"), lambda line: True)
        report.memory(
            "idle daemon", idle, below=MOST_BYTES, beside=nothing, name="a bare interpreter"
        )


def _start(folder: Path, command: Sequence[str]) -> None:
    subprocess.run(command, env=_surroundings(folder), stdout=subprocess.DEVNULL, check=True)


def _processor(folder: Path, command: Sequence[str], rounds: int) -> float:
    """The least of them: whatever else the machine does can only add to it."""
    _start(folder, command)  # it compiles what is not compiled yet
    return min(
        measure(lambda: _start(folder, command), lambda: ()).cpu_seconds for _ in range(rounds)
    )


def _memory(folder: Path, command: Sequence[str], there: Callable[[str], bool]) -> int:
    """Of all its processes, from the line on that tells that it is there."""
    with subprocess.Popen(
        command,
        env=_surroundings(folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        next(line for line in process.stdout if there(line))
        with Peak(lambda: (process.pid,)) as peak:
            time.sleep(WATCHED_SECONDS)
        process.terminate()
    return peak.bytes


def _surroundings(folder: Path) -> dict[str, str]:
    """As users have it: what is compiled stays so."""
    kept = {name: told for name, told in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "MORNINGDECK_DATA_DIR": str(folder)}
