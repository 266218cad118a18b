"""Translations that may be ones, and others that may not."""

from __future__ import annotations

import pytest

from morningdeck.enrichers.faithful import Original

FAITHFUL = [
    (
        "es",
        "en",
        "El Gobierno de España aprueba 1.500 millones para la vivienda en Sevilla",
        "The government of Spain approves 1,500 million for housing in Seville",
    ),
    (
        "de",
        "en",
        "Die Bundesregierung in Berlin senkt die Steuern für Österreich nicht, sagte Kanzler Merz",
        "The federal government in Berlin is not lowering taxes for Austria, Chancellor Merz said",
    ),
    (
        "de",
        "en",
        "Gericht in Köln verurteilt Trainer zu 3 Jahren Haft",
        "Court in Cologne sentences coach to three years in prison",
    ),
    (
        "fr",
        "de",
        "Le Premier ministre Michel Barnier a rencontré Giorgia Meloni à Rome mardi",
        "Premierminister Michel Barnier traf Giorgia Meloni am Dienstag in Rom",
    ),
    (
        "en",
        "de",
        "Supreme Court Rejects Appeal By Texas Governor",
        "Oberstes Gericht weist Berufung des Gouverneurs von Texas zurück",
    ),
    (
        "en",
        "fr",
        "The Bank of England kept interest rates at 4.25% on Thursday",
        "La Banque d'Angleterre a maintenu ses taux à 4,25 % jeudi",
    ),
    (
        "en",
        "es",
        "Germany and the United States sign a trade deal worth $20 billion",
        "Alemania y Estados Unidos firman un acuerdo comercial de 20 mil millones de dólares",
    ),
    (
        "ja",
        "en",
        "日本銀行は政策金利を0.5%に引き上げた",
        "The Bank of Japan raised its policy rate to 0.5%",
    ),
    (
        "nl",
        "en",
        "Rechter in Den Haag verbiedt bouw van 40 windmolens",
        "Judge in The Hague bans construction of 40 wind turbines",
    ),
    (
        "en",
        "nl",
        "France, Germany and Poland agree on EU budget",
        "Frankrijk, Duitsland en Polen eens over EU-begroting",
    ),
    (
        "en",
        "it",
        "Ukraine says Russian drones hit Kyiv overnight, killing 12",
        "L'Ucraina: droni russi hanno colpito Kiev nella notte, 12 morti",
    ),
    (
        "es",
        "pt",
        "La Corte Suprema de Brasil ordena la detención de Bolsonaro",
        "O Supremo Tribunal do Brasil ordena a detenção de Bolsonaro",
    ),
]
SPANISH = "El Gobierno de España aprueba 1.500 millones para la vivienda en Sevilla"
FRENCH = "Le Premier ministre Michel Barnier a rencontré Giorgia Meloni à Rome mardi"


@pytest.mark.parametrize(("language", "target", "text", "told"), FAITHFUL)
def test_a_translation_keeps_numbers_and_names(
    language: str, target: str, text: str, told: str
) -> None:
    assert Original([text], language, target).is_told_by(told, text)


@pytest.mark.parametrize(
    "told",
    [
        "",
        "The government of Spain approves 2,500 million for housing in Seville",
        "The government of Spain approves millions for housing in Seville",
        "The government of Spain and Karl Evil approve 1,500 million for housing in Seville",
        "The government of Portugal approves 1,500 million for housing in Seville",
        "The government of Spain approves 1,500 million, see evil.example",
        "<b>The government of Spain</b> approves 1,500 million for housing in Seville",
        "El Gobierno de España aprueba 1.500 millones de euros para la vivienda en Sevilla",
        "Spain: 1,500",
        f"{'The government approves the housing of the people and of others. ' * 6} 1,500",
    ],
)
def test_what_adds_or_changes_or_drops_is_none(told: str) -> None:
    assert not Original([SPANISH], "es", "en").is_told_by(told, SPANISH)


def test_in_german_the_names_of_the_original_have_to_stand() -> None:
    other = "Premierminister Emmanuel Macron traf Giorgia Meloni am Dienstag in Rom"

    assert not Original([FRENCH], "fr", "de").is_told_by(other, FRENCH)


def test_a_title_may_name_what_its_summary_says() -> None:
    title, told = "El Gobierno aprueba la ley", "The government of Pedro Sánchez passes the law"

    assert not Original([title], "es", "en").is_told_by(told, title)
    whole = [title, "Pedro Sánchez defendió la ley en el Congreso."]
    assert Original(whole, "es", "en").is_told_by(told, title)
