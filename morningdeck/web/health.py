"""For those who watch over it: is it alive, can it work, and how much has it to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from morningdeck import __version__
from morningdeck.actions.status import running_since
from morningdeck.app import App
from morningdeck.store.database import revision
from morningdeck.views.running import QueueStatsView
from morningdeck.web.answers import answer
from morningdeck.web.description import DescribedRoute
from morningdeck.web.login import AdminRoute, By, WatchRoute
from morningdeck.web.problems import ProblemResponse

router = APIRouter(tags=["health"], route_class=DescribedRoute)
admin = APIRouter(tags=["health"], route_class=AdminRoute)
watched = APIRouter(tags=["health"], route_class=WatchRoute)

newest = cache(revision.head)
METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
METRICS_ANSWER = {"content": {"text/plain": {"schema": {"type": "string"}}}}
METRIC_HELP = {
    "build_info": "The version that runs.",
    "daemon_running": "Whether a daemon runs on this database.",
    "queue_rows": "Rows of a stage by state; waiting and failed are counted up to 10,001.",
    "queue_oldest_waiting_seconds": "The age of the oldest row that could be worked on.",
    "deliveries": "Deliveries by state.",
    "search_waiting": "Items that the search server has not been told of.",
    "web_requests_total": "Requests answered by this process, by class of status.",
}


@dataclass(frozen=True, slots=True)
class AliveView:
    status: str
    loops: Mapping[str, bool]


@dataclass(frozen=True, slots=True)
class ReadyView:
    status: str
    database: str
    revision: str


@router.get("/healthz", response_model=AliveView)
async def healthz(request: Request) -> Response:
    """Whether the loops of this process beat; it asks no database, and waits for no thread."""
    loops = request.app.state.loops()
    if not all(loops.values()):
        still = ", ".join(name for name, beats in loops.items() if not beats)
        return ProblemResponse(503, f"{still} does not beat: restart this process")
    return answer(request, AliveView("ok", loops))


@router.get("/readyz", response_model=ReadyView)
def readyz(request: Request) -> Response:
    """Whether the database answers and has the schema that this program knows."""
    database = request.app.state.deck.store.database
    database.check_there()
    found = revision.current(database)
    if found != newest():
        return ProblemResponse(
            503, f"the schema is {found}, not {newest()}: morningdeck db upgrade"
        )
    return answer(request, ReadyView("ok", database.kind, newest()))


@admin.get("/admin/queue-stats", response_model=QueueStatsView)
def queue_stats(request: Request, by: By) -> Response:
    """How many rows are in which state, of every stage."""
    return answer(request, by.store.overview.queue_stats())


@watched.get("/metrics", response_class=PlainTextResponse, responses={200: METRICS_ANSWER})
def metrics(request: Request) -> Response:
    """In the text format of Prometheus; from this machine, or with an admin's token."""
    numbers = dict(_of_the_deck(request.app.state.deck))
    for code, count in sorted(request.app.state.answered.items()):
        numbers[f'web_requests_total{{code="{code}"}}'] = count
    return PlainTextResponse("".join(_lines(numbers)), media_type=METRICS_TYPE)


def _of_the_deck(app: App) -> Iterator[tuple[str, int]]:
    now, overview = app.clock(), app.store.overview
    yield f'build_info{{version="{__version__}"}}', 1
    since = running_since(app.store, app.settings.data_dir, now)
    yield "daemon_running", since is not None
    for stage, of in app.lanes.items():
        view = overview.queue(stage, now, capacity=of.capacity, workers=of.workers)
        for state in ("waiting", "queued", "running", "failed"):
            labels = f'{{stage="{stage.value}",state="{state}"}}'
            yield f"queue_rows{labels}", getattr(view, state)
        age = view.oldest_waiting_seconds or 0
        yield f'queue_oldest_waiting_seconds{{stage="{stage.value}"}}', age
    for state, count in overview.deliveries().items():
        yield f'deliveries{{state="{state}"}}', count
    waiting = 0 if app.adapters.searching.backend == "database" else overview.search_waiting(now)[0]
    yield "search_waiting", waiting


def _lines(numbers: Mapping[str, int]) -> Iterator[str]:
    told = ""
    for name, number in numbers.items():
        bare = name.partition("{")[0]
        if bare != told:
            kind = "counter" if bare.endswith("_total") else "gauge"
            yield f"# HELP morningdeck_{bare} {METRIC_HELP[bare]}\n"
            yield f"# TYPE morningdeck_{bare} {kind}\n"
        told = bare
        yield f"morningdeck_{name} {int(number)}\n"
