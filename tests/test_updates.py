"""What counts as news of a story that was told."""

from __future__ import annotations

import pytest

from morningdeck.updates import whats_new

TOLD = """Ferry runs aground off Harwich
The Harwich ferry Stena Hollandica ran aground on Monday with 412 people aboard.
The coastguard said that nobody was hurt, and tugs from Felixstowe were on their way."""


def test_the_same_facts_in_other_words_are_nothing_new() -> None:
    assert whats_new("All 412 passengers of the Stena Hollandica are safe off Harwich.", TOLD) == ""


def test_new_names_and_numbers_are_news_and_old_sentences_are_left_out() -> None:
    first = "The coastguard said that nobody was hurt."
    second = "Transport secretary Lucy Powell ordered a review of all 31 crossings."

    assert whats_new(f"{first} {second}", TOLD) == second


@pytest.mark.parametrize("who", ["He", "Sie", "Elle"])
def test_a_sentence_that_leans_brings_the_one_before_it(who: str) -> None:
    known = "The Stena Hollandica is off Harwich."
    new = f"{who} will inspect the tugs Svitzer Kent and Lady Sarah for 9 hours."
    more = "Secretary Lucy Powell ordered a review of all 31 crossings."

    assert whats_new(f"{known} {new} {more}", TOLD) == f"{known} {new}"
    assert whats_new(f"{more} {known} {new}", TOLD) == more


def test_a_title_before_a_name_ends_no_sentence() -> None:
    new = "Jurors in the trial of Sen. Bob Menendez and Gov. Ann Lee met in Newark for 9 hours."

    assert whats_new(new, TOLD) == new


def test_no_more_than_two_sentences_say_it() -> None:
    found = whats_new(
        "In Hull the Humber Queen was held. In Dover the Pride Kent was held."
        " In Tyne the Amsterdam Bay was held.",
        TOLD,
    )
    assert found == "In Hull the Humber Queen was held. In Dover the Pride Kent was held."


def test_one_new_name_among_known_ones_is_too_little() -> None:
    assert whats_new("The Stena Hollandica left Harwich on Monday, Sky reports.", TOLD) == ""


def test_in_german_another_noun_is_no_name() -> None:
    told = "Die Fähre lief am Montag vor Harwich auf Grund. Niemand wurde verletzt."
    reworded = "Das Schiff kam am Montag vor der Küste von Harwich zum Stehen, ohne Verletzte."

    assert whats_new(reworded, told, "de") == ""
    assert whats_new("Die Zahl der Verletzten stieg auf 40.", told, "de") != ""


@pytest.mark.parametrize("text", ["", "...", "?!", "A.", "一\u3002二\u3002", "Dr. A. B. C."])
def test_of_little_text_nothing_is_new(text: str) -> None:
    assert whats_new(text, "") == ""


def test_what_was_never_told_is_new_in_any_script() -> None:
    assert whats_new("\u6e2f\u306f2026\u5e745\u6708\u306b\u958b\u304f\u3002", "") != ""
