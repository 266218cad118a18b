"""Keys to the interface, at the command line."""

from __future__ import annotations

from tests.cli.conftest import Terminal


def test_a_token_is_told_once_and_ended_by_its_id(terminal: Terminal) -> None:
    made = terminal.json("user", "token", "me@localhost", "--name", "phone", "--scope", "write")
    assert made["token"].startswith("mdk_")

    (listed,) = terminal.json("user", "tokens", "me@localhost")
    assert listed == {name: value for name, value in made.items() if name != "token"}
    assert terminal.json("user", "revoke", str(made["id"])) == listed

    assert terminal.json("user", "tokens", "me@localhost") == []
    assert terminal("user", "revoke", str(made["id"])).code == 1


def test_people_are_told_that_it_is_shown_once(terminal: Terminal) -> None:
    ended = terminal("user", "token", "me@localhost", "--name", "phone")

    assert "scope" in ended.out
    assert "only time" in ended.err


def test_an_admins_token_is_for_admins(terminal: Terminal) -> None:
    terminal.json("user", "add", "ada@example.org")

    ended = terminal("user", "token", "ada@example.org", "--name", "phone", "--scope", "admin")

    assert ended.code == 2
    assert "is no admin" in ended.err
