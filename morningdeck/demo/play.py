"""Plays the demo: twelve feeds in, two briefings and a search out, by the real pipeline.

It takes nothing from the user's settings or environment and leaves nothing behind but
the folder that it names at the end.
"""

from __future__ import annotations

import shutil
import socket
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from morningdeck.actions import accounts, briefings
from morningdeck.app import App, open_app, system_clock
from morningdeck.asked.parse import parse_query
from morningdeck.demo import articles, site
from morningdeck.errors import ConfigError, ConflictError
from morningdeck.model.finding import SearchQuery
from morningdeck.model.making import Item
from morningdeck.model.sending import Plan
from morningdeck.model.wanting import NewBriefing, NewSource
from morningdeck.settings.sections import Settings
from morningdeck.views.sent import ReportView

DATABASE_FILE = "morningdeck.db"
SERVED_AT = 8484
MOST_ITEMS = 1000
SEARCHED = "wind farm"
BRIEFINGS = (
    NewBriefing(
        title="Energy & harbour",
        criteria="Energy and climate: offshore wind, grid storage, heat pumps, shore power and"
        " ferries, and news of the port. No football, no recipes.",
        plan=Plan(hour=7, minute=30, timezone="Europe/Berlin"),
        channels=("folder",),
        min_score=25,
    ),
    NewBriefing(
        title="Science & software",
        criteria="Open source software and databases, AI policy, space missions, clinical trials"
        " and statistics.",
        plan=Plan(hour=8, minute=0, timezone="Europe/Berlin", weekday=4),
        channels=("folder",),
        min_score=25,
    ),
)


@dataclass(frozen=True, slots=True)
class DemoResult:
    """`report` is the path of the first briefing's mail, `page` that of its page."""

    report: str
    items: int
    stories: int
    seconds: float
    search: dict[str, Any]
    page: str
    address: str | None = None
    """Where its pages are served just now, and claimed with the code."""
    code: str | None = None


def play(
    *,
    keep: Path | None,
    serve: bool,
    progress: Callable[[str], None],
    show: Callable[[DemoResult], None],
) -> None:
    """With `serve` it goes on after it was shown, until it is interrupted."""
    folder = _folder(keep)
    try:
        _play(folder, serve, progress, show)
    except BaseException:
        if keep is None:  # nobody was told where it is
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _play(
    folder: Path,
    serve: bool,
    progress: Callable[[str], None],
    show: Callable[[DemoResult], None],
) -> None:
    began = time.monotonic()
    page = articles.reader(_settings(folder).outbox)
    with site.serve(system_clock(), page) as base:
        # its articles are short, and complete in their feeds
        with open_app(_settings(folder), full_text=False) as app:
            user_id = app.store.users.first().id
            reports = _run(app, user_id, base, progress)
            articles.write_articles(app.settings.outbox, _items(app, user_id))
            result = _result(app, user_id, reports[0], time.monotonic() - began)
        if serve:
            _serve(folder, result, show)
        else:
            show(result)


def _serve(folder: Path, result: DemoResult, show: Callable[[DemoResult], None]) -> None:
    """The daemon with its pages, on this machine alone, for whoever has the code."""
    settings = _settings(folder, _free_port())
    with open_app(settings, kind="daemon", full_text=False) as app:
        user, address = app.store.users.first(), f"{settings.web.address}/claim"
        told = accounts.new_code(app.store.accounts, user, now=app.clock(), address=address)
        show(replace(result, address=told.address, code=told.code))
        app.run(web=True)


def _free_port() -> int:
    """The one that pages have, else any."""
    for port in (SERVED_AT, 0):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)) as free:
            return int(free.getsockname()[1])
    raise ConflictError("no port of this machine is free")


def _run(
    app: App, user_id: int, base: str, progress: Callable[[str], None]
) -> tuple[ReportView, ...]:
    now = app.clock()
    feeds = [NewSource(url=f"{base}/{name}") for name in site.feed_names()]
    progress(f"reading {len(feeds)} feeds, enriching what is new")
    app.store.subscriptions.subscribe_all(user_id, feeds, now=now)
    out = app.adapters.ways_out
    added = [
        briefings.add(
            app.store, user_id, new, channels_to=out.to, check_channels=out.check, now=now
        )
        for new in BRIEFINGS
    ]
    if app.run(once=True):
        raise KeyboardInterrupt
    progress("writing the briefings")
    return tuple(briefings.run(app.store, app.on_demand, user_id, one.id).report for one in added)


def _items(app: App, user_id: int) -> list[Item]:
    views = app.store.items.list(user_id, limit=MOST_ITEMS)
    found = (app.store.item_rows.load(view.id) for view in views)
    return [item for item in found if item is not None]


def _result(app: App, user_id: int, report: ReportView, seconds: float) -> DemoResult:
    answer = app.adapters.search_index.search(SearchQuery(user_id, parse_query(SEARCHED), limit=3))
    items, stories = app.store.overview.items_and_stories(user_id)
    mail = report.deliveries[0].reply or ""
    return DemoResult(
        report=mail,
        items=items,
        stories=stories,
        seconds=round(seconds, 1),
        search={"query": SEARCHED, **asdict(answer)},
        page=str(Path(mail).with_suffix(".html")),
    )


def _folder(keep: Path | None) -> Path:
    if keep is None:
        return Path(tempfile.mkdtemp(prefix="morningdeck-demo-"))
    try:
        taken = (keep / DATABASE_FILE).exists()
    except OSError as error:
        raise ConfigError(f"{str(keep)!r} can be no folder: {error.strerror}") from error
    if taken:
        raise ConflictError(f"{str(keep)!r} holds a demo already: name another folder")
    return keep.absolute()


def _settings(folder: Path, port: int = SERVED_AT) -> Settings:
    """Defaults, but for what loopback needs."""
    return Settings.model_validate(
        {
            "data_dir": folder,
            "database": {"url": f"sqlite:///{folder / DATABASE_FILE}"},
            "web": {"port": port},
            "http": {"allow_networks": ["127.0.0.0/8"], "requests_per_host_second": 0},
        }
    )
