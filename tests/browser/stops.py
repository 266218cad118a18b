"""Every page there is, with what is to be looked at on it: the table of the walk.

A page that is added to the application is added here: `test_every_page.py` says which is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tests.browser.decks import ADA, PASSWORD
from tests.browser.odd_deck import CLEAN, NEW, QUIET, WORD


@dataclass(frozen=True, slots=True, eq=False)
class Stop:
    """An address, with words in braces where ids stand (see `odd_deck.py`)."""

    path: str
    who: str | None = ADA
    code: int = 200
    form: Mapping[str, str] | None = None
    """What is sent to it, by a form on `sent_from`."""
    sent_from: str = "/settings"
    file: str = ""
    """What is uploaded with it, as a list of feeds."""

    def __str__(self) -> str:
        of = self.who.partition("@")[0] if self.who else "nobody"
        return f"{'post ' if self.form is not None else ''}{self.path} {of}"


OPML = """<opml version="2.0"><body>
  <outline xmlUrl="https://gridline.example/feed"/><outline xmlUrl="https://new.example/feed"/>
  <outline xmlUrl="gopher://odd.example/feed"/></body></opml>"""
LONG_LOGIN = {"email": f"{'e' * 200}@example.org", "password": "wrong"}
BRIEFING = {"title": WORD, "criteria": WORD, "time": "soon", "timezone": "Europe/Berlin"}
STOPS = (
    # reading
    Stop("/"),
    Stop("/", NEW),
    Stop("/", QUIET),
    Stop("/feed"),
    Stop("/feed", NEW),
    Stop("/feed?topic=" + "x" * 200 + "&language=%3Cb%3E&min_score=61"),
    Stop("/feed?unread=1&marked=7&at=2026-11-18T07:25:00.000001"),
    Stop("/items/{item}"),
    Stop("/items/{item}?similar=1"),
    Stop("/items/{odd_item}"),
    Stop("/items/{unread_item}"),
    Stop("/items/{hebrew_item}"),
    Stop("/reports"),
    Stop("/reports", NEW),
    Stop("/reports/{report}"),
    *(
        Stop(f"/reports/{{report_{name}}}")
        for name in ("nasty", "hebrew", "japanese", "weekly", "sections", "update", "at_once")
    ),
    Stop("/reports/{report}/left-out"),
    Stop("/reports/{report_nasty}/left-out"),
    Stop("/search"),
    Stop("/search", NEW),
    Stop("/search?q=wind"),
    Stop("/search?q=" + "w" * 300),
    Stop("/search/saved", code=422, form={"q": "wind", "name": " "}),
    Stop("/stories"),
    Stop("/stories", NEW),
    Stop("/stories/{topic}"),
    Stop("/stories/{odd_topic}"),
    # sources
    Stop("/sources"),
    Stop("/sources", NEW),
    Stop("/sources/new"),
    Stop("/sources/check", code=422, form={"url": WORD}),
    Stop("/sources/check", form={"url": "{feed}"}),
    Stop("/sources/opml", form={}, file=OPML),
    Stop("/sources/opml/999", code=404),
    Stop("/sources/opml", code=422, form={}, file="no list"),
    Stop("/sources/{source}"),
    Stop("/sources/{ill}"),
    Stop("/sources/{paused}"),
    Stop("/sources/{ill}/remove"),
    # briefings
    Stop("/briefings"),
    Stop("/briefings", NEW),
    Stop("/briefings/new"),
    Stop("/briefings", code=422, form=BRIEFING),
    Stop("/briefings/{briefing}"),
    Stop("/briefings/{odd_briefing}"),
    Stop("/briefings/{odd_briefing}/edit"),
    Stop("/briefings/{odd_briefing}/remove"),
    Stop("/briefings/{odd_briefing}/test", code=422, form={"to": WORD}),
    Stop("/briefings/{of_quiet}/edition", QUIET),
    # the first visit
    Stop("/claim", None),
    Stop("/claim", None, 422, {"code": "ABCD", **LONG_LOGIN}, "/claim"),
    Stop("/login", None),
    Stop("/login", None, 422, LONG_LOGIN, "/login"),
    Stop("/start", NEW),
    Stop("/start/wish", NEW),
    Stop("/start/when", NEW, form={"criteria": WORD}),
    Stop("/start/edition/{of_quiet}", QUIET),
    # the machine, and whoever uses it
    Stop("/engine"),
    Stop("/users"),
    Stop("/users/code", code=201, form={"email": QUIET}),
    Stop("/users", code=422, form={"email": CLEAN, "name": WORD}),
    Stop("/settings"),
    Stop("/settings/tokens", code=201, form={"name": "Reader", "scope": "read"}),
    Stop("/settings/password", code=422, form={"password": PASSWORD, "new": "short"}),
    Stop("/settings/remove"),
    Stop("/settings/remove", code=422, form={"email": WORD}),
    Stop("/share?url=https://page.example/1&title=" + "w" * 200),
    Stop("/share"),
    # from mails
    Stop("/unsubscribe/{leaving}", None),
    Stop("/unsubscribe/unknown", None, 404),
    Stop("/from-mail/{acting}", None),
    # trouble
    Stop("/nothing", code=404),
    Stop("/engine", NEW, 403),
    Stop("/settings/profile", code=422, form={"name": WORD, "timezone": WORD}),
)
NO_PAGES = (
    *("/static/{name}", "/app.webmanifest", "/engine.json", "/users.json", "/engine/events"),
    *("/sources/opml", "/settings/export"),
)
"""What else answers a GET."""
IN_A_FRAME = ("/briefings/{of_quiet}/edition",)
"""Documents that are parts of others."""
