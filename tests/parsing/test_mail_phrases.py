"""The phrases of letters, as the file lists them: each is one, and means what its list says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from morningdeck.parsing import mail_phrases
from morningdeck.parsing.mail_phrases import any_of
from morningdeck.parsing.newsletter import FOOT, IN_BROWSER

LISTED = tomllib.loads(Path(mail_phrases.__file__).with_suffix(".toml").read_text("utf-8"))
ORDINARY = (
    "The port reopened its largest quay today",
    "Ministers agree on a common energy market",
    "Der Hafen hat heute seinen größten Kai wieder eröffnet",
    "Le port a rouvert son plus grand quai mardi",
    "El puerto abrió el martes su muelle más grande",
    "Il porto ha riaperto martedì la sua banchina più grande",
    "De haven heeft dinsdag zijn grootste kade heropend",
    "O porto reabriu na terça-feira o seu maior cais",
)


@pytest.mark.parametrize("kind", LISTED)
def test_every_phrase_can_be_looked_for_and_never_is_nothing(kind: str) -> None:
    for phrase in LISTED[kind]:
        assert re.compile(phrase).fullmatch("") is None, phrase
    assert len(LISTED[kind]) == len(set(LISTED[kind]))
    assert re.fullmatch(any_of(kind), "") is None


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("foot", "Unsubscribe from this list"),
        ("foot", "Hier können Sie sich abmelden"),
        ("foot", "Se désabonner"),
        ("foot", "Darse de baja"),
        ("foot", "Annulla l’iscrizione"),
        ("foot", "Afmelden"),
        ("foot", "Cancelar a subscrição"),
        ("in_browser", "View this email in your browser"),
        ("in_browser", "Im Browser ansehen"),
        ("in_browser", "Voir dans le navigateur"),
        ("in_browser", "Ver en el navegador"),
        ("in_browser", "Apri nel browser"),
        ("in_browser", "Bekijk in de browser"),
        ("in_browser", "Ver no navegador"),
    ],
)
def test_what_letters_say_is_known_in_each_language_that_is_read(kind: str, text: str) -> None:
    found = {"foot": FOOT, "in_browser": IN_BROWSER}[kind]

    assert found.search(text)
    assert re.search(any_of(kind), text, re.I)


@pytest.mark.parametrize("kind", ["in_browser", "foot", "away", "returned"])
def test_an_ordinary_headline_says_nothing_of_that(kind: str) -> None:
    assert not [text for text in ORDINARY if re.search(any_of(kind), text, re.I)]
