"""What themes are called."""

from __future__ import annotations

import itertools

from morningdeck.enrichers.theme_labels import ThemeLabels
from morningdeck.model.themes import ThemeText

_ids = itertools.count(1)


def told(*titles: str, names: tuple[str, ...] = (), language: str = "en") -> list[ThemeText]:
    """A story for each title."""
    numbers = (next(_ids) for _ in titles)
    return [
        ThemeText(number, number, title, names, language)
        for number, title in zip(numbers, titles, strict=True)
    ]


OTHERS = told(
    "Museum returns bronzes to Benin",
    "Glacier retreats by sixty metres",
    "Orchestra strikes over unpaid tours",
    "Railway tunnel under the fjord dug",
    "Startup prints houses from clay",
    "Vaccine against malaria costs less",
)
ENGLAND = told(
    "Bank of England raises its rate",
    "What the Bank of England fears",
    "Pound falls after word from the Bank of England",
)


def name_of(texts: list[ThemeText], before: str = "") -> str | None:
    label = ThemeLabels([texts], OTHERS).label(texts, before)
    return None if label is None else label.text


def test_a_name_that_most_stories_share_is_taken_whole() -> None:
    assert name_of(ENGLAND) == "Bank of England"


def test_a_second_term_says_which_of_it() -> None:
    coffee = [
        *told("Frost harms the crop", "Crop is late", names=("coffee", "Brazil")),
        *told("Prices are up", names=("coffee",)),
    ]

    assert name_of(coffee) == "Coffee, Brazil"


def test_one_word_in_two_forms_is_no_second_term() -> None:
    both = ("Canada", "Canadian")
    assert name_of(told("Lumber pact", "Pig trade", "Corn duty", names=both)) in both


def test_verbs_of_headlines_are_no_names() -> None:
    assert name_of(told("Cathay sees growth", "Tofutti sees profit", "Buckhorn sees sales")) is None


def test_what_has_nothing_in_common_has_no_name() -> None:
    assert name_of(OTHERS[:3]) is None


def test_what_all_themes_speak_of_names_none_of_them() -> None:
    themes = [told("A 1", "A 2", "A 3", names=("news", name)) for name in ("coffee", "chess")]
    labels = ThemeLabels(themes, [])

    assert [labels.label(those) and labels.label(those).text for those in themes] == [  # type: ignore[union-attr]
        "Coffee",
        "Chess",
    ]


def test_the_name_before_stays_while_it_is_a_good_one() -> None:
    texts = told("Frost", "Rain", "Hail", names=("coffee", "arabica"))

    assert name_of(texts, before="Arabica") == "Arabica"
    assert name_of(texts, before="Arabica, coffee") == "Arabica, coffee"
    assert name_of(texts, before="Tea") != "Tea"
    assert name_of(texts, before="Arabica, tea") != "Arabica, tea"


def test_themes_with_the_same_first_term_are_known_as_one() -> None:
    one, other = (
        told("Frost", "Rain", names=("coffee",)),
        told("A fair", "A cup", names=("Coffee",)),
    )
    labels = ThemeLabels([one, other], OTHERS)
    first, second = labels.label(one), labels.label(other)

    assert first is not None
    assert second is not None
    assert first.main == second.main


def test_an_address_is_no_name_nor_is_what_stands_in_it() -> None:
    secret = "https://example.org/?token=geheim"
    assert name_of(told(secret, secret, secret, names=(secret,))) is None


def test_what_many_tell_counts_once() -> None:
    story = [ThemeText(n, 7, "Titanfall is out", ("Titanfall",), "en") for n in range(100, 140)]

    assert name_of([*story, *told("Rain", "Snow", "Hail", names=("weather",))]) == "Weather"


def test_any_language_and_any_text_is_borne() -> None:
    for text in ("", "\0" * 9, "漢字" * 200, "🎉 🎉", "ß" * 5_000, "a" * 100_000, "\ud800"):
        name_of(told(text, text, text, names=(text,), language="xx"))
    assert name_of(told("Die Ernte", "Die Fracht", "Der Preis", names=("Kaffee",), language="de"))


def test_a_part_with_more_stories_than_were_sampled_has_a_name_too() -> None:
    sampled = told("Frost", "Rain", names=("coffee",))
    part = told(*(f"Harvest {n}" for n in range(9)), names=("arabica",))

    label = ThemeLabels([sampled], []).label(part)

    assert label is not None
    assert label.text == "Arabica"
