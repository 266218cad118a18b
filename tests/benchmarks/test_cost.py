"""The benchmarks' measure: it sees what a process does, and what that one starts does."""

from __future__ import annotations

import subprocess
import sys

from tests.benchmarks.cost import measure

CPU_SECONDS, MEGABYTES = 0.3, 60
WORK = f"""
import time
kept = b"x" * {MEGABYTES * 1_000_000}
while time.process_time() < {CPU_SECONDS}: pass
"""
BY_ANOTHER = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {WORK!r}])"


def test_a_program_counts_with_those_that_it_starts() -> None:
    with subprocess.Popen([sys.executable, "-c", BY_ANOTHER]) as program:
        cost = measure(program.wait, lambda: [program.pid])

    assert cost.cpu_seconds > CPU_SECONDS * 0.9
    assert cost.peak_bytes > MEGABYTES * 1_000_000


def test_what_lives_on_counts_with_what_it_did_meanwhile() -> None:
    loop = f"for line in sys.stdin: exec({BY_ANOTHER!r}); print('done', flush=True)"
    with subprocess.Popen(
        [sys.executable, "-c", f"import sys\n{loop}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write("go\n" * 2)
        server.stdin.flush()
        assert server.stdout.readline() == "done\n"

        cost = measure(server.stdout.readline, lambda: [server.pid])

        server.stdin.close()
    assert CPU_SECONDS * 0.9 < cost.cpu_seconds < CPU_SECONDS * 2
    assert cost.peak_bytes > MEGABYTES * 1_000_000
