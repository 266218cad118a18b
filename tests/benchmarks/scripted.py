"""A language model in a process of its own, so that its work is not counted as ours.

Scripted (here)  <-- its address -------------- serve() (there)
                 --- a line -------------->
                 <-- when each call came --
                 --- end of input -------->
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from tests.servers.endpoint import ModelServer, slow


class Scripted:
    """Answers as a good model does, after so many seconds."""

    def __init__(self, latency_seconds: float = 0.0) -> None:
        self._latency_seconds = latency_seconds
        self.base_url = ""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(self._latency_seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.base_url = self._process.stdout.readline().strip()
        if not self.base_url:
            raise RuntimeError(f"the model is gone, status {self._process.wait()}")
        return self

    def calls(self) -> Sequence[float]:
        """When each came, in seconds by some clock."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        moments: list[float] = json.loads(self._process.stdout.readline())
        return moments

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._process:  # closes its input, upon which it ends
            pass


def serve(latency_seconds: float) -> None:
    with ModelServer(slow(latency_seconds)) as server:
        print(server.base_url, flush=True)
        for _ in sys.stdin:
            print(json.dumps([one.at for one in server.asked]), flush=True)


if __name__ == "__main__":
    serve(float(sys.argv[1]))
