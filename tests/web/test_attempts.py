"""How often a login may fail."""

from __future__ import annotations

from morningdeck.web.buckets import MOST_BUCKETS, Buckets
from morningdeck.web.pages.attempts import FAILURES_AT_ONCE, Attempts

ADA = "ada@example.org"


class Seconds:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_attempts_come_back_one_a_minute() -> None:
    clock = Seconds()
    attempts = Attempts(clock)
    for _ in range(FAILURES_AT_ONCE):
        assert attempts.begin("192.0.2.1", ADA).allowed

    refused = attempts.begin("192.0.2.1", ADA)
    assert (refused.allowed, refused.wait_seconds) == (False, 60)

    clock.now = 60
    assert attempts.begin("192.0.2.1", ADA).allowed
    assert not attempts.begin("192.0.2.1", ADA).allowed


def test_whoever_is_refused_for_an_address_uses_up_nothing_of_the_account() -> None:
    attempts = Attempts(Seconds())
    for n in range(FAILURES_AT_ONCE + 5):
        attempts.begin("192.0.2.1", f"{n}@example.org")
    for _ in range(50):
        attempts.begin("192.0.2.1", ADA)

    assert attempts.begin("192.0.2.2", ADA).allowed


def test_many_made_up_names_make_nobody_forget_a_guess() -> None:
    """From an address that may try nothing any more, which costs next to nothing."""
    attempts = Attempts(Seconds())
    for n in range(FAILURES_AT_ONCE):
        attempts.begin(f"192.0.2.{n}", ADA)
    for n in range(MOST_BUCKETS + 20):
        attempts.begin("198.51.100.1", f"{n}@example.org")

    assert not attempts.begin("192.0.2.200", ADA).allowed


def test_an_account_is_not_guessed_from_many_addresses_either() -> None:
    attempts = Attempts(Seconds())
    for n in range(FAILURES_AT_ONCE):
        assert attempts.begin(f"192.0.2.{n}", ADA).allowed

    assert not attempts.begin("192.0.2.200", ADA).allowed
    assert attempts.begin("192.0.2.200", "eve@example.org").allowed


def test_addresses_of_ipv4_are_apart_as_a_socket_for_both_kinds_tells_them() -> None:
    attempts = Attempts(Seconds())
    for n in range(10):
        attempts.begin("::ffff:198.51.100.1", f"{n}@example.org")

    assert not attempts.begin("198.51.100.1", ADA).allowed
    assert attempts.begin("::ffff:198.51.100.2", ADA).allowed


def test_all_addresses_of_one_network_of_ipv6_are_one() -> None:
    attempts = Attempts(Seconds())
    for n in range(FAILURES_AT_ONCE):
        attempts.begin(f"2001:db8::{n:x}", f"{n}@example.org")

    assert not attempts.begin("2001:db8::ffff", ADA).allowed
    assert attempts.begin("2001:db8:0:1::1", ADA).allowed


def test_buckets_do_not_fill_the_memory() -> None:
    buckets = Buckets(1, 1, Seconds())
    for n in range(2 * MOST_BUCKETS):
        assert buckets.take(n)

    assert len(buckets._left) == MOST_BUCKETS
