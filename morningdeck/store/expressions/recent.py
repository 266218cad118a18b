"""How the last jobs of a row ended, as one short text: a sign for each, the newest last.

Written by the settlement that changes the row anyway, so that it costs no statement.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, case, func, literal

FETCHES_KEPT = 30
FETCH_FAILED, BROUGHT_NOTHING = "!", "."
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
MOST_NEWS_TOLD = len(_DIGITS) - 1


def noted_fetch(before: ColumnElement[str], sign: str) -> ColumnElement[str]:
    """One more, and the oldest gone where there are too many."""
    first = case((func.length(before) >= FETCHES_KEPT, 2), else_=1)
    return func.substr(before, first).concat(literal(sign))


def told_better(before: ColumnElement[str], sign: ColumnElement[str]) -> ColumnElement[str]:
    """The last one, noted a moment ago as without news, had some."""
    without = func.substr(before, 1, func.length(before) - 1)
    nothing_new = before.like(f"%{BROUGHT_NOTHING}")
    return case((nothing_new, without), else_=before).concat(sign)


def sign_of(news: int) -> str:
    return _DIGITS[min(news, MOST_NEWS_TOLD)] if news else BROUGHT_NOTHING


def read_recent(text: str) -> tuple[int | None, ...]:
    """How much each brought, None of what failed."""
    return tuple(
        None if sign == FETCH_FAILED else 0 if sign == BROUGHT_NOTHING else _DIGITS.index(sign)
        for sign in text
    )
