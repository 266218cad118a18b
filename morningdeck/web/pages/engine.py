"""The engine room, for admins: whether all is well, what needs somebody, a day of each stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse

from morningdeck.actions import queues, status
from morningdeck.actions.engine_room import look_around
from morningdeck.actions.status import Verdict
from morningdeck.model.hours import DEPTH_SLOT, HOUR, Ending, slot
from morningdeck.standing import standing_of
from morningdeck.views.engine_room import EngineRoomView, StageDay
from morningdeck.views.running import DayCost
from morningdeck.web.answers import RowId, answer
from morningdeck.web.login import By, Caller
from morningdeck.web.pages import charts
from morningdeck.web.pages.forms import FilledIn
from morningdeck.web.pages.rendering import page
from morningdeck.web.pages.visiting import AdminPageRoute, led_to
from morningdeck.web.pages.watching import Watch, shape_of
from morningdeck.work import LARGEST_ID, Stage

router = APIRouter(include_in_schema=False, route_class=AdminPageRoute)

DAY_HOURS = 24
_BAD = (Ending.FAILED.value, Ending.GIVEN_UP.value)
DONE_SAID = {
    "retried": "It waits again.",
    "asked": "It is asked now.",
    "purged": "It is deleted.",
}


def _room(by: Caller) -> EngineRoomView:
    standing = standing_of(by.app, by.user, by.now)
    return look_around(by.store, standing, by.user.id, by.now)


@router.get("/engine")
def show_engine(request: Request, by: By, done: str = "") -> Response:
    room, store = _room(by), by.store
    now = room.status
    looked = (now.queues.values(), now.deliveries, room.processes, room.holds)
    return page(
        request,
        "engine.html",
        room=room,
        shape=shape_of(store, *looked),
        verdict=status.verdict(room.status),
        verdicts=Verdict,
        drawings=[_drawing(day, room.since) for day in room.stages],
        cost=_cost_drawing(room.costs, room.status.model.budget_usd),
        said=DONE_SAID.get(done),
    )


@router.get("/engine.json")
def show_engine_as_json(request: Request, by: By) -> Response:
    return answer(request, _room(by))


@router.get("/engine/events")
async def tell_changes(request: Request, by: By) -> Response:
    """Server-sent events; of whoever looks nothing is asked but that they are an admin."""
    watch: Watch = request.app.state.watch
    if watch.is_full:
        raise HTTPException(503, "too many look on already", {"Retry-After": "60"})
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(watch.listen(), headers=headers, media_type="text/event-stream")


@router.post("/engine/fetch/{id}/retry")
def ask_source_now(request: Request, by: By, id: RowId) -> Response:
    return _tried_again(request, by, Stage.FETCH, [id], "asked")


@router.post("/engine/processing/{id}/retry")
def retry_one(request: Request, by: By, id: RowId) -> Response:
    return _tried_again(request, by, Stage.PROCESSING, [id], "retried")


@router.post("/engine/processing/retry")
def retry_those(request: Request, by: By, form: FilledIn) -> Response:
    """Those that the form names, and no others."""
    return _tried_again(request, by, Stage.PROCESSING, _named(form.all("id")), "retried")


def _tried_again(
    request: Request, by: Caller, stage: Stage, ids: Sequence[int], done: str
) -> Response:
    queues.retry(by.store.dead_letters, stage, ids, now=by.now)
    by.app.wake(stage.value)
    return led_to(request, "/engine", done=done)


@router.post("/engine/processing/{id}/purge")
def purge_one(request: Request, by: By, id: RowId) -> Response:
    queues.purge(by.store.retention, [id])
    return led_to(request, "/engine", done="purged")


def _named(texts: Sequence[str]) -> list[int]:
    ids = [int(text) for text in texts if text.isdecimal() and len(text) <= len(str(LARGEST_ID))]
    if not ids or len(ids) < len(texts) or max(ids) > LARGEST_ID:
        raise HTTPException(422, "say which: the form names none, or none of ours")
    return ids


# ---- what is drawn


@dataclass(frozen=True, slots=True)
class Drawing:
    day: StageDay
    depth: str
    deepest: int
    endings: tuple[charts.Bar, ...]
    good: int
    bad: int
    rows: tuple[tuple[datetime, int, int, int], ...]
    """Of each hour: when, the most that waited, what worked, what failed."""

    @property
    def failed_percent(self) -> float:
        return 100 * self.bad / (self.good + self.bad) if self.bad else 0.0


def _drawing(day: StageDay, since: datetime) -> Drawing:
    hours = [since + HOUR * number for number in range(DAY_HOURS)]
    depths = {one.at: one.waiting for one in day.depths}
    slots = [since + DEPTH_SLOT * number for number in range(DAY_HOURS * (HOUR // DEPTH_SLOT))]
    ended = {one.hour: one.endings for one in day.hours}
    pairs = [(_good(ended.get(hour, {})), _bad(ended.get(hour, {}))) for hour in hours]
    most: dict[datetime, int] = {}
    for at, waiting in depths.items():
        most[slot(at, HOUR)] = max(waiting, most.get(slot(at, HOUR), 0))
    return Drawing(
        day=day,
        depth=charts.line_over([depths.get(at, 0) for at in slots]),
        deepest=max(depths.values(), default=0),
        endings=charts.bars(pairs),
        good=_good(day.endings),
        bad=_bad(day.endings),
        rows=tuple(
            (hour, most.get(hour, 0), good, bad)
            for hour, (good, bad) in zip(hours, pairs, strict=True)
        ),
    )


def _good(endings: Mapping[str, int]) -> int:
    """What was only put off, or came too late, is neither."""
    return endings.get(Ending.WORKED.value, 0) + endings.get(Ending.ENDED.value, 0)


def _bad(endings: Mapping[str, int]) -> int:
    return sum(endings.get(ending, 0) for ending in _BAD)


@dataclass(frozen=True, slots=True)
class CostDrawing:
    days: tuple[DayCost, ...]
    bars: tuple[charts.Bar, ...]
    budget_y: float | None


def _cost_drawing(costs: Sequence[DayCost], budget: float | None) -> CostDrawing:
    """The oldest first; what is beyond the budget is bad."""
    days = tuple(reversed(costs))
    limit = float("inf") if budget is None else budget
    most = max((day.cost_usd for day in days), default=0.0)
    drawn = charts.bars(
        [(min(day.cost_usd, limit), max(0.0, day.cost_usd - limit)) for day in days]
    )
    shown = budget is not None and budget <= most
    return CostDrawing(days, drawn, charts.height_of(budget or 0, most) if shown else None)
