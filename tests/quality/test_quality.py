"""The yardsticks themselves: small cases that can be worked out by hand."""

from __future__ import annotations

import math

import pytest

from tests.quality import __main__ as command
from tests.quality.bm25 import PlainBM25
from tests.quality.figures import Figures
from tests.quality.ranking import average_precision, precision_at, ranked
from tests.quality.search import gain


def test_an_order_is_as_good_as_what_stands_first() -> None:
    assert average_precision([1, 2, 3, 4], {1, 2}) == 1
    assert average_precision([3, 1, 4, 2], {1, 2}) == pytest.approx((1 / 2 + 2 / 4) / 2)
    assert average_precision([3, 4], {1}) == 0
    assert precision_at(2, [3, 1, 4], {1, 4}) == 0.5


def test_a_search_gains_most_by_what_stands_first() -> None:
    assert gain([1, 2, 3], {1, 2}) == 1
    assert gain([3, 1], {1}) == pytest.approx(1 / math.log2(3))
    assert gain([*range(20)], {*range(5, 40)}) < gain([*range(5, 25)], {*range(5, 40)}) == 1
    assert gain([], {1}) == 0


def test_of_equal_scores_the_last_that_came_stands_first() -> None:
    assert ranked({7: 1.0, 8: 2.0, 9: 1.0}) == [8, 9, 7]


def test_plain_bm25_wants_rare_words_in_short_texts() -> None:
    texts = ["the port", "the port and the sea and the wind", "the sea", "the wind"]

    scores = PlainBM25(texts).scores("The PORT?")

    assert scores[0] > scores[1] > scores[2] == scores[3] > 0


def test_a_missed_goal_is_told_and_remembered() -> None:
    told: list[str] = []
    figures = Figures(told.append)
    figures.at_least("order", 0.9, 0.8, rival=0.7, name="plain")
    figures.beside("without a goal", 3)
    assert figures.hold

    figures.at_most("mistakes", 2, 0)

    assert not figures.hold
    assert told[-1].split() == ["mistakes", "2", "<=", "0", "MISSED"]
    first = figures.table().splitlines()[1].split()
    assert first == ["order", "0.900", ">=", "0.800", "0.700", "plain", "ok"]


def test_what_is_not_measured_is_a_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(["nonsense"])

    assert ended.value.code == 2
    assert "nothing is called nonsense" in capsys.readouterr().err
