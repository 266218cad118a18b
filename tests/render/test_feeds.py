"""Reports as feeds, as other parsers and our own read them."""

from __future__ import annotations

import html
import json
import re
from calendar import timegm
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from time import struct_time
from uuid import UUID

import feedparser  # type: ignore[import-untyped]
import pytest

from morningdeck import wording
from morningdeck.model.sending import Report, Teller
from morningdeck.parsing.feeds import parse_feed
from morningdeck.render.feeds import Feed, as_atom, as_json_feed, as_rss, entry, feed_of
from morningdeck.render.fitting import render
from tests.render.editions import NASTY, daily, hebrew, huge, nasty, quiet, weekly, with_stories

BEGAN = datetime(2026, 11, 1, tzinfo=UTC)
HOME = "https://deck.example/"
Telling = Callable[[Feed], bytes]
XML: tuple[Telling, ...] = (as_rss, as_atom)
ALL = (*XML, as_json_feed)


def name_of(report: Report) -> UUID:
    return UUID(int=1000 + report.id)


def told(*reports: Report, title: str = "Morning") -> Feed:
    entries = [entry(name_of(report), report) for report in reports]
    return feed_of(UUID(int=1), title, HOME, "en", BEGAN, entries)


def moment(parsed: struct_time) -> datetime:
    return datetime.fromtimestamp(timegm(parsed), UTC)


@pytest.mark.parametrize("tell", XML)
@pytest.mark.parametrize("make", [daily, weekly, quiet, hebrew, nasty, huge])
def test_the_parser_of_others_finds_nothing_wrong(
    tell: Telling, make: Callable[[], Report]
) -> None:
    report = make()

    found = feedparser.parse(tell(told(report)))

    assert not found.bozo, found.get("bozo_exception")
    assert (found.feed.title, found.feed.link) == ("Morning", HOME)
    (one,) = found.entries
    assert (one.id, bool(one.title)) == (name_of(report).urn, True)
    at = report.generated_at.astimezone(UTC).replace(microsecond=0)
    assert moment(one.published_parsed) == at


@pytest.mark.parametrize("tell", ALL)
def test_our_own_parser_reads_the_same_from_each(tell: Telling) -> None:
    report = daily()

    feed = parse_feed(tell(told(report)), url=HOME)

    assert (feed.title, feed.warnings, feed.whole) == ("Morning", (), True)
    (one,) = feed.entries
    assert (one.guid, one.title) == (name_of(report).urn, report.subject)
    assert one.published_at == report.generated_at


@pytest.mark.parametrize("make", [daily, weekly])
def test_it_tells_what_the_mail_told_in_the_same_order(make: Callable[[], Report]) -> None:
    report = make()
    mail, page = render(report).html, entry(UUID(int=1), report).html

    assert re.findall('href="(http[^"]*)"', page) == re.findall('href="(http[^"]*)"', mail)
    shown = [wording.headline(item, 240) for item in report.items]
    for one in (*shown, report.items[0].summary):
        assert html.escape(one, quote=False) in html.unescape(page)
        assert html.escape(one, quote=False) in html.unescape(mail)
    assert sorted(shown, key=html.unescape(page).index) == sorted(
        shown, key=html.unescape(mail[mail.index("<h2") :]).index
    )


def test_what_may_be_its_readers_alone_has_no_link() -> None:
    secret = "https://letter.example/login?me"
    also = (Teller("Letter", secret, private=True), Teller("Paper", "https://paper.example/1"))
    report = with_stories(daily(), {"private": True, "url": secret, "also_in": also})

    page = entry(UUID(int=1), report).html

    assert secret not in page
    assert (report.items[0].title in page, "https://paper.example/1" in page) == (True, True)


@pytest.mark.parametrize("tell", ALL)
def test_hostile_text_stays_text(tell: Telling) -> None:
    feed = tell(told(nasty(), title=NASTY))

    page = entry(UUID(int=1), nasty()).html
    assert not re.search(r"<(script|img|b>)|href=\"(?!https?://)", page)
    assert "alert(1)" in page
    (one,) = parse_feed(feed, url=HOME).entries
    assert "<script" not in one.html
    if tell is not as_json_feed:
        assert feedparser.parse(feed).feed.title


def test_what_xml_cannot_hold_is_left_out() -> None:
    report = replace(daily(), subject="one\ufffe\uffff two\x0b\ud800")
    for tell in XML:
        found = feedparser.parse(tell(told(report, title="a\ufffeb")))
        assert (found.bozo, found.feed.title, found.entries[0].title) == (False, "ab", "one two")


def test_a_json_feed_says_which_version_it_is() -> None:
    whole = json.loads(as_json_feed(told(daily())))

    assert whole["version"] == "https://jsonfeed.org/version/1.1"
    assert (whole["home_page_url"], whole["language"]) == (HOME, "en")
    (one,) = whole["items"]
    assert one.keys() == {"id", "title", "summary", "content_html", "date_published"}


@pytest.mark.parametrize("tell", XML)
def test_a_feed_without_reports_is_one(tell: Telling) -> None:
    found = feedparser.parse(tell(told()))

    assert (found.bozo, found.entries, found.feed.title) == (False, [], "Morning")
    assert moment(found.feed.updated_parsed) == BEGAN
