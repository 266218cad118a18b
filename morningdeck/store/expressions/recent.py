"""How the last jobs of a row ended, as one short text: a sign for each, the newest last.

Written by the settlement that changes the row anyway, so that it costs no statement.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, case, func, literal

KEPT = 30
FAILED, NOTHING_NEW = "!", "."
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
MOST_TOLD = len(_DIGITS) - 1


def noted(before: ColumnElement[str], sign: str) -> ColumnElement[str]:
    """One more, and the oldest gone where there are too many."""
    first = case((func.length(before) >= KEPT, 2), else_=1)
    return func.substr(before, first).concat(literal(sign))


def told_better(before: ColumnElement[str], sign: ColumnElement[str]) -> ColumnElement[str]:
    """The last one, noted a moment ago as without news, had some."""
    without = func.substr(before, 1, func.length(before) - 1)
    nothing_new = before.like(f"%{NOTHING_NEW}")
    return case((nothing_new, without), else_=before).concat(sign)


def sign_of(news: int) -> str:
    return _DIGITS[min(news, MOST_TOLD)] if news else NOTHING_NEW


def read_recent(text: str) -> tuple[int | None, ...]:
    """How much each brought, None of what failed."""
    return tuple(
        None if sign == FAILED else 0 if sign == NOTHING_NEW else _DIGITS.index(sign)
        for sign in text
    )
