"""Mutants of the money that calls of models cost, and of the endpoints that are held."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

LEDGER = "morningdeck/store/rows/ledger.py"
BREAKER = "morningdeck/store/rows/breaker.py"
HOLDS = "morningdeck/holds.py"

MONEY = "tests/store/test_ledger.py"
SPENDING = "tests/store/test_spending.py"
COUNTING = f"{MONEY}::TestSqlLedger"
ENDPOINTS = "tests/store/test_breaker.py"
WAITS = "tests/test_holds.py"

OF_MONEY = (
    Mutant(
        LEDGER,
        '        where=total <= bindparam("limit"),\n',
        "",
        SPENDING,
        "test_a_budget_for_1000_calls_pays_1000_of_5000_items",
    ),
    Mutant(
        LEDGER,
        'usage_days.c.reserved_by == bindparam("token")',
        "usage_days.c.calls > 0",
        SPENDING,
        "test_a_budget_for_1000_calls_pays_1000_of_5000_items",
    ),
    Mutant(
        LEDGER,
        "cost > self._limit:",
        "False:",
        MONEY,
        "test_a_budget_of_nothing_pays_for_what_costs_nothing_and_for_nothing_else",
    ),
    Mutant(
        LEDGER,
        "        if price is None and self._budget is not None:\n",
        "        if False:\n",
        MONEY,
        "test_with_a_budget_a_model_without_a_price_is_not_asked",
    ),
    Mutant(
        LEDGER,
        '"nanodollars": cost, "price_known"',
        '"nanodollars": 0, "price_known"',
        MONEY,
        "test_a_call_that_was_never_settled_has_no_known_tokens_and_its_full_price",
    ),
    Mutant(
        LEDGER,
        '"more": cost - reservation.nanodollars',
        '"more": 0',
        COUNTING,
        "test_a_call_costs_what_it_did_cost",
    ),
    Mutant(
        LEDGER,
        '== bindparam("call_id"), model_calls.c.settled_at.is_(None))',
        '== bindparam("call_id"),)',
        COUNTING,
        "test_a_call_is_settled_once",
    ),
    Mutant(
        LEDGER,
        'usage_days.c.day == _given("day"), exists()',
        "exists()",
        MONEY,
        "test_a_call_over_midnight_costs_the_day_on_which_it_began",
    ),
    Mutant(
        LEDGER,
        '"more": -reservation.nanodollars',
        '"more": 0',
        COUNTING,
        "test_a_call_that_was_not_made_costs_nothing",
    ),
    Mutant(
        LEDGER,
        "of.took_credit and failed",
        "of.took_credit",
        MONEY,
        "test_an_item_costs_its_reader_one_credit_however_often_it_is_asked_about",
    ),
    Mutant(
        LEDGER,
        "or_(users.c.credits.is_(None), users.c.credits > 0)",
        "or_(users.c.credits.is_(None), users.c.credits > -9)",
        MONEY,
        "test_without_a_credit_no_call_is_made_and_no_money_reserved",
    ),
    Mutant(
        BREAKER,
        "endpoints.c.probe_until.is_(None),",
        "endpoints.c.probes >= 0,",
        ENDPOINTS,
        "test_after_a_hold_exactly_one_call_of_all_finds_out",
    ),
    Mutant(
        BREAKER,
        "        if held_until is None:",
        "        if True:",
        f"{ENDPOINTS}::TestSqlBreaker",
        "test_an_endpoint_is_left_alone_as_long_as_it_asks_for",
    ),
    Mutant(
        BREAKER,
        "        endpoints.c.probes == probe.probe,\n",
        "",
        ENDPOINTS,
        "test_a_probe_that_was_given_up_can_end_nothing_any_more",
    ),
    Mutant(
        BREAKER,
        "over = this.where(self._is_over(now)).values(",
        "over = this.values(",
        ENDPOINTS,
        "test_a_probe_ends_no_hold_that_was_prolonged_meanwhile",
    ),
    Mutant(
        BREAKER,
        "until = max(until, held)",
        "pass",
        ENDPOINTS,
        "test_calls_under_way_prolong_a_hold_where_they_are_asked_to_and_else_not",
    ),
    Mutant(
        BREAKER,
        "row.holds + begins",
        "row.holds",
        ENDPOINTS,
        "test_each_hold_in_a_row_is_twice_as_long_up_to_five_minutes",
    ),
    Mutant(
        BREAKER,
        "failures=0, holds=0, held_until",
        "failures=0, held_until",
        ENDPOINTS,
        "test_a_hold_after_a_success_is_short_again",
    ),
    Mutant(
        HOLDS,
        "failures >= FAILURES_ALLOWED",
        "failures > FAILURES_ALLOWED",
        WAITS,
        "test_a_word_of_the_endpoint_or_the_third_failure_begins_a_hold",
    ),
    Mutant(
        HOLDS,
        "max(timedelta(seconds=seconds), SHORTEST_WAIT)",
        "timedelta(seconds=seconds)",
        WAITS,
        "test_who_asks_for_nothing_gets_a_second_and_who_denies_a_day",
    ),
    Mutant(
        HOLDS,
        "min(FIRST_HOLD * (1 << min(holds, 10)), longest)",
        "FIRST_HOLD * (1 << min(holds, 10))",
        WAITS,
        "test_without_a_word_each_hold_is_twice_as_long_up_to_five_minutes",
    ),
    Mutant(
        HOLDS,
        "return min(max(seconds, 0.0), LONGEST_WAIT_SECONDS)",
        "return seconds",
        WAITS,
        "test_a_header_asks_for_seconds_or_until_a_date_a_day_at_most",
    ),
)
