"""What makes an item part of a story, and what must not."""

from __future__ import annotations

import pytest

from tests.quality.stories import Desk, likeness_of

REPORT = " ".join(f"The {n}th ship of the year took {n * 7} containers aboard." for n in range(40))


def stories_of(*told: tuple[str, ...]) -> list[int]:
    """The story of each (title, text, address), in the order of their arrival."""
    desk = Desk()
    for one in told:
        desk.place(likeness_of(*one))
    return desk.stories


def same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    first, second = stories_of(one, other)
    again, before = stories_of(other, one)
    assert (first == second) is (again == before)
    return first == second


def test_one_address_is_one_story_whatever_the_titles() -> None:
    url = "https://example.org/news/4711"

    assert same(("Bridge opens", "", url), ("12 things to know today", "", url))


@pytest.mark.parametrize("url", ["https://example.org", "https://example.org/", ""])
def test_a_front_page_as_address_says_nothing(url: str) -> None:
    assert not same(("Bridge opens", "", url), ("Chess world cup begins", "", url))


def test_identical_texts_are_one_story_even_if_a_number_differs() -> None:
    assert same(("Ships in Q2", REPORT), ("Ships in Q3", REPORT))


def test_the_same_filler_instead_of_a_text_is_no_story() -> None:
    assert not same(("Bridge opens", "Comments"), ("Chess begins", "Comments"))


def test_a_few_changed_words_are_the_same_text() -> None:
    changed = REPORT.replace("The 3th ship", "One more ship") + " Corrected version."

    assert same(("The year in ships", REPORT), ("Many ships, many boxes", changed))


CONSENT = "Before you continue: we and our 812 partners store cookies on your device. " * 12
TITLES = (
    "Harbour opens to ferries",
    "Council votes on bridge",
    "Chess world cup begins",
    "Rain delays the harvest",
    "New tram line planned",
)


def test_five_articles_behind_one_consent_page_are_five_stories() -> None:
    told = [(title, CONSENT, f"https://news.example/{n}") for n, title in enumerate(TITLES)]

    assert len(set(stories_of(*told))) == 5


def test_so_they_are_where_the_page_repeats_their_titles() -> None:
    told = [
        (title, f"{title}\n{title} is for readers.\n{CONSENT}", f"https://news.example/{n}")
        for n, title in enumerate(TITLES)
    ]

    assert len(set(stories_of(*told))) == 5


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("TernDB 4.1 released: faster joins", "TernDB 4.2 released: faster joins"),
        ("Container traffic up 6 percent in Q2", "Container traffic up 9 percent in Q3"),
        ("Quake kills 5 in Chile", "Quake kills 7 in Chile"),
        ("Exchange rates for Monday", "Exchange rates for Tuesday"),
        ("Money supply in January", "Money supply in February"),
    ],
)
def test_titles_that_differ_in_a_number_or_a_date_are_two_stories(one: str, other: str) -> None:
    assert not same((one,), (other,))


def test_a_report_of_the_same_name_with_other_figures_is_another() -> None:
    first, second = (
        f"Cold storage report: little effect\nCold storage held {n} tons of Brazilian beef, {n + 7}"
        f" of Danish pork and {n * 3} of Polish ham, said {who} of Rotterdam. Effect: {n * 5}."
        for n, who in ((311, "Jansen"), (498, "de Vries"))
    )

    assert not same(
        ("Cold storage report: little effect", first),
        ("Cold storage report: little effect", second),
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Sbarro pizza chain files for bankruptcy",
            "Pizza chain Sbarro files for bankruptcy again",
        ),
        ("EU approves offshore wind farm in the North Sea", "North Sea wind farm approved by EU"),
        (
            "Quay 9 reopens with shore power for visiting ships",
            "Quay 9 reopens after 14 months with shore power for ships",
        ),
    ],
)
def test_one_event_told_differently_is_one_story(one: str, other: str) -> None:
    assert same((one,), (other,))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("EU approves offshore wind farm", "Striker scores twice in cup final"),
        ("Heat pumps pass boilers for the first time", "Tug moves satellite for the first time"),
        ("Das Hochbeet im Herbst", "Die Klappbrücke im Hafen"),
        (
            "Unfall in Lüttenhafen: zwei Verletzte",
            "Lüttenhafen: Einbruch im Rathaus, Täter fliehen",
        ),
        ("Incendio en Valencia deja dos heridos", "El Valencia ficha a un delantero"),
        ("", ""),
        ("🎉", "🎉🎉"),
    ],
)
def test_different_events_are_different_stories(one: str, other: str) -> None:
    assert not same((one,), (other,))


def test_two_stories_become_one_when_a_third_item_tells_both() -> None:
    here, there = "https://news.example/1", "https://other.example/2"
    one, other = ("The year in ships", "", here), ("Many ships, many boxes", REPORT, there)

    assert len(set(stories_of(one, other))) == 2
    assert len(set(stories_of(one, other, ("A year of ships", REPORT, here)))) == 1


def test_one_subject_holds_several_stories() -> None:
    desk = Desk()
    for title in (
        "General Motors recalls 1.6 million cars over ignition switch",
        "Senate panel to probe recall by General Motors",
        "Striker scores twice in cup final",
    ):
        desk.place(likeness_of(title))

    assert len(set(desk.stories)) == 3
    assert desk.subjects[0] == desk.subjects[1] != desk.subjects[2]
