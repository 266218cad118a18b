"""Mails that came back: a dead address is ended at once, one in trouble when it repeats."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from morningdeck.model.reading import Bounce, BounceKind
from morningdeck.store.database.connect import Database
from morningdeck.store.expressions.ended import take_back
from morningdeck.store.rows.bounces import SqlBounces
from morningdeck.store.rows.briefings import SqlBriefingRows
from morningdeck.store.rows.deliveries import SqlDeliveryRows
from morningdeck.store.tables.briefs import deliveries, reports
from morningdeck.store.views.overview import Overview
from tests.conftest import NOW
from tests.factories import make, make_briefing, make_user

ADA, BOB = "ada@example.org", "bob@example.org"
DAY = timedelta(days=1)


class Post:
    """A briefing to two mailboxes, and what comes back of its reports."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.rows = SqlBounces(database)
        self.user = make_user(database)
        self.briefing = make_briefing(
            database, self.user, title="Energy", recipients=(ADA, BOB), channels=("smtp",)
        )
        self.number = 0

    def sent(self, address: str = ADA, **values: object) -> str:
        """The Message-ID of a new report's mail."""
        self.number += 1
        report = make(
            self.database,
            reports,
            briefing_id=self.briefing,
            slot=f"manual:{self.number}",
            generated_at=NOW,
        )
        name = f"report-{report}.{self.number}@deck.example"
        row = {"channel": "smtp", "address": address, "status": "SENT", "attempts": 1, **values}
        make(self.database, deliveries, report_id=report, message_id=f"<{name}>", **row)
        return name

    def back(
        self, name: str, kind: BounceKind = BounceKind.DEAD, now: datetime = NOW
    ) -> str | None:
        self.number += 1
        bounce = Bounce(kind, "5.1.1", "550 no such user", ("other@x.example", name))
        return self.rows.save("box", f"imap:1:{self.number}", bounce, now)

    def name_again(self) -> None:
        """As whoever names the recipients anew does."""
        with self.database.write() as connection:
            take_back(connection, self.briefing)

    def recipients(self) -> tuple[str, ...]:
        briefing = SqlBriefingRows(self.database).load(self.briefing)
        assert briefing is not None
        return briefing.recipients

    def notices(self) -> tuple[str, ...]:
        return Overview(self.database).notices(self.user)


@pytest.fixture
def post(database: Database) -> Post:
    return Post(database)


def test_a_dead_address_is_ended_at_once_and_told_once(post: Post) -> None:
    first, second = post.sent(), post.sent()

    assert post.back(first) == ADA
    assert post.back(second) is None
    assert post.recipients() == (BOB,)
    (notice,) = post.notices()
    assert "Energy does not go to ada@example.org any more" in notice
    assert "550 no such user" in notice


def test_trouble_ends_an_address_when_the_third_report_comes_back(post: Post) -> None:
    trouble = BounceKind.TROUBLE
    names = [post.sent() for _ in range(3)]

    told = [post.back(name, trouble, NOW + n * DAY) for n, name in enumerate(names)]

    assert told == [None, None, ADA]
    assert post.recipients() == (BOB,)


def test_the_same_report_that_comes_back_again_counts_once(post: Post) -> None:
    name = post.sent()

    assert [post.back(name, BounceKind.TROUBLE) for _ in range(5)] == [None] * 5
    assert post.recipients() == (ADA, BOB)


def test_what_was_counted_does_not_end_an_address_that_was_taken_up_again(post: Post) -> None:
    dead, *troubled = (post.sent() for _ in range(4))
    back = [(dead, BounceKind.DEAD), *((name, BounceKind.TROUBLE) for name in troubled)]
    for name, kind in back:
        post.back(name, kind)
    post.name_again()

    assert [post.back(name, kind) for name, kind in back] == [None] * 4
    assert post.recipients() == (ADA, BOB)


def test_an_end_is_news_of_a_mail_that_was_in_trouble(post: Post) -> None:
    name = post.sent()
    post.back(name, BounceKind.TROUBLE)

    assert post.back(name) == ADA


