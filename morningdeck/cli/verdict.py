"""The status for people: is everything fine, and what comes next? Ten lines at most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from morningdeck import delivery
from morningdeck.actions import status
from morningdeck.actions.status import Verdict
from morningdeck.cli.table import cut
from morningdeck.model.asking import Tally
from morningdeck.moments import in_words

if TYPE_CHECKING:
    from morningdeck.model.spending import ModelState
    from morningdeck.views.running import NextBriefing, StatusView

MOST_LINES = 10
INDENT = "  "
BULLET = f"{INDENT}- "


@dataclass(frozen=True, slots=True)
class Screen:
    """Where and when it is read; `folder` is where briefings lie that are not mailed."""

    now: datetime
    zone: ZoneInfo
    folder: str
    width: int = 80


def report(view: StatusView, screen: Screen, *, everything: bool = False) -> list[str]:
    """With `everything`, all notices in full."""
    rows = [
        ("daemon", _daemon(view, screen)),
        ("sources", _sources(view)),
        ("new today", _count(view.outlook.items_today, "item")),
        ("next", _next(view, screen)),
        ("waiting", _waiting(view, screen)),
        ("model", _model(view.model, screen)),
    ]
    lines = [sentence(view, screen)]
    lines += [cut(f"{INDENT}{name:<11}{text}", screen.width) for name, text in rows if text]
    lines.append(f"{INDENT}{'times':<11}{screen.zone.key}")
    room = None if everything else MOST_LINES - len(lines)
    return lines + _notices(view.notices, screen.width, room)


def sentence(view: StatusView, screen: Screen) -> str:
    """All is well, or what to do."""
    match status.verdict(view):
        case Verdict.NOTHING_IS_READ:
            return "Nothing is read yet: add a source with morningdeck source add URL."
        case Verdict.NOTHING_RUNS:
            ended = view.outlook.last_run_at
            since = "" if ended is None else f" since {in_words(ended, screen.now, screen.zone)}"
            return f"Nothing runs{since}: start it with morningdeck run."
        case Verdict.NOTICES:
            return f"{_count(len(view.notices), 'thing')} for you to look at."
        case Verdict.SOURCES_IN_TROUBLE:
            return "All is well, but for sources that cannot be read."
        case Verdict.NO_BRIEFING:
            return "All is well, but no briefing is planned: morningdeck briefing add --help."
        case Verdict.WELL:
            return "All is well."


def _daemon(view: StatusView, screen: Screen) -> str:
    since = view.daemon.since
    if not view.daemon.running or since is None:
        return "not running"
    return f"running since {in_words(since, screen.now, screen.zone)}, version {view.version}"


def _sources(view: StatusView) -> str:
    outlook = view.outlook
    parts = [f"{outlook.sources:,}"]
    if outlook.sources_in_trouble:
        parts.append(
            f"{outlook.sources_in_trouble:,} in trouble: morningdeck source list --health degraded"
        )
    if outlook.sources_paused:
        parts.append(f"{outlook.sources_paused:,} paused")
    return ", ".join(parts)


def _next(view: StatusView, screen: Screen) -> str:
    coming = view.outlook.next_briefing
    if coming is None:
        return "no briefing is planned: morningdeck briefing add --help"
    to = _recipients(coming, screen)
    shown = ", ".join(to[:2]) + (f" and {len(to) - 2} more" if len(to) > 2 else "")
    late = " (overdue)" if coming.at < screen.now else ""
    at = in_words(coming.at, screen.now, screen.zone)
    return f"{at}{late} {coming.title} to {shown or 'nobody'}"


def _recipients(coming: NextBriefing, screen: Screen) -> list[str]:
    """The addresses, if any channel goes to addresses, then the others by their names."""
    by_address = [channel for channel in coming.channels if delivery.addressed(channel)]
    others = [channel for channel in coming.channels if not delivery.addressed(channel)]
    shown = [screen.folder if channel == "folder" else channel for channel in others]
    return [*(coming.recipients if by_address else ()), *shown]


def _waiting(view: StatusView, screen: Screen) -> str:
    """How many jobs wait, and for what."""
    todo = status.in_the_works(view)
    parts = [f"{count:,} to {what}" for what, count in todo.items() if count]
    if parts:
        lacking = any(of.limited_by == status.NO_WORKER for of in view.queues.values())
        return ", ".join(parts) + (": no worker runs, see morningdeck worker" if lacking else "")
    due = view.outlook.next_fetch_at
    if due is None:
        return "nothing"
    return f"nothing; next fetch {in_words(due, screen.now, screen.zone)}"


def _model(model: ModelState, screen: Screen) -> str:
    """Nothing where none is asked."""
    parts = [
        f"{one.endpoint} held until {in_words(one.until, screen.now, screen.zone)}"
        for one in model.held
        if one.until > screen.now
    ]
    if model.calls_today or model.budget_usd is not None:
        of = "" if model.budget_usd is None else f" of {_dollars(model.budget_usd)}"
        calls = _count(model.calls_today, "call")
        parts.append(f"{_dollars(model.cost_today_usd)}{of} today ({calls})")
    if model.offline:
        parts.append(f"{model.offline:,} done offline instead")
    if spared := model.tallies.get(Tally.SPARED):
        parts.append(f"{spared:,} spared")
    return ", ".join(parts)


def _dollars(amount: float) -> str:
    """In cents; what is less than a dollar as exactly as one can pay attention to."""
    cents = f"{amount:.2f}"
    return f"${cents}" if amount >= 1 else f"${max(cents, f'{amount:.4f}'.rstrip('0'), key=len)}"


def _notices(notices: Sequence[str], width: int, room: int | None) -> list[str]:
    """Whole ones as long as they fit; the last line says how to see the others."""
    wrapped = [_wrapped(text, width) for text in notices]
    if room is None or sum(map(len, wrapped)) <= room:
        return [line for lines in wrapped for line in lines]
    shown: list[str] = []
    for number, lines in enumerate(wrapped):
        if len(shown) + len(lines) > room - 1:
            left = len(wrapped) - number
            return [*shown, f"{INDENT}{left} more: morningdeck status --all"]
        shown += lines
    return shown


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _wrapped(text: str, width: int) -> list[str]:
    from rich.console import Console  # most often there is no notice
    from rich.text import Text

    lines = Text(" ".join(text.split())).wrap(Console(), width - len(BULLET))
    return [
        (BULLET if not number else INDENT * 2) + line.plain.rstrip()
        for number, line in enumerate(lines)
    ]
