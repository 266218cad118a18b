"""The order in which those come back who met a busy host, and who is struck off."""

from __future__ import annotations

from datetime import datetime, timedelta

from morningdeck.waiting_lists import GRACE, MOST_COUNTED, MOST_LISTS, WaitingLists
from tests.conftest import NOW

APART = timedelta(seconds=10)


def wait(lists: WaitingLists, who: str, now: datetime = NOW) -> timedelta:
    return lists.put_down("host", who, now, now, APART) - now


def test_those_behind_move_up_when_somebody_waits_no_longer() -> None:
    lists = WaitingLists()
    assert [wait(lists, who) for who in "abc"] == [APART * 0, APART * 1, APART * 2]

    lists.strike_off("host", "a")

    assert [wait(lists, who) for who in "cb"] == [APART, APART * 0]


def test_nobody_waits_behind_one_who_never_comes_back() -> None:
    lists = WaitingLists()
    for who in "abc":
        wait(lists, who)

    assert wait(lists, "c", NOW + GRACE) == 2 * APART
    assert wait(lists, "c", NOW + GRACE + timedelta(seconds=1)) == APART


def test_who_would_not_wait_so_long_is_not_listed() -> None:
    lists = WaitingLists()
    for who in "abc":
        wait(lists, who)

    assert lists.put_down("host", "d", NOW, NOW, APART, 2 * APART) == NOW + 3 * APART
    assert wait(lists, "e") == 3 * APART
    assert lists.put_down("host", "d", NOW, NOW, APART, 4 * APART) == NOW + 4 * APART
    assert wait(lists, "f") == 5 * APART
    assert lists.put_down("host", "d", NOW, NOW, APART, timedelta(0)) == NOW + 4 * APART
    assert wait(lists, "f") == 4 * APART


def test_a_newcomer_leaves_the_host_to_those_who_are_expected() -> None:
    lists = WaitingLists()
    wait(lists, "a")
    wait(lists, "b")

    def first(who: str, seconds: float) -> bool:
        return not lists.others_first("host", who, NOW + timedelta(seconds=seconds), APART)

    assert first("a", 0)
    assert not first("new", 0)
    assert not first("b", 9)
    assert first("b", 10)  # the time that b was told, whoever is late
    assert not first("new", 10)
    assert first("new", 20.1)


def test_a_newcomer_takes_the_host_where_nobody_is_expected_for_long() -> None:
    lists = WaitingLists()
    lists.put_down("host", "a", NOW, NOW + 2 * APART, APART)

    assert not lists.others_first("host", "new", NOW, APART)
    assert lists.others_first("host", "new", NOW + timedelta(seconds=1), APART)
    assert not lists.others_first("else", "new", NOW, APART)


def test_hosts_have_lists_of_their_own() -> None:
    lists = WaitingLists()
    wait(lists, "a")

    assert lists.put_down("other", "b", NOW, NOW, APART) == NOW


def test_a_list_without_end_is_not_counted_to_its_end() -> None:
    lists = WaitingLists()
    for number in range(MOST_COUNTED):
        wait(lists, str(number))

    assert wait(lists, "late") == wait(lists, "later") == MOST_COUNTED * APART


def test_lists_on_which_nobody_waits_any_more_are_forgotten() -> None:
    lists = WaitingLists()
    for number in range(MOST_LISTS):
        lists.put_down(str(number), "a", NOW, NOW, APART)

    wait(lists, "a", NOW + timedelta(hours=1))

    assert len(lists) == 1
