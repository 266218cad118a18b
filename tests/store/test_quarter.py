"""A quarter of daily and weekly editions in virtual time: each slot once, no item twice."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from zoneinfo import ZoneInfo

from sqlalchemy import select

from morningdeck.brief import brief
from morningdeck.model.sending import Plan, Written
from morningdeck.schedule import next_run
from morningdeck.store.database.connect import Database
from morningdeck.store.results.written import save_written
from morningdeck.store.tables.briefs import briefings, report_items, reports
from morningdeck.store.tables.news import stories
from morningdeck.work import Done, Job, Stage
from tests.factories import change, make, make_briefing, make_score, make_source, make_subscription
from tests.store.desk import DAY, PlainWriter, Reader

BERLIN = ZoneInfo("Europe/Berlin")
BEGINS = datetime(2026, 9, 14, 4, 0, tzinfo=UTC)
ENDS = datetime(2026, 12, 14, 4, 0, tzinfo=UTC)
"""The clocks of Berlin go back in between."""
HOUR = timedelta(hours=1)
AWAY_FROM, AWAY_TO = BEGINS + 25 * DAY, BEGINS + 28 * DAY - 6 * HOUR
"""From a Friday to a Sunday evening: three dailies are missed, the last and a weekly made up."""
NEWS_A_DAY = 12


class Newsroom:
    """A user with a daily of two editions and a weekly; news, late scores, time away."""

    def __init__(self, database: Database) -> None:
        self.chance = Random(11)
        self.database = database
        self.ada = Reader(
            database, **self._planned("07:30,18:00"), days=("mon", "tue", "fri", "sun")
        )
        self.daily = self.ada.briefing
        weekly = {"frequency": "WEEKLY", "weekday": 6, **self._planned("02:30")}
        self.weekly = make_briefing(database, self.ada.user, **weekly)
        self.sources = [self._source() for _ in range(3)]
        self.stories: list[int] = []
        self.unscored: list[tuple[int, int]] = []
        for briefing in (self.daily, self.weekly):
            loaded = self.ada.table.load(briefing)
            assert loaded is not None
            first = next_run(loaded.plan, BEGINS)
            change(database, briefings, briefing, next_run_at=first, due_at=first)

    def _planned(self, local_time: str) -> dict[str, object]:
        zone = "Europe/Berlin"
        return {"local_time": local_time, "timezone": zone, "min_score": 40, "max_items": 6}

    def _source(self) -> int:
        source = make_source(self.database)
        make_subscription(self.database, self.ada.user, source)
        return source

    def bring_news(self, now: datetime) -> None:
        """Some tell a story of these days; some scores come late, of one briefing or both."""
        chance = self.chance
        for briefing, item in self.unscored:
            make_score(self.database, item, briefing, chance.randrange(101))
        self.unscored = []
        if chance.random() < 0.3:
            self.stories = [*self.stories[-5:], make(self.database, stories, label="A story")]
        for _ in range(NEWS_A_DAY // 4):
            story = chance.choice([None, None, *self.stories])
            said = f"Bill {chance.random()} had {chance.randrange(9_999)} votes."
            item = self.ada.item(
                None,
                source=chance.choice(self.sources),
                story_id=story,
                summary=said,
                first_seen_at=now - HOUR * chance.randrange(6),
            )
            for briefing in (self.daily, self.weekly):
                if chance.random() < 0.2:
                    self.unscored.append((briefing, item))
                else:
                    make_score(self.database, item, briefing, chance.randrange(101))

    def run(self, briefing: int, now: datetime) -> None:
        job = Job(Stage.BRIEFING, briefing, 1)
        outcome = brief(job, briefings=self.ada.table, writer=PlainWriter(), clock=lambda: now)
        assert isinstance(outcome, Done)
        assert isinstance(outcome.result, Written)
        with self.database.write() as connection:
            save_written(connection, job, outcome.result, now)

    def due(self, now: datetime) -> list[int]:
        query = select(briefings.c.id).where(briefings.c.next_run_at <= now)
        with self.database.read() as connection:
            return list(connection.scalars(query.order_by(briefings.c.next_run_at)))

    def shown(self, briefing: int) -> Counter[int]:
        query = select(report_items.c.item_id).join(reports)
        with self.database.read() as connection:
            return Counter(connection.scalars(query.where(reports.c.briefing_id == briefing)))

    def slots(self, briefing: int) -> dict[str, str]:
        query = select(reports.c.slot, reports.c.status).where(reports.c.briefing_id == briefing)
        with self.database.read() as connection:
            rows = connection.execute(query).all()
        return {row.slot: row.status for row in rows if not row.slot.startswith("manual")}


def a_quarter(database: Database) -> Newsroom:
    """Hour by hour, with two days away, and now and then a run by hand."""
    room, now = Newsroom(database), BEGINS
    while now < ENDS:
        now += HOUR
        if now.hour % 6 == 0:
            room.bring_news(now)
        if AWAY_FROM < now < AWAY_TO:
            continue
        for briefing in room.due(now):
            room.run(briefing, now)
        if room.chance.random() < 0.01:
            assert room.ada.table.request_run(room.daily, now)
            room.run(room.daily, now)
    return room


def expected(plan: Plan) -> set[str]:
    """The slots of the quarter, found day by day."""
    found = set()
    for number in range((ENDS - BEGINS).days + 2):
        day = (BEGINS - DAY + number * DAY).date()
        for hour, minute in ((plan.hour, plan.minute), *plan.further):
            due = datetime.combine(day, time(hour, minute), BERLIN).astimezone(UTC)
            if BEGINS < due <= ENDS and day.weekday() in (plan.days or (plan.weekday,)):
                found.add(_slot(day, plan, (hour, minute)))
    return found


def _slot(day: date, plan: Plan, at: tuple[int, int]) -> str:
    if plan.weekly:
        return day.strftime("%G-W%V")
    return str(day) if at == (plan.hour, plan.minute) else f"{day}/{at[0]:02}:{at[1]:02}"


def test_over_a_quarter_each_slot_comes_once_and_no_item_twice(database: Database) -> None:
    room = a_quarter(database)

    for briefing in (room.daily, room.weekly):
        loaded = room.ada.table.load(briefing)
        assert loaded is not None
        slots = room.slots(briefing)
        assert set(slots) == expected(loaded.plan)
        missed = [slot for slot, status in slots.items() if status != "GENERATED"]
        assert len(missed) == (3 if briefing == room.daily else 0), missed
        shown = room.shown(briefing)
        assert len(shown) > 60
        assert shown.most_common(1)[0][1] == 1
    query = select(report_items.c.told, report_items.c.update, reports.c.weekly).join(reports)
    with database.read() as connection:
        rows = connection.execute(query).all()
    assert {row.told for row in rows if row.weekly} == {True, False}
    assert sum(row.update != "" for row in rows) > 5
