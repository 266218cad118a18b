"""What is kept of a password, and who knows it."""

from __future__ import annotations

import pytest

from morningdeck import passwords
from morningdeck.errors import ConfigError, TransientError

GOOD = "a few good words"


def test_only_the_same_password_fits() -> None:
    kept = passwords.hashed(GOOD)

    assert passwords.fits(kept, GOOD)
    assert [passwords.fits(kept, other) for other in ("", GOOD + " ", GOOD.upper())] == [False] * 3


def test_it_is_kept_by_argon2id_with_a_salt_of_its_own() -> None:
    one, other = passwords.hashed(GOOD), passwords.hashed(GOOD)

    assert one.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert one != other
    assert GOOD not in one


@pytest.mark.parametrize("kept", [None, "", "!", "$argon2id$broken"])
def test_nothing_fits_where_no_password_is_kept(kept: str | None) -> None:
    assert not passwords.fits(kept, GOOD)
    assert not passwords.fits(kept, "nobody has this one")


def test_no_more_than_two_are_worked_on_at_once() -> None:
    """Nor does anybody wait for long: who waits holds a thread."""
    with passwords._Turn(), passwords._Turn(), pytest.raises(TransientError, match="too many"):
        passwords.hashed(GOOD)

    assert passwords.hashed(GOOD)


@pytest.mark.parametrize("odd", ["\ud800" * 3 + "abcdefgh", "päßwörter 密碼", "\0" + GOOD])
def test_any_signs_make_a_password(odd: str) -> None:
    assert passwords.fits(passwords.hashed(odd), odd)


@pytest.mark.parametrize(
    ("password", "told"),
    [
        ("short", "needs 10 characters"),
        ("x" * 501, "at most 500"),
        ("aaaaaaaaaaaab", "too easy"),
        ("ADA@example.org", "too easy"),
    ],
)
def test_what_is_soon_guessed_is_refused(password: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        passwords.check_good(password, "ada@example.org")
