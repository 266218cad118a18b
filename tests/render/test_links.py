from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from lxml import html

from morningdeck.model.sending import Report
from morningdeck.render.fitting import render
from morningdeck.render.links import (
    Links,
    footer_links,
    story_actions,
    unsubscribing,
    web_link,
)
from morningdeck.signed_links import ItemAction
from tests.render.mails import SIGNED


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("news@deck.example", "mailto:news@deck.example?subject=unsubscribe%20briefing-88"),
        (
            "a+b?c&d@deck.example",
            "mailto:a%2Bb%3Fc%26d@deck.example?subject=unsubscribe%20briefing-88",
        ),
        ("morningdeck@localhost", None),
        ("", None),
    ],
)
def test_a_mail_to_the_sender_unsubscribes(report: Report, address: str, link: str | None) -> None:
    assert unsubscribing(report, address) == link


def test_the_footer_has_no_dead_links(report: Report) -> None:
    way = unsubscribing(report, "news@deck.example")
    assert footer_links(report, "news@deck.example") == Links(unsubscribe=way)
    assert story_actions(None, replace(report, for_one=True), report.items[0]) == ()


def test_what_its_owner_alone_gets_has_links_that_act(report: Report) -> None:
    mine = replace(report, for_one=True)
    item = mine.items[0]

    actions = story_actions(SIGNED, mine, item)

    assert [one.phrase for one in actions] == ["more_like_this", "less_like_this", "save"]
    for action, name in zip(actions, ("like", "dislike", "save"), strict=True):
        page, _, token = action.url.rpartition("/")
        assert page == "https://deck.example/deck/from-mail"
        meant = ItemAction.read(token, SIGNED.signer)
        assert meant == ItemAction(name, 88, item.item_id, date(2027, 2, 16))
        assert action.url in render(mine, footer_links(mine, "", SIGNED)).html


@pytest.mark.parametrize("changes", [{"for_one": False}, {"id": 0}])
def test_what_others_get_too_and_tests_have_none(report: Report, changes: dict[str, Any]) -> None:
    """Whoever gets a test may be anybody."""
    other = replace(report, **{"for_one": True, **changes})

    assert story_actions(SIGNED, other, other.items[0]) == ()


@pytest.mark.parametrize(
    "token",
    [
        *("", "....", "like", "like.88.101.20270216.", "like.88.101.20270216.x"),
        *("like.٨٨.101.20270216.x", f"like.{'9' * 40}.1.20270216.x", "open.88.101.20270216.x"),
    ],
)
def test_what_is_not_signed_means_nothing(token: str) -> None:
    assert ItemAction.read(token, SIGNED.signer) is None


def test_a_signature_is_for_one_action_one_item_and_one_day() -> None:
    made = ItemAction("like", 88, 101, date(2027, 2, 16)).token(SIGNED.signer)
    assert ItemAction.read(made, SIGNED.signer) is not None

    for old, new in (("like", "save"), (".88.", ".8."), (".101.", ".102."), ("2027", "2028")):
        assert ItemAction.read(made.replace(old, new, 1), SIGNED.signer) is None


def test_the_footer_has_a_place_for_each_page(report: Report) -> None:
    at = "https://deck.example"
    links = Links(f"{at}/", f"{at}/left", f"{at}/settings", f"{at}/leave")
    page = html.document_fromstring(render(report, links).html)
    assert page.xpath("//td[contains(@class, 'foot')]//a/text()") == [
        "See what was left out",
        "Open in browser",
        "Settings",
        "Unsubscribe",
    ]


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("https://ada:s3cret@news.example/a?b=c#d", "https://news.example/a?b=c#d"),
        ("https://bank.example@evil.example:8443/", "https://evil.example:8443/"),
        ("HTTPS://News.Example/Ä b", "https://News.Example/%C3%84%20b"),
        ("https://müller.example/", "https://xn--mller-kva.example/"),
        ("http://[::1]/x", "http://[::1]/x"),
        ("https://@/", None),
    ],
)
def test_a_link_has_no_password_in_it(address: str, link: str | None) -> None:
    assert web_link(address) == link
