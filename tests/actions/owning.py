"""Somebody with something of everything that a user can have."""

from __future__ import annotations

from dataclasses import dataclass

from morningdeck.actions import accounts, items, searches, tokens
from morningdeck.app import App
from morningdeck.model.kinds import SourceType, TokenScope
from morningdeck.model.wanting import NewSearch
from morningdeck.store.tables.briefs import deliveries, topic_clusters, topic_runs
from morningdeck.store.tables.people import sessions
from morningdeck.store.tables.running import notices, usage
from morningdeck.views.reading import UserView
from tests.factories import Stock, make, rows_of

PASSWORD = "a few good words"


@dataclass(frozen=True, slots=True)
class Owned:
    source: int
    briefings: tuple[int, ...]
    item: int
    secrets: tuple[str, ...]
    """What opens something, and its digests."""


def something_of_everything(app: App, user: UserView) -> Owned:
    stock, now, database = Stock(app.store.database), app.clock(), app.store.database
    source = stock.source(user.id, f"https://n{user.id}.example/feed", tags=("Sea",))
    stock.source(user.id, f"imap://u{user.id}@mail.example/INBOX", type=SourceType.EMAIL)
    item, briefing = stock.item(source), stock.briefing(user.id, title=f"Of {user.email}")
    stock.score(item, briefing, 80)
    app.store.items.rate(user.id, item, 1)
    items.mark(app.store.items, user.id, item, read=True, saved=True, now=now)
    items.save_page(
        app.store.saved_pages, user.id, f"https://p{user.id}.example/", now=now, wake=app.wake
    )
    report = stock.report(briefing)
    sent = {"channel": "folder", "address": "folder", "content": b"Hello", "report_id": report}
    make(database, deliveries, **sent)
    _search(app, user)
    app.store.users.set_credits(user.email, 7, now=now)
    make(database, notices, user_id=user.id, kind="test", subject="x", text="Look")
    make(database, usage, user_id=user.id, day=now.date(), purpose="score", model="m")
    make(database, topic_clusters, user_id=user.id, label="Wind", period="2026-11-18")
    with database.write() as connection:
        run = {"user_id": user.id, "begun": 1, "run": 1, "day": "2026-11-18"}
        connection.execute(topic_runs.insert().values(run))
    return Owned(source, (briefing,), item, _keys(app, user))


def _search(app: App, user: UserView) -> None:
    out = app.adapters.ways_out
    searches.save(
        app.store.saved_searches,
        user,
        NewSearch("Ships", "ships", at_once=True, channels=("folder",)),
        channels_for=out.to,
        check_channels=out.check,
        now=app.clock(),
    )


def _keys(app: App, user: UserView) -> tuple[str, ...]:
    kept, now = app.store.accounts, app.clock()
    accounts.set_password(kept, user, PASSWORD)
    code = accounts.new_code(kept, user, now=now)
    made = tokens.issue(app.store.api_tokens, user, "phone", TokenScope.READ, now=now)
    session, browser = accounts.new_token(), accounts.new_token()
    digest = tokens.digest(session)
    app.store.sessions.begin(user.id, digest, now=now, browser="test", address="::1")
    kept.know_browser(user.id, tokens.digest(browser), now=now)
    assert rows_of(app.store.database, sessions, sessions.c.token_hash == digest)
    opening = (made.token, session, browser, code.code.replace("-", ""))
    return (*opening, *map(tokens.digest, opening))
