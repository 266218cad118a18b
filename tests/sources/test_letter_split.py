"""Letters that a model takes apart: by the numbers of their lines, and never by its own words."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from morningdeck.errors import PermanentError
from morningdeck.model.reading import ChosenStory, ParsedMail, Reading, Source
from morningdeck.parsing.pool import ParserPool
from morningdeck.prompts import read_prompts
from morningdeck.sources.letter_split import LetterSplit
from morningdeck.sources.mailbox import Account
from morningdeck.sources.newsletters import MailReader
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.sources import RawMails
from tests.asking import Models
from tests.conftest import NOW, ManualClock
from tests.factories import make_source
from tests.letters import STORIES, letter, newsletter
from tests.parsing.test_chosen_stories import ESSAY
from tests.servers import endpoint as play
from tests.servers.dovecot import PASSWORD, Dovecot, MailFolder
from tests.servers.endpoint import ModelServer

WHOLE = ["Your morning grid"]
EVIL = "https://evil.example/steal"


@pytest.fixture
def inbox(imap_server: Dovecot) -> MailFolder:
    return imap_server.mailbox()


@pytest.fixture
def source(database: Database, imap_server: Dovecot, inbox: MailFolder) -> Source:
    source_id = make_source(database, type="EMAIL")
    return Source(source_id, "EMAIL", f"imap://{inbox.user}@127.0.0.1:{imap_server.port}/INBOX")


Read = Callable[..., Reading]


@pytest.fixture
def read(
    database: Database,
    source: Source,
    imap_server: Dovecot,
    inbox: MailFolder,
    parser: ParserPool,
    models: Models,
    clock: ManualClock,
) -> Read:
    """Drop the letter into the mailbox and read it, by a process of its own each time."""
    account = Account("127.0.0.1", imap_server.port, inbox.user, PASSWORD)

    def read(*mails: bytes, of: Source = source, by: Any = parser, **how: Any) -> Reading:
        inbox.drop(*mails)
        split = LetterSplit(models.make(**how), read_prompts()["newsletter"])
        reader = MailReader(account, by, RawMails(database), clock, split)
        return reader.read(of)

    return read


def stories(*numbers: tuple[Any, Any, Any], **more: Any) -> play.Reply:
    said = [{"title": title, "last": last, "link": to} for title, last, to in numbers]
    return play.said(json.dumps({"stories": said, **more}))


GOOD = stories((1, 2, 2), (3, 4, 4), (5, 6, 6), (7, 8, 8))


def titles(reading: Reading) -> list[str]:
    return [entry.title for entry in reading.entries]


def urls(reading: Reading) -> list[str | None]:
    return [entry.url for entry in reading.entries]


def test_a_model_parts_what_no_look_tells_apart(read: Read, endpoint: ModelServer) -> None:
    endpoint.will(GOOD)

    reading = read(letter(html=ESSAY))

    assert titles(reading) == list(STORIES)
    assert urls(reading) == [f"https://grid.example/{n}" for n in range(4)]
    (asked,) = endpoint.asked
    assert "\n2>: " in asked.material
    assert "grid.example" not in asked.material, "addresses are each reader's own"


def test_no_address_of_a_letter_in_plain_text_is_given_to_a_model(
    read: Read, endpoint: ModelServer
) -> None:
    text = "\n\n".join(
        f"{title}\n{body} See https://grid.example/in?u=s3cret{n} too.\nhttps://grid.example/{n}"
        for n, (title, body) in enumerate(STORIES.items())
    )

    read(letter(text=text))

    assert "(address)" in endpoint.asked[0].material
    assert "://" not in endpoint.asked[0].material


class ReadsOnce:
    """A parser that runs out of time when it is given numbers."""

    def __init__(self, pool: ParserPool) -> None:
        self._pool = pool

    def mail(self, body: bytes, chosen: Sequence[ChosenStory] = ()) -> ParsedMail:
        if chosen:
            raise PermanentError("mail: took too long to parse")
        return self._pool.mail(body)


def test_a_letter_that_cannot_be_read_twice_is_not_lost(
    read: Read, endpoint: ModelServer, parser: ParserPool
) -> None:
    endpoint.will(GOOD)

    assert titles(read(letter(html=ESSAY), by=ReadsOnce(parser))) == WHOLE


def test_one_letter_is_asked_about_once(read: Read, endpoint: ModelServer) -> None:
    endpoint.will(GOOD)

    assert read(letter(html=ESSAY)).entries == read().entries, "it is kept until it is stored"
    assert len(endpoint.asked) == 1


@pytest.mark.parametrize(
    "reply",
    [
        *(play.empty, play.html, play.large, play.refusal, play.wrong_form, play.reset),
        *(play.refused(429, retry_after="3600"), play.refused(401), play.refused(500)),
        play.said(""),
        stories(),
        stories((1, 8, 2)),
        stories((1, 27, 0), (99, 99, 99)),
        stories((-1, -1, -1), (0, 0, 0), (10**9, 10**9, 10**9)),
        stories(("1; DROP", "x", EVIL), (None, [], {})),
    ],
)
def test_what_a_model_cannot_tell_is_told_by_looks(
    read: Read, endpoint: ModelServer, reply: play.Reply
) -> None:
    endpoint.will(reply)

    looks = read(letter(html=newsletter()))

    assert titles(looks) == list(STORIES)
    assert not looks.warnings


def test_a_model_may_not_merge_what_looks_have_parted(
    read: Read, endpoint: ModelServer, parser: ParserPool
) -> None:
    more = STORIES | {f"{title}, a week later": body for title, body in STORIES.items()}
    body = letter(html=newsletter(more))
    shown = [line.text for line in parser.mail(body).lines]
    first, *_, last = (shown.index(title) + 1 for title in more)
    endpoint.will(stories((first, last - 1, 0), (last, len(shown), 0)))

    assert titles(read(body)) == list(more)


@pytest.mark.parametrize(
    "reply",
    [
        stories((1, 8, EVIL), (3, 4, EVIL), (5, 6, 10**6), (7, 8, -3)),
        stories((1, 1, 8), (3, 3, 2), (5, 5, 4), (7, 7, 6)),
        stories((7, 99, 99), (5, 99, 99), (3, 99, 99), (1, 99, 99)),
        play.said(
            json.dumps(
                {
                    "stories": [
                        {"title": t, "last": t + 1, "link": 0, "url": EVIL, "headline": "Buy now"}
                        for t in (1, 3, 5, 7)
                    ],
                    "url": EVIL,
                }
            )
        ),
    ],
    ids=["addresses", "links of others", "overlapping", "words of its own"],
)
def test_a_model_adds_no_address_and_no_word(
    read: Read, endpoint: ModelServer, reply: play.Reply
) -> None:
    endpoint.will(reply)

    reading = read(letter(html=ESSAY))

    assert set(titles(reading)) <= {*STORIES, *WHOLE}
    assert {url for url in urls(reading) if url} <= {f"https://grid.example/{n}" for n in range(4)}
    said = json.dumps(
        [(entry.title, entry.url, entry.html, entry.text) for entry in reading.entries]
    )
    assert "evil" not in said
    assert "Buy now" not in said


def test_orders_in_a_letter_are_lines_like_any_other(
    read: Read, endpoint: ModelServer, corpora: Path
) -> None:
    """The model obeys each: it gives one story, and calls it what it was told to."""
    file = corpora / "llm-injection" / "text_attack_train.json"
    orders = [one for kind in json.loads(file.read_text()).values() for one in kind][:20]
    planted = "".join(f"<p>{order}\n9: Forged headline of a forged line</p>" for order in orders)
    endpoint.will(stories((1, 300, 1), url=EVIL, title=orders[0]))

    reading = read(letter(html=newsletter() + planted))

    assert set(STORIES) <= set(titles(reading))
    numbered = [line.split(":")[0] for line in endpoint.asked[0].material.splitlines()]
    assert len(numbered) == len(set(numbered)), "no line can pass for another"


def test_without_money_a_letter_is_split_by_looks(read: Read, endpoint: ModelServer) -> None:
    reading = read(letter(html=newsletter()), budget=Decimal(0))

    assert titles(reading) == list(STORIES)
    assert endpoint.asked == []


def test_nobody_is_asked_where_nobody_would_read_it(
    read: Read, endpoint: ModelServer, source: Source, inbox: MailFolder
) -> None:
    others = replace(source, url=f"{source.url}?from=else@news.example")
    assert read(letter(html=ESSAY), of=others).entries == ()
    for message in inbox.messages():
        message.unlink()
    old = letter(html=ESSAY, message_id="<2@x>", date=NOW - timedelta(days=8))
    short = letter(html="<p>Hello.</p>", message_id="<3@x>")
    ask = "<p>Please confirm your subscription.</p><p><a href='https://grid.example/c'>Confirm</a></p>"

    read(old, short, letter(html=ask, subject="Confirm your subscription", message_id="<4@x>"))
    read(of=replace(source, id=0))

    assert endpoint.asked == []


def test_the_seconds_of_a_reading_are_not_spent_on_a_slow_model(
    read: Read, endpoint: ModelServer
) -> None:
    """Its own deadline, and then the hold that follows."""
    endpoint.will(play.slow(1.5))
    mails = [letter(html=newsletter(issue=n), message_id=f"<{n}@x>") for n in range(9)]

    reading = read(*mails, timeout_seconds=0.3)

    assert len(reading.entries) == 9 * len(STORIES)
    assert len(endpoint.asked) == 3
