"""Signatures: of one key, one purpose, one thing."""

from __future__ import annotations

from morningdeck.signing import Signer


def test_a_signature_is_of_one_key_one_purpose_and_one_thing() -> None:
    signer, other = Signer(lambda: b"a" * 32), Signer(lambda: b"b" * 32)
    made = signer.sign("unsubscribe", 7, "ada@example.org")

    assert signer.signed(made, "unsubscribe", 7, "ada@example.org")
    assert not other.signed(made, "unsubscribe", 7, "ada@example.org")
    assert not signer.signed(made, "like", 7, "ada@example.org")
    assert not signer.signed(made, "unsubscribe", 71, "da@example.org")
    assert not signer.signed(made, "unsubscribe", 7)
    for wrong in ("", made[:-1], made + "A", "é", "\ud800"):
        assert not signer.signed(wrong, "unsubscribe", 7, "ada@example.org")


def test_names_differ_between_decks_and_kinds() -> None:
    signer, other = Signer(lambda: b"a" * 32), Signer(lambda: b"b" * 32)

    names = {one.name_of(kind, 7) for one in (signer, other) for kind in ("briefing", "report")}
    assert len(names) == 4
    assert signer.name_of("report", 7) == Signer(lambda: b"a" * 32).name_of("report", 7)
