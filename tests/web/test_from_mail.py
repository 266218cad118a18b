"""The links of mails: following one changes nothing, a POST does what it says, whoever asks."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from lxml import html

from morningdeck import logs
from morningdeck.brief import brief
from morningdeck.model.sending import Written
from morningdeck.signed_links import ItemAction
from morningdeck.store.tables.briefs import briefings as briefing_rows
from morningdeck.store.tables.briefs import ended_addresses
from morningdeck.store.tables.people import users
from morningdeck.work import Done, Job, Stage
from tests.factories import rows_of
from tests.web.site import Browser, Website, website

ADA, BOB = "ada@example.org", "bob@example.org"
BASE = "https://deck.example/deck"
ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.fixture
def deck(tmp_path: Path, database_url: str) -> Iterator[Website]:
    with website(tmp_path, database_url, base_url=f"{BASE}/") as web:
        yield web


@pytest.fixture
def nobody(deck: Website) -> Iterator[Browser]:
    with deck.browser() as browser:
        yield browser


class Desk:
    """A briefing of Ada's, the item that it tells, and the mails that it is sent in."""

    def __init__(self, deck: Website, *recipients: str) -> None:
        self.deck = deck
        stock = deck.stock
        self.user = deck.user(ADA).id
        self.source = stock.source(self.user, "https://news.example/feed")
        wanted = {"channels": ("smtp",), "recipients": recipients or (ADA,)}
        self.briefing = stock.briefing(self.user, title="Ships & <b>harbours</b>", **wanted)
        now = deck.app.clock()
        self.item = stock.item(self.source, title="Harbour <i>opens</i>", first_seen_at=now)
        stock.score(self.item, self.briefing, 71)

    def mails(self) -> list[bytes]:
        """As a daemon would write them now."""
        app = self.deck.app
        self.deck.stock.set(briefing_rows, self.briefing, run_requested_at=app.clock())
        done = brief(
            Job(Stage.BRIEFING, self.briefing, 1),
            briefings=app.store.briefing_rows,
            writer=app.adapters.outlets.mail_writer,
            clock=app.clock,
        )
        assert isinstance(done, Done)
        assert isinstance(done.result, Written)
        return [one.content for one in done.result.envelopes]

    def links(self) -> tuple[str, ...]:
        """Of its only mail, to the deck."""
        (mail,) = self.mails()
        return links_of(mail)

    def link(self, page: str) -> str:
        return next(one for one in self.links() if one.startswith(page))

    @property
    def ended(self) -> dict[str, str]:
        rows = rows_of(self.deck.app.store.database, ended_addresses)
        return {row.address: row.reason for row in rows}


def links_of(mail: bytes) -> tuple[str, ...]:
    message = message_from_bytes(mail, policy=policy.SMTP)
    page = message.get_body(("html",)).get_content()  # type: ignore[union-attr]
    found = [one.get("href", "") for one in html.document_fromstring(page).iter("a")]
    return tuple(urlsplit(one).path.removeprefix("/deck") for one in found if one.startswith(BASE))


def paragraphs(page: httpx2.Response) -> str:
    """Heading and text of a page, and what its buttons say."""
    (main,) = html.document_fromstring(page.text).iter("main")
    return " | ".join(
        " ".join(map(str, one.itertext())).strip() for one in main.iter("h1", "p", "button")
    )


def button(page: httpx2.Response) -> str:
    """Where the only form of a page sends to."""
    (form,) = html.document_fromstring(page.text).iter("form")
    return form.get("action", "").removeprefix("/deck")


# ---- no more mails


def test_mails_say_how_to_end_them_with_one_click(deck: Website) -> None:
    desk = Desk(deck, ADA, BOB)

    ways = []
    for mail in desk.mails():
        message = message_from_bytes(mail, policy=policy.SMTP)
        (way,) = [one for one in links_of(mail) if one.startswith("/unsubscribe/")]
        assert message["List-Unsubscribe"].startswith(f"<{BASE}{way}>")
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert message.get_body(("plain",)).get_content().count(f"{BASE}{way}") == 1  # type: ignore[union-attr]
        ways.append(way)
    assert len({*ways}) == 2
    assert not any("@" in way or "ada" in way for way in ways)


