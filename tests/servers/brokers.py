"""Real brokers for the tests, each in a folder of its own on free ports of loopback.

Redis and RabbitMQ are Debian's, neither as a service of the system; the SQS server is moto's.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from kombu import Connection, Queue

from morningdeck.engine.celery_queue import connecting
from tests.servers.debian import free_ports
from tests.waiting import until

RABBITMQ = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
UP_SECONDS = 90.0
"""RabbitMQ takes three on an idle machine."""


class Broker:
    """Started, frozen, wiped and started again at will; always under the same URL."""

    url: str
    keeps = True
    """Does it still have its messages after a restart?"""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port
        self._processes: list[subprocess.Popen[bytes]] = []

    def connect(self) -> Connection:
        return connecting(self.url, long_poll_seconds=1)()

    def empty(self, name: str) -> None:
        """Nothing waits in that queue any more."""
        with self.connect() as connection:
            queue = Queue(name, channel=connection.default_channel)
            queue.declare()
            queue.purge()

    def holds(self, name: str) -> int:
        """So many messages wait in that queue."""
        with self.connect() as connection:
            queue = Queue(name, channel=connection.default_channel)
            return int(queue.queue_declare(passive=False)[1])

    def up(self) -> None:
        self._start()
        until(self._answers, UP_SECONDS, pause_seconds=0.05)

    def _start(self) -> None:
        raise NotImplementedError

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def down(self) -> None:
        """As a crash would."""
        for process in reversed(self._processes):
            process.kill()
            process.wait()
        self._processes.clear()

    def wipe(self) -> None:
        """It comes back, and knows of no queue and no message."""
        self.down()
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        self.up()

    @property
    def pid(self) -> int:
        return self._processes[-1].pid

    @property
    def pids(self) -> list[int]:
        """All of its own, without their children."""
        return [process.pid for process in self._processes]

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Until it stands still it may answer: on a busy machine a signal takes its time."""
        pid = self.pid
        os.kill(pid, signal.SIGSTOP)
        try:
            until(lambda: _stands_still(pid), UP_SECONDS)
            yield
        finally:
            os.kill(pid, signal.SIGCONT)

    def _spawn(self, *command: object, environment: Mapping[str, object] | None = None) -> None:
        given = {name: str(value) for name, value in (environment or {}).items()}
        log = (self.folder / "log").open("ab")
        with log:
            process = subprocess.Popen(
                [str(word) for word in command],
                cwd=self.folder,
                env={**os.environ, **given},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self._processes.append(process)


def _stands_still(pid: int) -> bool:
    """All of its threads."""
    states = [
        one.read_text().rpartition(")")[2].split()[0]
        for one in Path(f"/proc/{pid}/task").glob("*/stat")
    ]
    return set(states) == {"T"}


class Redis(Broker):
    keeps = False

    @property
    def url(self) -> str:  # type: ignore[override]
        return f"redis://127.0.0.1:{self.port}/0"

    def _start(self) -> None:
        self._spawn(
            *("redis-server", "--port", self.port, "--bind", "127.0.0.1", "--save", ""),
            *("--dir", self.folder),
        )


class RabbitMQ(Broker):
    keeps = False
    """What is in a durable queue and not on the disk it forgets."""

    @property
    def url(self) -> str:  # type: ignore[override]
        return f"amqp://guest:guest@127.0.0.1:{self.port}//"

    def _start(self) -> None:
        names, distribution = free_ports(2)
        self._spawn("epmd", "-port", names, "-address", "127.0.0.1")
        (self.folder / "plugins").write_text("[].\n")
        environment = {
            "HOME": self.folder,
            "ERL_EPMD_PORT": names,
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODENAME": f"deck{self.port}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": self.port,
            "RABBITMQ_DIST_PORT": distribution,
            "RABBITMQ_MNESIA_BASE": self.folder / "data",
            "RABBITMQ_LOG_BASE": self.folder / "logs",
            "RABBITMQ_ENABLED_PLUGINS_FILE": self.folder / "plugins",
            "RABBITMQ_PID_FILE": self.folder / "pid",
            "RABBITMQ_CONFIG_FILE": self.folder / "none",
            # two processors are shared with all that is tested
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 +sbwt none",
        }
        self._spawn(RABBITMQ, environment=environment)

    def _answers(self) -> bool:
        if not super()._answers():
            return False
        with suppress(Exception), Connection(self.url, connect_timeout=2) as connection:
            connection.connect()
            return True
        return False

    @property
    def pid(self) -> int:
        return int((self.folder / "pid").read_text())

    def down(self) -> None:
        with suppress(OSError, ValueError):
            os.kill(self.pid, signal.SIGKILL)
        super().down()


class Sqs(Broker):
    keeps = False

    @property
    def url(self) -> str:  # type: ignore[override]
        return f"sqs://key:se%2Fcret@127.0.0.1:{self.port}"

    def empty(self, name: str) -> None:
        """Amazon purges once a minute: it forgets the queue itself."""
        asking = Request(f"http://127.0.0.1:{self.port}/moto-api/reset", method="POST")
        with urlopen(asking):
            pass

    def _start(self) -> None:
        program = Path(sys.executable).with_name("moto_server")
        self._spawn(program, "-H", "127.0.0.1", "-p", self.port)


BROKERS: Mapping[str, tuple[Callable[[Path, int], Broker], str]] = {
    "redis": (Redis, "redis-server"),
    "rabbitmq": (RabbitMQ, str(RABBITMQ)),
    "sqs": (Sqs, str(Path(sys.executable).with_name("moto_server"))),
}


@contextmanager
def broker(kind: str) -> Iterator[Broker]:
    """The server, or a word about why there is none; where CI is set there must be one."""
    make, program = BROKERS[kind]
    if shutil.which(program) is None:
        missing = f"{kind} is not installed"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(f"{missing} (see README)")
    folder = Path(tempfile.mkdtemp(prefix=f"morningdeck-{kind}-"))
    server = make(folder, free_ports(1)[0])
    try:
        server.up()
        yield server
    finally:
        server.down()
        shutil.rmtree(folder, ignore_errors=True)
