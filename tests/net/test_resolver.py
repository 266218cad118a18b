"""Names to addresses."""

from __future__ import annotations

import socket
import threading
from collections.abc import Sequence

import pytest

from morningdeck.net.resolver import Resolver, system_lookup
from morningdeck.sockets import Deadline

from .directory import Directory

SOON = 5.0


@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.1"])
def test_every_way_to_write_an_address_is_seen_through_without_a_lookup(host: str) -> None:
    directory = Directory()

    assert Resolver(directory).addresses(host, Deadline.after(SOON)) == ("127.0.0.1",)
    assert directory.asked == []


def test_an_ipv6_address_keeps_its_zone() -> None:
    assert system_lookup("fe80::1%lo", socket.AI_NUMERICHOST) == ("fe80::1%1",)
    assert system_lookup("::1", socket.AI_NUMERICHOST) == ("::1",)


def test_the_system_knows_localhost() -> None:
    assert "127.0.0.1" in Resolver().addresses("localhost", Deadline.after(SOON))


def test_a_name_is_remembered_for_a_moment() -> None:
    directory = Directory(["192.0.2.1", "192.0.2.2"])
    resolver = Resolver(directory)

    first = resolver.addresses("news.example", Deadline.after(SOON))
    again = resolver.addresses("news.example", Deadline.after(SOON))

    assert first == again == ("192.0.2.1", "192.0.2.2")
    assert directory.asked == ["news.example"]


def test_a_name_is_asked_for_again_when_the_moment_is_over() -> None:
    resolver = Resolver(Directory(["192.0.2.1"], ["192.0.2.2"]), remember_seconds=0)

    assert resolver.addresses("news.example", Deadline.after(SOON)) == ("192.0.2.1",)
    assert resolver.addresses("news.example", Deadline.after(SOON)) == ("192.0.2.2",)


def test_a_hung_lookup_is_left_behind_at_the_deadline() -> None:
    released = threading.Event()

    def hung(_: str) -> Sequence[str]:
        released.wait()
        return ("192.0.2.1",)

    with pytest.raises(TimeoutError):
        Resolver(hung).addresses("news.example", Deadline.after(0.05))
    released.set()


def test_of_very_many_addresses_only_the_first_are_kept() -> None:
    many = [f"192.0.2.{number}" for number in range(256)]

    found = Resolver(Directory(many)).addresses("news.example", Deadline.after(SOON))

    assert found == tuple(many[:16])


def test_a_name_without_address_is_an_error() -> None:
    with pytest.raises(socket.gaierror):
        Resolver(Directory([])).addresses("news.example", Deadline.after(SOON))


def test_the_error_of_a_lookup_reaches_the_one_who_asked() -> None:
    def fails(_: str) -> Sequence[str]:
        raise socket.gaierror(socket.EAI_AGAIN, "try again")

    with pytest.raises(socket.gaierror, match="try again"):
        Resolver(fails).addresses("news.example", Deadline.after(SOON))
