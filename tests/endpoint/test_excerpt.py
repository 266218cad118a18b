"""Long texts for small models."""

from __future__ import annotations

from morningdeck.endpoint.excerpt import LEFT_OUT, excerpt
from morningdeck.endpoint.tokens import estimate

FILLER = [
    f"Paragraph {n} tells of the weather and of nothing else at all, at length." for n in range(200)
]
LONG = "\n".join(
    ["The port reopened today.", *FILLER[:120], "The batteries store wind power.", *FILLER[120:]]
)


def test_a_text_that_fits_is_given_as_it_is() -> None:
    assert excerpt("One.\n\n\n\nTwo   words.", "", 100) == "One.\n\nTwo words."


def test_of_a_long_text_the_head_is_kept_and_what_is_near_the_wish() -> None:
    told = excerpt(LONG, "Wind power and battery storage", 1000)

    assert told.startswith("The port reopened today.")
    assert "batteries store wind power" in told
    assert LEFT_OUT in told


def test_an_excerpt_stays_in_its_room_and_in_its_order() -> None:
    told = excerpt(LONG, "weather 150", 800)

    assert estimate(told) <= 800
    pieces = [piece for piece in told.split("\n") if piece != LEFT_OUT]
    places = [LONG.replace("\n", " ").find(piece[:60]) for piece in pieces]
    assert places == sorted(places)


def test_a_text_without_sentences_is_cut_all_the_same() -> None:
    assert 0 < estimate(excerpt("x" * 100_000, "", 500)) <= 500
    assert 0 < estimate(excerpt("港" * 50_000, "港口", 500)) <= 500
