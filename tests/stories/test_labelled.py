"""The figures that are promised, on texts that people have labelled."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from tests.quality import similar, themes
from tests.quality.copies import plant
from tests.quality.figures import Figures
from tests.quality.stories import bcubed, headlines, near_duplicates, newswire, placed, planted


def test_headlines_are_one_story_or_one_subject_where_people_say_so(corpora: Path) -> None:
    rows = headlines(corpora)

    desk = placed(row["title"] for row in rows)

    labels = [row["story"] for row in rows]
    story, subject = bcubed(desk.stories, labels), bcubed(desk.subjects, labels)
    print(f"same story {story}; same subject {subject}")
    assert story.precision >= 0.93
    assert story.f1 >= 0.66
    assert subject.f1 >= 0.82


def test_all_near_duplicates_are_found_and_nothing_else(corpora: Path) -> None:
    pairs, found, false = near_duplicates(corpora)

    assert (found, false) == (pairs, 0)


def test_of_a_hundred_articles_hardly_a_copy_is_left_and_no_two_are_merged(corpora: Path) -> None:
    articles = plant(newswire(corpora, Random(1)), 10, Random(1))

    seen = planted(articles)

    assert (len(articles), seen.merged) == (100, 0)
    assert seen.left.total() < 3


@pytest.mark.usefixtures("corpora")
@pytest.mark.parametrize("measured", [similar, themes])
def test_more_like_this_and_topics_hold_their_figures(measured: ModuleType) -> None:
    figures = Figures()

    measured.run(figures)

    assert figures.hold
