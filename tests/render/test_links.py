from __future__ import annotations

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
    assert story_actions("https://deck.example", report, report.items[0]) == ()


def test_the_footer_has_a_place_for_each_page(report: Report) -> None:
    links = Links(*(f"https://deck.example/{name}" for name in ("", "left", "settings", "leave")))
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
