"""A process that gives back what it does not need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = """
import threading
from pathlib import Path
from morningdeck import memory

def held():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 >> 20

def work(parties):
    for megabytes in (2, 8, 24):
        large = bytes([1]) * (megabytes << 20)
    del large
    parties.wait()
    parties.wait()

memory.keep_little()
parties = threading.Barrier(5)
before = held()
for _ in range(4):
    threading.Thread(target=work, args=(parties,)).start()
parties.wait()
print(held() - before)
parties.wait()
"""


def test_threads_keep_nothing_of_the_large_blocks_they_had() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        check=True,
        cwd=Path(__file__).parents[1],
    )

    assert int(done.stdout) < 8


FREED = """
from pathlib import Path
from morningdeck import memory

def held():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 >> 20

blocks = [bytes(2000) for _ in range(20_000)]
del blocks[::2], blocks[:-1]
before = held()
memory.give_back()
print(before - held())
"""


def test_what_lies_free_below_what_is_in_use_is_given_back() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FREED],
        capture_output=True,
        check=True,
        cwd=Path(__file__).parents[1],
    )

    assert int(done.stdout) > 20
