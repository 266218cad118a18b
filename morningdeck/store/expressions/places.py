"""Where a list goes on: beyond a place in its order, whatever came or went meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_, or_


def below(columns: Sequence[ColumnElement[Any]], place: Sequence[Any]) -> ColumnElement[bool]:
    """What comes after the place where all of these columns fall, the first of them foremost.

    The first stands alone too, so that an index over it leads to the place.
    """
    column, value = columns[0], place[0]
    lower: ColumnElement[bool] = column < value
    if len(columns) == 1:
        return lower
    return and_(column <= value, or_(lower, below(columns[1:], place[1:])))


def risen_past(columns: Sequence[ColumnElement[Any]], place: Sequence[Any]) -> ColumnElement[bool]:
    """The same where all of them rise."""
    column, value = columns[0], place[0]
    higher: ColumnElement[bool] = column > value
    if len(columns) == 1:
        return higher
    return and_(column >= value, or_(higher, risen_past(columns[1:], place[1:])))
