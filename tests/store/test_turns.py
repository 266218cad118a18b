"""Whoever meets a busy host: behind whom he comes back, and who loses his place."""

from __future__ import annotations

from datetime import datetime, timedelta

from morningdeck.store.rows.turns import LONGEST_LINE, MOST_LINES, PATIENCE, Turns
from tests.conftest import NOW

APART = timedelta(seconds=10)


def turn(turns: Turns, who: str, now: datetime = NOW) -> timedelta:
    return turns.next("host", who, now, now, APART) - now


def test_those_behind_move_up_when_somebody_is_in() -> None:
    turns = Turns()
    assert [turn(turns, who) for who in "abc"] == [APART * 0, APART * 1, APART * 2]

    turns.taken("host", "a")

    assert [turn(turns, who) for who in "cb"] == [APART, APART * 0]


def test_nobody_waits_behind_one_who_never_comes_back() -> None:
    turns = Turns()
    for who in "abc":
        turn(turns, who)

    assert turn(turns, "c", NOW + PATIENCE) == 2 * APART
    assert turn(turns, "c", NOW + PATIENCE + timedelta(seconds=1)) == APART


def test_who_would_not_wait_so_long_has_no_place() -> None:
    turns = Turns()
    for who in "abc":
        turn(turns, who)

    assert turns.next("host", "d", NOW, NOW, APART, 2 * APART) == NOW + 3 * APART
    assert turn(turns, "e") == 3 * APART
    assert turns.next("host", "d", NOW, NOW, APART, 4 * APART) == NOW + 4 * APART
    assert turn(turns, "f") == 5 * APART
    assert turns.next("host", "d", NOW, NOW, APART, timedelta(0)) == NOW + 4 * APART
    assert turn(turns, "f") == 4 * APART


def test_hosts_have_lines_of_their_own() -> None:
    turns = Turns()
    turn(turns, "a")

    assert turns.next("other", "b", NOW, NOW, APART) == NOW


def test_a_line_without_end_is_not_counted_to_its_end() -> None:
    turns = Turns()
    for number in range(LONGEST_LINE):
        turn(turns, str(number))

    assert turn(turns, "late") == turn(turns, "later") == LONGEST_LINE * APART


def test_lines_in_which_nobody_waits_any_more_are_forgotten() -> None:
    turns = Turns()
    for number in range(MOST_LINES):
        turns.next(str(number), "a", NOW, NOW, APART)

    turn(turns, "a", NOW + timedelta(hours=1))

    assert len(turns) == 1
