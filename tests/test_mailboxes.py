"""Addresses of mail: one mailbox, or none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morningdeck.mailboxes import mailbox


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("ada@example.org", "ada@example.org"),
        ("Ada Lovelace <ada@example.org>", "ada@example.org"),
        ('"Lovelace, Ada" <ada.l+news@example.org>', "ada.l+news@example.org"),
        ("ada@straße.example", "ada@xn--strae-oqa.example"),
        ("jürgen@example.org", "jürgen@example.org"),
        ('"a b"@example.org', '"a b"@example.org'),
        ("deck@localhost", "deck@localhost"),
        ("deck@[127.0.0.1]", "deck@[127.0.0.1]"),
    ],
)
def test_a_mailbox_is_read_as_people_write_it(text: str, address: str) -> None:
    assert mailbox(text).address == address


@pytest.mark.parametrize(
    "text",
    [
        *("", "ada", "@", "ada@", "@example.org", "a b@example.org", "a@b@c", "ada@exa mple.org"),
        *("a@b.example, c@d.example", "a@b.example\r\nBcc: c@d.example", "a@b.example>"),
        *("=?utf-8?q?a?= <a@b.example>", "a..b@c.example", ".a@b.example", "a" * 65 + "@b.example"),
        *("a@" + "b" * 64 + ".example", "a@b.example>\r\nRCPT TO:<c@d.example", "a\0@b.example"),
        "a@" + "b.example" * 40,
    ],
)
def test_what_is_not_one_mailbox_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="not"):
        mailbox(text)


@given(st.text(), st.text(min_size=1))
def test_no_mailbox_breaks_out_of_its_brackets(name: str, address: str) -> None:
    for text in (address, f"{name} <{address}>", f"{address}@example.org"):
        try:
            found = mailbox(text)
        except ValueError:
            continue
        assert not set(found.address) & set("<>\r\n\0") or found.local.startswith('"')
        assert "\r" not in found.address
        assert "\n" not in found.address