def test_one_click_ends_it_for_that_address_alone_without_cookie_or_login(
    deck: Website, nobody: Browser
) -> None:
    """As mail programs send it: RFC 8058."""
    desk = Desk(deck, ADA, BOB)
    ada, bob = (next(w for w in links_of(m) if w.startswith("/unsub")) for m in desk.mails())

    answer = nobody.client.post(ada, data=ONE_CLICK)

    assert (answer.status_code, "set-cookie" in answer.headers) == (200, False)
    assert desk.ended == {ADA: "its reader has unsubscribed"}
    (notice,) = deck.app.store.overview.notices(desk.user)
    assert ADA in notice
    form = {"List-Unsubscribe": (None, "One-Click")}
    assert nobody.client.post(bob, files=form).status_code == 200
    assert desk.ended.keys() == {ADA, BOB}


def test_following_links_changes_nothing(deck: Website, nobody: Browser) -> None:
    """As those do who scan mails."""
    desk = Desk(deck)
    before = deck.app.store.items.show(desk.user, desk.item)

    for link in desk.links():
        for _ in range(2):
            assert nobody.get(link).status_code == 200
        nobody.client.head(link)

    assert desk.ended == {}
    assert deck.app.store.items.show(desk.user, desk.item) == before


def test_a_person_is_asked_told_and_can_come_back(deck: Website, nobody: Browser) -> None:
    desk = Desk(deck)
    link = desk.link("/unsubscribe/")

    asked = nobody.get(link)
    assert "No more of these mails?" in paragraphs(asked)
    assert "\u201cShips & <b>harbours</b>\u201d goes to ada@example.org" in paragraphs(asked)

    told = nobody.client.post(button(asked))
    assert "goes no more to ada@example.org" in paragraphs(told)
    assert desk.ended.keys() == {ADA}
    again = nobody.client.post(link, data=ONE_CLICK)
    assert (again.status_code, button(again)) == (200, button(told))
    assert paragraphs(again) == paragraphs(nobody.get(link))

    back = nobody.client.post(button(told))
    assert "goes to ada@example.org again" in paragraphs(back)
    assert (desk.ended, deck.app.store.overview.notices(desk.user)) == ({}, ())
    assert nobody.client.post(button(told)).status_code == 200


def test_where_mail_came_back_a_link_takes_nothing_up_again(deck: Website, nobody: Browser) -> None:
    desk = Desk(deck)
    link = desk.link("/unsubscribe/")
    with deck.app.store.database.write() as connection:
        row = {"briefing_id": desk.briefing, "address": ADA, "reason": "no such user"}
        connection.execute(ended_addresses.insert().values(row))

    assert "came back" in paragraphs(nobody.get(link))
    assert nobody.client.post(f"{link}/back").status_code == 200
    assert desk.ended == {ADA: "no such user"}
    assert "no such user" not in nobody.get(link).text


@pytest.mark.parametrize("how", ["get", "post"])
def test_links_that_mean_nothing_are_told_kindly(deck: Website, nobody: Browser, how: str) -> None:
    desk = Desk(deck)
    good = desk.link("/unsubscribe/")
    number, _, signature = good.removeprefix("/unsubscribe/").partition(".")
    ask = getattr(nobody.client, how)
    for token in (
        *(number, f"{number}.", f"{number}.{signature[:-1]}", f"{number}1.{signature}", "x"),
        *(f"briefing-{number}", f"{'9' * 30}.{signature}", "%00", "%F0%9F%A6%80", "a" * 3000),
    ):
        answer = ask(f"/unsubscribe/{token}")
        assert answer.status_code == 404
        assert "This link ends nothing" in paragraphs(answer)
        assert "Nothing was changed" in paragraphs(answer)
    deck.app.store.briefings.remove(desk.user, desk.briefing)
    assert ask(good).status_code == 404


