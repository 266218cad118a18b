"""The migrations and the tables in code agree, forwards and backwards, with data in place."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from morningdeck.asked.parse import parse_query
from morningdeck.model.finding import SearchQuery
from morningdeck.store.database import migrate
from morningdeck.store.database.connect import Database
from morningdeck.store.database.revision import current, head
from morningdeck.store.tables.briefs import deliveries, report_texts
from morningdeck.store.tables.news import item_profiles, items, sources
from morningdeck.store.tables.people import users
from morningdeck.store.views.search_index import FulltextIndex
from tests.conftest import NOW
from tests.factories import (
    change,
    make_delivery,
    make_items,
    make_source,
    make_subscription,
    make_user,
    row_of,
)


def test_the_migrations_make_exactly_the_tables_of_the_code(database: Database) -> None:
    assert migrate.differences(database) == []
    assert current(database) == head()


def test_alembic_agrees_which_migration_is_the_newest() -> None:
    assert head() == ScriptDirectory.from_config(migrate.config_for()).get_current_head()


def test_upgrading_twice_keeps_what_is_there(database: Database) -> None:
    with database.write() as connection:
        connection.execute(users.insert().values(email="ada@example.org"))

    migrate.upgrade(database)

    with database.read() as connection:
        assert connection.scalar(select(func.count()).select_from(users)) == 1


def test_a_downgrade_with_data_leaves_nothing_and_can_be_undone(database: Database) -> None:
    with database.write() as connection:
        connection.execute(sources.insert().values(url="https://example.org/feed"))

    migrate.downgrade(database, "base")
    assert current(database) is None
    migrate.upgrade(database)

    assert migrate.differences(database) == []


def test_only_earlier_versions_knew_all_types_of_sources(database: Database) -> None:
    kept = make_source(database)
    made = make_source(database, type="NOTES")
    change(database, sources, made, type="WEB")

    migrate.downgrade(database, "0006")

    with pytest.raises(IntegrityError, match="ck_sources_type_known"):
        make_source(database, type="NOTES")
    migrate.upgrade(database)
    assert row_of(database, sources, kept).type == "RSS"


def test_what_earlier_versions_kept_of_a_report_is_read_from_its_mail(database: Database) -> None:
    mail = EmailMessage(policy=SMTP)
    mail.set_content("Größe\nund mehr", cte="quoted-printable")
    mail.add_alternative("<p>Größe</p>", subtype="html", cte="quoted-printable")
    kept = make_delivery(database, content=mail.as_bytes())
    make_delivery(database, content=b"no mail")
    make_delivery(database, content=None)
    migrate.downgrade(database, "0005")

    migrate.upgrade(database)

    with database.read() as connection:
        (row,) = connection.execute(select(report_texts)).all()
    assert (row.text, row.html) == ("Größe\nund mehr\n", "<p>Größe</p>\n")
    assert row.report_id == row_of(database, deliveries, kept).report_id


def test_what_is_there_is_found_by_the_new_words_of_the_search(database: Database) -> None:
    source = make_source(database, topics=("ports",))
    tags = {"people": ["Ada Quay"]}
    make_items(database, source, 600, title="富士山 C++ Häuser", language="de", tags=tags)
    reader = make_user(database)
    make_subscription(database, reader, source)

    migrate.downgrade(database, "0017")
    migrate.upgrade(database)

    for words in ("士山", "C++", "haus", "text", '"ada quay"', "topic:ports"):
        asked = SearchQuery(reader, parse_query(f"{words} "))
        assert FulltextIndex(database).search(asked).total == 600, words


def test_what_was_read_lately_without_a_profile_is_scored_once_more(database: Database) -> None:
    done = {"status": "DONE", "enriched_by": "offline"}
    source = make_source(database)
    bare, known = make_items(database, source, 2, **done)
    (old,) = make_items(database, source, 1, first_seen_at=NOW - timedelta(days=11), **done)
    (waits,) = make_items(database, source, 1)
    with database.write() as connection:
        connection.execute(item_profiles.insert().values(item_id=known, language="en"))

    migrate.downgrade(database, "0013")
    migrate.upgrade(database)

    asked = {one: row_of(database, items, one).rescore for one in (bare, known, old, waits)}
    assert asked == {bare: True, known: False, old: False, waits: False}
