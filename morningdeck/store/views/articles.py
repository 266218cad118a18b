"""ArticleTexts to read: the text of an item, and who else tells its story."""

from __future__ import annotations

from sqlalchemy import and_, func, select

from morningdeck.store.expressions.repository import Repository, found, made_of
from morningdeck.store.expressions.texts import source_name
from morningdeck.store.expressions.visibility import subscribes, visible, visible_each
from morningdeck.store.tables.news import (
    item_date,
    item_texts,
    items,
    sources,
    subscriptions,
)
from morningdeck.updates import whats_new
from morningdeck.views.reading import AlsoToldView, ArticleView

MOST_OTHERS_SHOWN = 30
COMPARED_SIGNS = 6_000
"""Characters of each: what a paper adds stands near its top."""


class ArticleTexts(Repository):
    def show(self, user_id: int, item_id: int) -> ArticleView:
        """The text of its page, else that of its source's entry."""
        text = (
            select(items.c.story_id, items.c.title, items.c.summary)
            .add_columns(item_texts.c.web_content, item_texts.c.clean_content)
            .outerjoin(item_texts, item_texts.c.item_id == items.c.id)
            .where(items.c.id == item_id, visible(user_id))
        )
        row = found(self._rows(text), f"item {item_id}")
        text_of_it = row.web_content or row.clean_content or ""
        if row.story_id is None:
            return ArticleView(item_id, text_of_it, ())
        told = f"{row.title}\n{row.summary}\n{text_of_it}"
        return ArticleView(item_id, text_of_it, self._tellers(user_id, item_id, row.story_id, told))

    def _tellers(
        self, user_id: int, item_id: int, story_id: int, told: str
    ) -> tuple[AlsoToldView, ...]:
        """The first to tell it first, with what they say beyond what is `told`."""
        begins = [
            func.substr(text, 1, COMPARED_SIGNS)
            for text in (item_texts.c.web_content, item_texts.c.clean_content)
        ]
        others = and_(items.c.story_id == story_id, items.c.id != item_id)
        query = (
            select(items.c.id, items.c.title, items.c.url, items.c.summary)
            .add_columns(source_name().label("source"), item_date.label("at"))
            .add_columns(items.c.language, *begins)
            .select_from(items.join(sources).outerjoin(item_texts))
            .outerjoin(subscriptions, subscribes(user_id, items.c.source_id))
            .where(others, visible_each(user_id))
            .order_by(item_date, items.c.id)
            .limit(MOST_OTHERS_SHOWN)
        )
        return tuple(
            made_of(row, AlsoToldView, adds=_added(page or entry or "", told, row.language))
            for row in self._rows(query)
            for *_, page, entry in (row,)
        )


def _added(text: str, told: str, language: str | None) -> str:
    return whats_new(" ".join(text.split()), told, language)