def test_without_an_address_outside_mails_are_as_before(tmp_path: Path, sqlite_url: str) -> None:
    with website(tmp_path, sqlite_url) as web:
        (mail,) = Desk(web).mails()

    assert b"List-Unsubscribe-Post" not in mail
    assert not [link for link in re.findall(rb'href=3D"(http[^"]*)', mail) if b"127.0.0.1" in link]


# ---- more like this, less like this, save


def test_each_link_asks_does_and_takes_back(deck: Website, nobody: Browser) -> None:
    desk = Desk(deck)
    links = [one for one in desk.links() if one.startswith("/from-mail/")]
    assert [one.split("/")[2].split(".")[0] for one in links] == ["like", "dislike", "save"]

    def marks() -> tuple[int, bool]:
        seen = deck.app.store.items.show(desk.user, desk.item)
        return seen.scores[0].feedback, seen.saved

    for link, done in zip(links, ((1, False), (-1, False), (0, True)), strict=True):
        asked = nobody.get(link)
        assert "Harbour <i>opens</i>" in paragraphs(asked)
        assert marks() == (0, False)
        told = nobody.client.post(button(asked))
        assert (told.status_code, marks()) == (200, done)
        assert "Harbour <i>opens</i>" in paragraphs(told)
        assert nobody.client.post(button(asked)).status_code == 200
        assert marks() == done
        assert nobody.client.post(button(told)).status_code == 200
        assert marks() == (0, False)


def test_a_mail_for_several_readers_has_none(deck: Website) -> None:
    for mail in Desk(deck, ADA, BOB).mails():
        assert b"from-mail" not in mail


def test_no_link_shows_or_marks_what_is_anothers(deck: Website, nobody: Browser) -> None:
    """Not even one that is signed: what counts is what its owner may see when it is followed."""
    desk = Desk(deck)
    bob = deck.user(BOB).id
    secret = deck.stock.item(deck.stock.source(bob, "https://bob.example/feed"), title="Bob's own")
    day = deck.app.clock().date() + timedelta(days=1)
    signer = deck.app.adapters.outlets.signer
    token = ItemAction("save", desk.briefing, secret, day).token(signer)

    for answer in (nobody.get(f"/from-mail/{token}"), nobody.client.post(f"/from-mail/{token}")):
        assert (answer.status_code, "Bob" in answer.text) == (404, False)
    assert not deck.app.store.items.show(bob, secret).saved


def test_links_of_what_is_gone_old_or_altered_do_nothing(deck: Website, nobody: Browser) -> None:
    desk = Desk(deck)
    link = desk.link("/from-mail/save")
    old = ItemAction("save", desk.briefing, desk.item, deck.app.clock().date() - timedelta(days=1))
    token = old.token(deck.app.adapters.outlets.signer)

    def code(path: str) -> list[int]:
        return [nobody.get(path).status_code, nobody.client.post(path).status_code]

    assert "too old" in paragraphs(nobody.get(f"/from-mail/{token}"))
    assert code(f"/from-mail/{token}") == [410, 410]
    assert code(link.replace("save", "like", 1)) == [404, 404]
    deck.stock.set(users, desk.user, enabled=False)
    assert code(link) == [404, 404]
    deck.stock.set(users, desk.user, enabled=True)
    assert not deck.app.store.items.show(desk.user, desk.item).saved
    deck.app.store.subscriptions.remove(desk.user, desk.source)
    assert code(link) == [404, 404]


def test_the_log_has_no_token(
    deck: Website, nobody: Browser, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure("INFO", "json")
    logging.getLogger("httpx2").setLevel(logging.WARNING)  # the client has a log too
    links = Desk(deck).links()
    for link in links:
        nobody.get(link)
        nobody.client.post(link)

    lines = capsys.readouterr().err
    routes = {json.loads(line)["route"] for line in lines.splitlines() if '"request"' in line}
    assert routes == {"/unsubscribe/{token}", "/from-mail/{token}"}
    for link in links:
        assert link.rpartition(".")[2] not in lines
    assert ADA not in lines
