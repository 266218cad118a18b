"""What is known of a model: how it counts, how much it takes, how it wants to be asked."""

from __future__ import annotations

import pytest

from morningdeck.endpoint.acquaintance import FEW_TOKENS, SMALLEST_WINDOW, SURE_AFTER, Acquaintance
from morningdeck.endpoint.dialect import Dialect, Manner

STRICT = Dialect()
Learned = list[tuple[Manner, Manner]]


@pytest.fixture
def learned() -> Learned:
    return []


@pytest.fixture
def known(learned: Learned) -> Acquaintance:
    def learn(before: Dialect, after: Dialect) -> None:
        learned.append((before.manner, after.manner))

    return Acquaintance("small", STRICT, 16_000, learn)


def test_a_looser_manner_is_learned_when_it_has_mended_three_in_a_row(
    known: Acquaintance, learned: Learned
) -> None:
    for _ in range(SURE_AFTER - 1):
        known.fitted(Manner.JSON)
    known.fitted(Manner.SCHEMA)
    for _ in range(SURE_AFTER - 1):
        known.fitted(Manner.JSON)
    assert (known.dialect, learned) == (STRICT, [])

    known.fitted(Manner.JSON)
    known.fitted(Manner.JSON)

    assert learned == [(Manner.SCHEMA, Manner.JSON)]
    assert known.dialect.manner is Manner.JSON


def test_its_tokens_are_counted_rather_too_many_than_too_few(known: Acquaintance) -> None:
    assert known.ratio == 1.0

    known.counted(1_000, 800)
    careful = known.ratio
    known.counted(1_000, 1_600)
    dear = known.ratio
    known.counted(1_000, 800)

    assert 0.8 < careful < 1.0
    assert dear > 1.6
    assert careful < known.ratio < dear, "one sparse text does not make the next one sparse"


def test_no_count_is_believed_beyond_reason(known: Acquaintance) -> None:
    known.counted(1_000, 1)
    assert known.ratio == 0.5
    known.counted(1_000, 10**9)
    assert known.ratio == 3.0


def test_a_count_far_too_small_tells_the_window(known: Acquaintance) -> None:
    assert known.counted(8_000, 7_000)

    assert not known.counted(8_000, 4_000)

    assert known.window == 4_000
    assert known.ratio == pytest.approx(7 / 8 * 1.1), "what it cut says nothing of how it counts"


def test_of_a_short_prompt_no_count_tells_anything(known: Acquaintance) -> None:
    assert known.counted(FEW_TOKENS - 1, 10)
    assert known.window == 16_000


def test_no_window_is_taken_for_smaller_than_any_is(known: Acquaintance) -> None:
    known.counted(8_000, 10)
    assert known.window == SMALLEST_WINDOW

    known.overflowed(2_000)
    assert known.window == SMALLEST_WINDOW


def test_a_refused_prompt_makes_the_next_one_shorter_and_never_longer(known: Acquaintance) -> None:
    known.overflowed(10_000)
    assert known.window == 6_000

    known.overflowed(12_000)
    assert known.window == 6_000


def test_one_who_thinks_aloud_gets_more_room_but_never_most_of_the_window(
    known: Acquaintance,
) -> None:
    assert known.tokens_out(200, more=False) == 200
    assert known.tokens_out(200, more=True) == 800

    known.window = 1_000
    assert known.tokens_out(200, more=True) == 500
    assert known.tokens_out(600, more=True) == 600
