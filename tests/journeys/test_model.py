"""The daemon with a model that answers, that does not, and that goes wrong in every way."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from morningdeck.store.database.connect import Database, open_database
from morningdeck.store.tables.briefs import briefings
from morningdeck.store.tables.news import items as items_table
from tests.faults.daemon import Daemon, daemons
from tests.journeys.conftest import Deck
from tests.servers import endpoint as play
from tests.servers.endpoint import ModelServer
from tests.servers.feeds import FeedServer, News

NEWS = [
    News(title, f"{title}, the editors report. {more} Nobody had expected that this year.")
    for title, more in (
        ("Port reopens quay with shore power", "Ships switch off their engines at nine berths."),
        ("Chess federation bans two players", "They had hidden telephones in the washroom."),
        ("Tomato harvest fails in Andalusia", "Farmers lost 40 percent to the drought."),
        ("Museum returns bronzes to Benin", "The crates left Hamburg on a Tuesday."),
        ("Glacier retreats by sixty metres", "Hikers now reach the hut by a new bridge."),
        ("Startup prints houses from clay", "A family moved into the first after five weeks."),
        ("Orchestra strikes over unpaid tours", "The violinists want their fees back."),
        ("Vaccine against malaria cheaper", "A dose costs three dollars in Ghana."),
        ("Railway tunnel under the fjord dug", "The drills met on Thursday morning."),
    )
]
PLANNED = ("--criteria", "Ports and shipping", "--daily", "03:00", "--timezone", "UTC")
pytestmark = pytest.mark.timeout(600)  # real daemons, on a machine that may be busy
WITH_A_MODEL = {"enricher__api_key": "sk-journey", "enricher__prefilter_below": 0}


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def start(tmp_path: Path, model: ModelServer, site: FeedServer) -> Iterator[Callable[..., Daemon]]:
    """A daemon that reads the news; others share the database where it is PostgreSQL."""
    with daemons() as make:

        def begin(url: str, news: list[News] = NEWS, others: int = 0, **settings: Any) -> Daemon:
            chosen = {**WITH_A_MODEL, "enricher__base_url": model.base_url, **settings}
            one, *more = (
                make(tmp_path / f"deck{number}", url, **chosen) for number in range(1 + others)
            )
            one.command("source", "add", site.publish("/a.xml", "Gazette", news), "--no-check")
            one.command("briefing", "add", "Ships", *PLANNED, "--min-score", "1")
            for daemon in (one, *more):
                daemon.start()
            return one

        yield begin


def items(daemon: Daemon) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = daemon.command("item", "list")
    return found


@contextmanager
def rows(url: str) -> Iterator[Database]:
    database = open_database(url)
    yield database
    database.close()


def wait_until_done(daemon: Daemon, url: str) -> None:
    query = select(items_table.c.status)
    with rows(url) as database:

        def done() -> bool:
            with database.read() as connection:
                return connection.scalars(query).all() == ["DONE"] * len(NEWS)

        daemon.wait_for(done, pause_seconds=0.1)


def run_at(url: str, slot: datetime) -> None:
    """Plan the briefing for that moment."""
    with rows(url) as database, database.write() as connection:
        connection.execute(update(briefings).values(next_run_at=slot, due_at=slot))


def test_items_and_briefing_are_the_model_s(
    start: Callable[..., Daemon], model: ModelServer, sqlite_url: str
) -> None:
    daemon = start(sqlite_url)
    wait_until_done(daemon, sqlite_url)
    run = daemon.command("briefing", "run", "1")
    assert daemon.stop() == 0

    assert {score["by"] for item in items(daemon) for score in item["scores"]} == {"gpt-4o-mini"}
    assert run["items"] == len(NEWS)
    models = [asked.body["model"] for asked in model.asked]
    assert models == ["gpt-4o-mini"] * len(NEWS) + ["gpt-4o"]


def test_every_item_ends_done_whatever_the_model_does(
    start: Callable[..., Daemon], model: ModelServer, database_url: str
) -> None:
    model.will(
        *(play.empty, play.with_prose, play.wrong_form, play.html, play.refusal, play.large),
        *(play.refused(400), play.cut, play.refused(500), play.said("Non, merci."), play.reset),
        *(play.refused(429, retry_after="1"), play.slow(1.5), play.good),
    )
    daemon = start(database_url, enricher__timeout_seconds=1)

    wait_until_done(daemon, database_url)

    assert daemon.stop() == 0
    done = items(daemon)
    assert all(item["scores"] for item in done)
    assert {score["by"] for item in done for score in item["scores"]} == {"gpt-4o-mini", "offline"}
    assert not [event for event in daemon.events() if event.get("level") == "error"]


def test_a_briefing_leaves_on_time_with_the_model_fully_down(
    start: Callable[..., Daemon], model: ModelServer, site: FeedServer, sqlite_url: str
) -> None:
    model.will(play.refused(503))
    daemon = start(sqlite_url, news=[])
    slot = datetime.now(UTC) + timedelta(seconds=20)
    run_at(sqlite_url, slot)
    site.publish("/a.xml", "Gazette", NEWS)
    daemon.command("source", "refresh", "1")

    daemon.wait_for_event("job_finished", stage="briefing")

    (report,) = daemon.command("report", "list")
    assert {score["by"] for item in items(daemon) for score in item["scores"]} == {"offline"}
    assert len(daemon.command("report", "show", str(report["id"]))["items"]) > 1
    written = datetime.fromisoformat(report["generated_at"])
    assert timedelta(0) <= written - slot < timedelta(seconds=5)
    assert daemon.stop() == 0


def test_h4_after_a_429_no_process_asks_before_its_time_and_all_items_end_done(
    start: Callable[..., Daemon], model: ModelServer, database_url: str
) -> None:
    held_at: list[float] = []

    def held(asked: play.Asked) -> Any:
        held_at.append(asked.at)
        return play.refused(429, retry_after="5")(asked)

    model.will(held, play.good)
    others = 0 if database_url.startswith("sqlite") else 1
    daemon = start(database_url, others=others, processing__workers=2)

    wait_until_done(daemon, database_url)

    under_way = 0.5  # calls that had begun before the answer was there
    early = [one for one in model.asked if under_way < one.at - held_at[0] < 4.5]
    assert early == []
    assert {score["by"] for item in items(daemon) for score in item["scores"]} == {"gpt-4o-mini"}
    assert time.monotonic() - held_at[0] > 5


def test_a_briefing_by_hand_waits_for_no_model(
    deck: Deck, model: ModelServer, site: FeedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-journey")
    monkeypatch.setenv("OPENAI_BASE_URL", model.base_url)
    monkeypatch.setenv("MORNINGDECK_ENRICHER__PREFILTER_BELOW", "0")
    model.will(play.refused(429, retry_after="3600"))
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", NEWS))
    deck.ask("briefing", "add", "Ships", *PLANNED, "--min-score", "1")

    run = deck.ask("briefing", "run", 1)

    assert run["items"] > 1
    assert len(model.asked) <= 4  # one from each worker, before the first had its answer
    told = deck.ask("status")["model"]
    assert [one["reason"] for one in told["held"]] == ["limited"]
    assert told["tallies"]["no_endpoint"] > len(NEWS)  # the briefing itself, too
    assert "done offline instead" in deck.do("status")[1]


def test_a_briefing_by_hand_takes_what_a_daemon_has_put_off_for_its_model(
    deck: Deck, model: ModelServer, site: FeedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-journey")
    monkeypatch.setenv("OPENAI_BASE_URL", model.base_url)
    monkeypatch.setenv("MORNINGDECK_ENRICHER__PREFILTER_BELOW", "0")
    model.will(play.refused(429, retry_after="300"))
    deck.ask("source", "add", site.publish("/a.xml", "Gazette", NEWS))
    slot = (datetime.now(UTC) + timedelta(hours=2)).strftime("%H:%M")
    planned = ("--criteria", "Ports", "--daily", slot, "--timezone", "UTC", "--min-score", "1")
    deck.ask("briefing", "add", "Ships", *planned)
    deck.do("run", "--once")
    assert {item["status"] for item in deck.ask("item", "list")} == {"NEW"}

    run = deck.ask("briefing", "run", 1)

    assert (run["items"] > 1, run["unscored"]) == (True, 0)
    scores = [score for item in deck.ask("item", "list") for score in item["scores"]]
    assert [score["by"] for score in scores] == ["offline"] * len(NEWS)


SPANISH = News(
    "El puerto abre un muelle para 40 barcos",
    "El puerto abrió el martes su muelle más grande. Los 40 barcos apagan los motores en el"
    " muelle y usan la electricidad de la ciudad.",
)
IN_ENGLISH = {
    "title": "The port opens a quay for 40 ships",
    "summary": "The port opened its largest quay on Tuesday. The 40 ships turn off their engines.",
}


def translating(asked: play.Asked) -> Iterator[bytes]:
    """The one place of a briefing, else as a good model."""
    if "items" not in asked.schema["properties"]:
        yield from play.good(asked)
        return
    yield play.completion(json.dumps({"items": [{"item": "1", **IN_ENGLISH}]}))


def test_a_briefing_tells_in_its_language_what_came_in_another(
    deck: Deck, model: ModelServer, site: FeedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The items themselves stay as they came."""
    deck.ask("source", "add", site.publish("/a.xml", "Gaceta", [SPANISH]))
    deck.ask("briefing", "add", "Ships", *PLANNED, "--min-score", "0")
    deck.do("run", "--once")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-journey")
    monkeypatch.setenv("OPENAI_BASE_URL", model.base_url)
    item = deck.ask("item", "show", 1)

    model.will(translating)
    report = deck.ask("briefing", "run", 1)["report"]

    (place,) = deck.ask("report", "show", report)["items"]
    assert (place["title"], place["summary"]) == tuple(IN_ENGLISH.values())
    assert (place["language"], place["translated"], place["url"]) == ("es", True, item["url"])
    assert "translated, original: Spanish" in deck.do("report", "show", report, "--text")[1]
    assert deck.ask("item", "show", 1)["summary"] == item["summary"] != place["summary"]


def test_translations_are_there_when_a_briefing_s_time_comes(
    start: Callable[..., Daemon], model: ModelServer, sqlite_url: str
) -> None:
    """The daemon looks three times a minute what is to come."""
    model.will(translating)
    daemon = start(sqlite_url, news=[SPANISH], enricher__prefilter_below=100)
    slot = datetime.now(UTC) + timedelta(seconds=55)
    run_at(sqlite_url, slot)

    daemon.wait_for_event("job_finished", stage="briefing")

    before = time.monotonic() - (datetime.now(UTC) - slot).total_seconds()
    asked = [one.at for one in model.asked if "items" in one.schema["properties"]]
    assert len(asked) == 1
    assert asked[0] < before
    (report,) = daemon.command("report", "list")
    (place,) = daemon.command("report", "show", str(report["id"]))["items"]
    assert place["translated"]
    assert daemon.stop() == 0
