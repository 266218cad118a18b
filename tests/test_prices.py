"""Prices of models: the settings' where they speak of it, else the known one, never nothing."""

from __future__ import annotations

from decimal import Decimal

import pytest

from morningdeck.model.asking import Price
from morningdeck.prices import ASSUMED, KNOWN, PriceList


def price(tokens_in: str, tokens_out: str) -> Price:
    return Price(Decimal(tokens_in), Decimal(tokens_out))


def test_a_price_is_for_a_million_tokens_and_no_part_of_a_nanodollar_is_lost() -> None:
    assert price("0.15", "0.6").of(1_000_000, 0) == 150_000_000
    assert price("0.15", "0.6").of(7, 3) == 7 * 150 + 3 * 600
    assert price("0.0001", "0").of(1, 0) == 1


@pytest.mark.parametrize(
    "model", ["gpt-4o-mini", "GPT-4o-mini", "openai/gpt-4o-mini", "gpt-4o-mini-2024-07-18"]
)
def test_a_known_model_has_its_price_under_each_of_its_names(model: str) -> None:
    assert PriceList().find(model) == KNOWN["gpt-4o-mini"]


@pytest.mark.parametrize("model", ["llama3.2", "gpt-4o-mini-realtime", "gpt-4", ""])
def test_a_price_is_not_guessed_from_a_name_like_it(model: str) -> None:
    assert PriceList().find(model) is None


def test_the_settings_say_what_their_model_costs() -> None:
    assert PriceList("gpt-4o", 0.1, 0.2).find("gpt-4o") == price("0.1", "0.2")
    assert PriceList("own", 0, 0).find("own") == price("0", "0")


def test_a_model_with_half_a_price_has_the_other_half_only_if_it_is_known() -> None:
    assert PriceList("own", 0.1).find("own") is None
    assert PriceList("gpt-4o", 0.1).find("gpt-4o") == price("0.1", "10")


def test_the_price_of_a_small_model_makes_no_large_one_cheaper() -> None:
    small = PriceList("gpt-4o-mini", 0.15, 0.6)

    assert small.find("gpt-4o") == KNOWN["gpt-4o"]
    assert small.find("unheard") == price("0.15", "0.6")


def test_what_is_assumed_is_more_than_any_known_price() -> None:
    for known in KNOWN.values():
        assert ASSUMED.tokens_in > known.tokens_in
        assert ASSUMED.tokens_out > known.tokens_out
