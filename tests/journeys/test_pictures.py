"""The picture of the first story goes along with a briefing where the settings want it."""

from __future__ import annotations

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest

from tests.journeys.conftest import Deck
from tests.journeys.test_first_morning import WIND, add_energy
from tests.parsing.test_picture import drawn
from tests.servers.feeds import FeedServer

FEED = """<rss version="2.0"><channel><title>Gazette</title><item><title>{0.title}</title>
<link>{1}/wind.html</link><guid>7</guid><description>{0.text}</description>
<enclosure url="{1}/wind.png" type="image/png" length="7"/></item></channel></rss>"""


@pytest.fixture
def briefing(deck: Deck, site: FeedServer) -> int:
    feed = FEED.format(WIND, site.url("")).encode()
    deck.ask("source", "add", site.put("/a.xml", feed))
    return add_energy(deck)


def sent(deck: Deck, briefing: int) -> tuple[EmailMessage, str]:
    """The mail, and the page beside it."""
    assert deck.ask("briefing", "run", briefing)["items"] == 1
    (page,) = Path(deck.folder, "data", "outbox").glob("*.html")
    message = message_from_bytes(page.with_suffix(".eml").read_bytes(), policy=default)
    assert isinstance(message, EmailMessage)
    return message, page.read_text()


def kinds(message: EmailMessage) -> list[str]:
    return [part.get_content_type() for part in message.walk() if not part.is_multipart()]


def test_it_stands_beside_the_mail_and_in_the_page(
    deck: Deck, site: FeedServer, briefing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORNINGDECK_DELIVERY__PICTURES", "true")
    site.put("/wind.png", drawn(), "image/png")

    message, page = sent(deck, briefing)

    assert kinds(message) == ["text/plain", "text/html", "image/jpeg"]
    html = message.get_body(("html",))
    assert html is not None
    assert 'src="cid:picture.' in html.get_content()
    assert 'src="data:image/jpeg;base64,' in page
    assert site.url("/wind.png") not in page


def test_without_the_setting_nobody_asks_for_it(
    deck: Deck, site: FeedServer, briefing: int
) -> None:
    site.put("/wind.png", drawn(), "image/png")

    message, page = sent(deck, briefing)

    assert kinds(message) == ["text/plain", "text/html"]
    assert "<img" not in page
    assert site.served["/wind.png", 200] == 0


def test_a_picture_that_is_none_is_left_out(
    deck: Deck, site: FeedServer, briefing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORNINGDECK_DELIVERY__PICTURES", "true")
    site.put("/wind.png", b"<html>Log in first</html>", "text/html")

    message, page = sent(deck, briefing)

    assert kinds(message) == ["text/plain", "text/html"]
    assert "<img" not in page
