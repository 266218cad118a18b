"""What things are called in other languages."""

from __future__ import annotations

import pytest

from morningdeck.exonyms import beginning, exonyms


def called_alike(one: str, other: str, *languages: str) -> bool:
    called = exonyms(*languages)
    nothing: frozenset[str] = frozenset()
    return bool(called.get(beginning(one), nothing) & called.get(beginning(other), nothing))


@pytest.mark.parametrize(
    ("one", "other", "languages"),
    [
        ("Allemagne", "Germany", ("fr", "en")),
        ("allemande", "German", ("fr", "en")),
        ("Wien", "Vienna", ("de", "en")),
        ("martes", "Tuesday", ("es", "en")),
        ("Köln", "Cologne", ("de", "en")),
        ("OTAN", "NATO", ("es", "de")),
        ("Österreich", "Austria", ("de", "pt")),
    ],
)
def test_a_thing_has_a_name_in_each_language(
    one: str, other: str, languages: tuple[str, str]
) -> None:
    assert called_alike(one, other, *languages)


def test_other_things_have_other_names() -> None:
    assert not called_alike("Allemagne", "Austria", "fr", "en")
    assert not called_alike("martes", "Monday", "es", "en")
    assert not called_alike("Quux", "Germany", "xx-nowhere", "en")
