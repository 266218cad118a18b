"""A deck on a bad day: hostile texts, broken sources, dead letters, deliveries in every state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from morningdeck.actions import tokens
from morningdeck.actions.accounts import new_token
from morningdeck.model.kinds import TokenScope
from morningdeck.model.sending import Plan
from morningdeck.model.wanting import NewSearch
from morningdeck.signed_links import ItemAction, leaving_token
from morningdeck.store.tables.briefs import briefings, deliveries, reports
from morningdeck.store.tables.briefs import item_scores as scores
from morningdeck.store.tables.news import items, sources, subscriptions
from morningdeck.store.tables.people import users
from morningdeck.store.tables.running import endpoints, notices, processes
from tests.browser.decks import ADA, Desk, Morning
from tests.factories import make
from tests.render.editions import EVERY, NASTY, with_stories
from tests.web.site import Website

NEW, QUIET = "new@deck.example", "quiet@deck.example"
WORD = "Unabhängigkeitserklärungsberichterstattung" * 7
HEBREW, JAPANESE = (EVERY[name].items[0] for name in ("hebrew", "japanese"))
CLEAN = NASTY.replace("\x00", "").replace("\ud800", "")
"""What no database holds is gone before."""
ILL: tuple[Mapping[str, Any], ...] = (
    {"health": "degraded", "failures": 7, "last_error": f"{WORD}.example: answered 503"},
    {"health": "gone", "failures": 40, "last_error": "410 from ill.example: it is gone for good"},
    {"health": "inactive", "inactive_reason": "404 for 30 days", "last_error": "404: not there"},
    {"failures": 2, "last_error": f"{CLEAN}: timed out"},
    {"health": "degraded", "failures": 9, "last_success_at": None, "last_fetched_at": None},
)
STATES = ("PENDING", "SENDING", "SENT", "RETRY", "REFUSED", "UNKNOWN")


@dataclass(frozen=True)
class Names:
    """What the addresses of pages are made with, by the words in their braces."""

    web: Website
    values: Mapping[str, object]
    feed: str

    def __call__(self, address: str) -> str:
        return address.format(**self.values)

    def form(self, fields: Mapping[str, str]) -> dict[str, str]:
        """With the address of a feed that can be read where one is wanted."""
        return {name: text.replace("{feed}", self.feed) for name, text in fields.items()}


def bad_day(web: Website, morning: Morning, feed: str) -> Names:
    """On top of a good morning; and two others: one who has nothing, and one with a quiet day."""
    desk, now = morning.desk, web.app.clock()
    sources = _odd_sources(desk)
    of_quiet = _others(desk)
    names = {
        **{"report": morning.report, "item": morning.items[0], "topic": morning.topic},
        **{"briefing": desk.briefing, "odd_briefing": _refused_briefing(web, desk.user)},
        **{"source": desk.source("Gridline"), "of_quiet": of_quiet},
        **sources,
        **_odd_news(desk),
    }
    for name, query in (("w" * 200, "w" * 300), (CLEAN[:50], "quay -ferry title:wind")):
        web.app.store.saved_searches.save(desk.user, NewSearch(name, query), now=now)
    desk.indexed()
    _engine_in_trouble(web, desk.user, desk.source("Gridline"), sources["ill"])
    _logins(web)
    signer, until = web.app.adapters.outlets.signer, now.date() + timedelta(days=9)
    acting = ItemAction("save", desk.briefing, morning.items[0], until).token(signer)
    leaving = leaving_token(signer, desk.briefing, ADA)
    return Names(web, {**names, "acting": acting, "leaving": leaving}, feed)


def _odd_news(desk: Desk) -> dict[str, int]:
    """Items, the reports that have some, and topics."""
    web = desk.web
    odd = tuple(desk.item(one) for one in odd_items())
    names = ["y" * 300, CLEAN, *(f"topic {n}" for n in range(30))]
    tags = {"topics": names, "people": [], "companies": [], "technologies": []}
    web.stock.set(items, odd[0], author="x" * 300, tags={**tags, "sentiment": "neutral"})
    _feel(web, desk.briefing, odd)
    reports_of = {
        f"report_{name}": desk.printed(replace(edition, slot=name), slot=name)[0]
        for name, edition in odd_editions().items()
    }
    unread = _unread_item(web, desk.source("Gridline"))
    topic = desk.topics((("w" * 300, 9, None), (CLEAN, 1, 0)), odd)
    of_items = {"odd_item": odd[0], "hebrew_item": odd[1], "unread_item": unread}
    return {**reports_of, **of_items, "odd_topic": topic}


def _odd_sources(desk: Desk) -> dict[str, int]:
    web, user = desk.web, desk.user
    ill = [_ill_source(web, user, number, state) for number, state in enumerate(ILL)]
    paused = web.stock.source(user, "https://paused.example/feed", name=WORD, tags=("t" * 300,))
    with web.app.store.database.write() as connection:
        mine = subscriptions.c.source_id == paused
        connection.execute(subscriptions.update().where(mine).values(paused=True))
    return {"ill": ill[0], "paused": paused}


def _others(desk: Desk) -> int:
    """The briefing of the one with a quiet day."""
    web = desk.web
    web.stock.set(users, web.user(NEW).id, name="x" * 200)
    quiet = web.user(QUIET).id
    briefing = web.stock.briefing(quiet, title="Quiet", plan=Plan(7, 0, "Europe/Berlin"))
    replace(desk, user=quiet, briefing=briefing, sources={}).printed("quiet")
    return briefing


def odd_items() -> tuple[Any, ...]:
    told = EVERY["daily"].items[1]
    long = replace(told, title=WORD, summary=WORD * 2, source_title="s" * 150, reason="r" * 200)
    nasty = replace(told, title=CLEAN, summary=CLEAN, reason=CLEAN, source_title=CLEAN)
    bare = replace(told, title="", summary="", reason="", url=None)
    return long, HEBREW, JAPANESE, nasty, bare


def odd_editions() -> dict[str, Any]:
    """Other reports of Ada's, the newest last; the keys are their slots."""
    daily = EVERY["daily"]
    change = {"title": WORD, "summary": WORD, "reason": "r" * 200, "source_title": "s" * 150}
    long = replace(with_stories(daily, change, change), subject=WORD, broken_sources=(WORD,) * 3)
    nasty = dict.fromkeys(("title", "summary", "reason", "source_title"), CLEAN)
    named = ("hebrew", "japanese", "weekly", "sections", "update", "at_once")
    odd = {name: EVERY[name] for name in named}
    odd["nasty"] = replace(with_stories(daily, nasty, nasty), subject=CLEAN)
    return odd | {"long": long}


