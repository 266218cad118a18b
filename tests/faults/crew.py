"""Daemons and workers, with a broker in between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from morningdeck.work import Stage
from tests.faults.daemon import SHORT_VISITS, Daemon
from tests.servers.brokers import Broker

CARRIED = (Stage.FETCH, Stage.PROCESSING, Stage.BRIEFING)
ALL = "fetch,processing,briefing"
LEASE_SECONDS = 2
SHORT_LEASE = {
    "recovery__lease_seconds": LEASE_SECONDS,
    "recovery__interval_seconds": 1,
    **SHORT_VISITS,
}
KINDS = ("redis", "rabbitmq", "sqs")


@dataclass(frozen=True, slots=True)
class Crew:
    daemons: Sequence[Daemon]
    workers: Sequence[Daemon]

    @property
    def all(self) -> tuple[Daemon, ...]:
        return (*self.daemons, *self.workers)

    def start(self) -> Crew:
        for one in self.all:
            one.start()
        for one in self.all:
            one.wait_for_event("started")
        return self

    def stop(self) -> set[int]:
        """Their exit codes."""
        return {one.stop() for one in self.all}

    def shares(self) -> list[int]:
        """How many items each worker has enriched."""
        done = {"stage": "processing", "status": "DONE"}
        return [len(one.history("job_finished", **done)) for one in self.workers]

    def refused(self) -> int:
        return sum(len(one.history("job_finished", status="refused")) for one in self.all)


def crews(postgres_url: str, tmp_path: Path, daemon: Callable[..., Daemon]) -> Callable[..., Crew]:
    """Each with a data folder of its own, as on machines of their own."""

    def make(
        server: Broker, daemons: int, *queues: str, program: Sequence[str] = (), **settings: object
    ) -> Crew:
        settings = {
            "delivery__folder": str(tmp_path / "outbox"),
            "queue__backend": "celery",
            "queue__broker_url": server.url,
            # whoever dies in a host keeps others out of it for long: not what is tested here
            "http__requests_per_host_second": 0,
            **settings,
        }
        for stage in CARRIED:
            server.empty(stage.value)
        working = {"program": program} if program else {}
        return Crew(
            [daemon(tmp_path / f"d{n}", postgres_url, **settings) for n in range(daemons)],
            [
                daemon(
                    tmp_path / f"w{n}",
                    postgres_url,
                    words=_words(names, celery=bool(program)),
                    **working,
                    **settings,
                )
                for n, names in enumerate(queues)
            ],
        )

    return make


def _words(queues: str, *, celery: bool) -> tuple[str, ...]:
    if celery:
        return ("-A", "morningdeck.celery", "worker", "-Q", queues, "-c", "4")
    return ("worker", "--queues", queues)