def test_who_leaves_by_an_old_mail_once_more_leaves(post: Post) -> None:
    name = post.sent()
    post.back(name, BounceKind.LEFT)
    post.name_again()

    assert post.back(name, BounceKind.LEFT) == ADA


def test_trouble_long_ago_or_of_somebody_else_does_not_count(post: Post) -> None:
    for name in (post.sent(), post.sent()):
        post.back(name, BounceKind.TROUBLE, NOW - 40 * DAY)
    for name in (post.sent(BOB), post.sent(BOB)):
        post.back(name, BounceKind.TROUBLE)

    assert post.back(post.sent(), BounceKind.TROUBLE) is None
    assert post.recipients() == (ADA, BOB)


@pytest.mark.parametrize("name", ["report-1.0@deck.example", "", "<>", "x" * 5000, "'; --"])
def test_a_mail_that_we_never_sent_ends_nothing(post: Post, name: str) -> None:
    post.sent()

    assert post.back(name) is None
    assert (post.recipients(), post.notices()) == ((ADA, BOB), ())


def test_a_mail_that_is_still_to_be_sent_cannot_have_come_back(post: Post) -> None:
    assert post.back(post.sent(status="PENDING", attempts=0)) is None


def names_ada_alone(post: Post, now: datetime = NOW) -> str | None:
    post.number += 1
    bounce = Bounce(BounceKind.DEAD, "5.1.1", "550 no such user", recipient="Ada@Example.org")
    return post.rows.save("box", f"imap:1:{post.number}", bounce, now)


def test_a_report_that_names_an_address_alone_is_trouble_of_the_last_mail_there(
    post: Post,
) -> None:
    told = []
    for _ in range(3):
        post.sent()
        told += [names_ada_alone(post), names_ada_alone(post)]

    assert told == [None, None, None, None, ADA, None]


def test_an_address_that_has_had_no_mail_lately_cannot_have_come_back(post: Post) -> None:
    for _ in range(3):
        post.sent(BOB)
        names_ada_alone(post)
        post.sent()
        names_ada_alone(post, NOW + 7 * DAY)

    assert post.recipients() == (ADA, BOB)


def test_what_is_no_bounce_only_moves_the_place(post: Post) -> None:
    name = post.sent()

    assert post.rows.save("box", "imap:1:7", Bounce(message_ids=(name,)), NOW) is None
    assert post.rows.cursor("box") == "imap:1:7"
    assert post.rows.cursor("another box") is None
    assert post.recipients() == (ADA, BOB)


def test_a_reader_who_asks_for_no_more_gets_no_more(post: Post) -> None:
    name = post.sent()

    assert post.back(name, BounceKind.LEFT) == ADA
    assert post.recipients() == (BOB,)
    (notice,) = post.notices()
    assert notice.startswith("Energy does not go to ada@example.org any more: 550 no such user.")


def test_what_still_waits_for_who_has_left_is_loaded_with_the_reason(
    database: Database, post: Post
) -> None:
    post.back(post.sent(), BounceKind.LEFT)
    for address in (ADA, BOB):
        post.sent(address, status="RETRY", content=b"bytes")
    rows, query = SqlDeliveryRows(database), select(deliveries.c.id)
    with database.read() as connection:
        ids = connection.scalars(query.where(deliveries.c.status == "RETRY")).all()

    waiting = [one for one in map(rows.load, ids) if one is not None]

    assert {one.address: one.ended for one in waiting} == {ADA: "550 no such user", BOB: None}


def test_what_still_waits_for_who_is_no_recipient_any_more_is_loaded_with_the_reason(
    database: Database, post: Post
) -> None:
    for address in (ADA, "grey@example.org"):
        post.sent(address, status="RETRY", content=b"bytes")
    post.sent("folder", channel="folder", status="PENDING", content=b"bytes")
    rows = SqlDeliveryRows(database)
    with database.read() as connection:
        ids = connection.scalars(select(deliveries.c.id)).all()

    waiting = [one for one in map(rows.load, ids) if one is not None]

    assert {one.address: one.ended for one in waiting} == {
        ADA: None,
        "grey@example.org": "it is no recipient of this briefing any more",
        "folder": None,
    }
