"""The text of an item, and what a source is called."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Text, TypeDecorator, func

from morningdeck.discreet import named
from morningdeck.store.tables.news import item_texts, sources, subscriptions

SEARCHED_CHARACTERS = 10_000


def readable_text() -> ColumnElement[str]:
    """The best text of an item: that of its page, else that of its source's entry, else empty.

    For queries that outer join `item_texts`.
    """
    page, told = item_texts.c.web_content, item_texts.c.clean_content
    raw = item_texts.c.raw_content
    return func.coalesce(func.nullif(page, ""), func.nullif(told, ""), raw, "", type_=Text())


def searched_text() -> ColumnElement[str]:
    """The beginning of the readable text, as far as a search looks."""
    return func.substr(readable_text(), 1, SEARCHED_CHARACTERS, type_=Text())


class Name(TypeDecorator[str]):
    """A name; where an address stands for one, only its host is shown."""

    impl = Text
    cache_ok = True

    def process_result_value(self, value: str | None, dialect: Any) -> str | None:
        return None if value is None else named(value)


def source_title() -> ColumnElement[str]:
    """The source's own title, else its address."""
    return func.coalesce(func.nullif(sources.c.title, ""), sources.c.url, type_=Name())


def source_name() -> ColumnElement[str]:
    """The reader's name for a source, else its title; for queries that join the subscription."""
    own = func.nullif(subscriptions.c.name, "")
    return func.coalesce(own, source_title(), type_=Name())