def _unread_item(web: Website, source: int) -> int:
    row = {"title": "Not read yet", "status": "NEW", "enriched_by": None, "search_mark": 1}
    return web.stock.item(source, **row, first_seen_at=web.app.clock())


def _feel(web: Website, briefing: int, ids: tuple[int, ...]) -> None:
    """Marked, saved, liked and not."""
    of, user, now = web.app.store.items, web.user(ADA).id, web.app.clock()
    of.mark_read(user, ids[1], now)
    of.mark_saved(user, ids[2], now)
    with web.app.store.database.write() as connection:
        liked = (scores.c.item_id == ids[1], scores.c.briefing_id == briefing)
        connection.execute(scores.update().where(*liked).values(feedback=1))


def _ill_source(web: Website, user: int, number: int, state: Mapping[str, Any]) -> int:
    name = WORD if number == 0 else f"Ill {number}"
    made = web.stock.source(user, f"https://ill{number}.example/feed", name=name)
    web.stock.set(sources, made, **state)
    for days in (0, 0, 1, 4, 4, 4, 9):
        web.stock.item(made, first_seen_at=web.app.clock() - timedelta(days=days))
    return made


def _refused_briefing(web: Website, user: int) -> int:
    """Its report waits, goes out, has arrived, was refused: one delivery of each state."""
    to = tuple(f"{state.lower()}@{'d' * 60}.example" for state in STATES)
    made = web.stock.briefing(user, title=WORD, criteria=f"{CLEAN} {WORD}", recipients=to)
    web.stock.set(briefings, made, last_error="smtp: 535 from mail.example, check smtp.password")
    report = web.stock.report(made)
    at = web.app.clock() - timedelta(days=2)
    web.stock.set(reports, report, generated_at=at, subject=f"News of {WORD}")
    for state, address in zip(STATES, to, strict=True):
        sent = {"channel": "smtp", "address": address, "content": b"x", "report_id": report}
        reply = {"reply": f"550 5.1.1 <{address}>: no such user here", "last_error": "450 busy"}
        more = {} if state == "SENT" else {"due_at": web.app.clock() + timedelta(hours=1), **reply}
        make(web.app.store.database, deliveries, **sent, **more, status=state, attempts=3)
    return made


def _engine_in_trouble(web: Website, user: int, source: int, ill: int) -> None:
    now, database = web.app.clock(), web.app.store.database
    for title in (WORD, CLEAN, ""):
        error = f"404 from {WORD}.example: it is gone"
        web.stock.item(source, title=title, status="ERROR", last_error=error)
    told = {"source-degraded": str(ill), "mail-refused": "1", "dead-letters": ""}
    for kind, subject in told.items():
        row = {"user_id": user, "kind": kind, "subject": subject, "updated_at": now}
        make(database, notices, **row, text=f"{WORD} is not read: {CLEAN}")
    held = {"failures": 4, "held_until": now + timedelta(minutes=4), "held_for": "429: too busy"}
    with database.write() as connection:
        connection.execute(endpoints.insert().values(name=f"llm.{'e' * 90}.example", **held))
    gone = {"started_at": now - timedelta(hours=9), "lease_until": now - timedelta(minutes=5)}
    row = {"node": "n" * 80, "incarnation": "gone", "kind": "worker fetch processing"}
    make(database, processes, **row, **gone, version="1.0")


def _logins(web: Website) -> None:
    user, now = web.user(ADA), web.app.clock()
    for name, scope in (("n" * 100, TokenScope.READ), ("Newsboat", TokenScope.ADMIN)):
        tokens.issue(web.app.store.api_tokens, user, name, scope, now=now)
    told = {"browser": "Mozilla/5.0 (iPhone; like Mac OS X) Safari/604.1", "address": "2001:db8::1"}
    web.app.store.sessions.begin(user.id, tokens.digest(new_token()), now=now, **told)
    web.app.store.sessions.begin(user.id, "x" * 64, now=now, browser="B" * 90, address="::1")
