"""One line changed in the protocol, and the test that must notice it."""

from __future__ import annotations

from dataclasses import dataclass

WORK = "morningdeck/work.py"
STORE = "morningdeck/store/queue/protocol.py"
MOVES = "morningdeck/store/queue/statements.py"
LEASES = "morningdeck/engine/leases.py"
STAGE = "morningdeck/engine/worker.py"
FEEDER = "morningdeck/engine/feeder.py"
QUEUE = "morningdeck/engine/memory_queue.py"
RUNNER = "morningdeck/engine/thread_runner.py"
LEDGER = "morningdeck/store/rows/ledger.py"
BREAKER = "morningdeck/store/rows/breaker.py"
HOLDS = "morningdeck/holds.py"

RULES = "tests/test_work.py"
ROWS = "tests/store/test_job_store.py"
LOST = "tests/store/test_lost_work.py"
HOLDING = "tests/engine/test_leases.py"
WORKING = "tests/engine/test_worker.py"
FEEDING = "tests/engine/test_feeder.py"
QUEUEING = "tests/engine/test_memory_queue.py::TestMemoryQueue"
RUNNING = "tests/engine/test_thread_runner.py::TestThreadRunner"
SURVIVING = "tests/engine/test_survival.py"
BROKEN = "tests/engine/test_broken_rows.py"
MONEY = "tests/store/test_ledger.py"
SPENDING = "tests/store/test_spending.py"
COUNTING = f"{MONEY}::TestSqlLedger"
ENDPOINTS = "tests/store/test_breaker.py"
WAITS = "tests/test_holds.py"


@dataclass(frozen=True, slots=True)
class Mutant:
    file: str
    old: str
    """Occurs there once."""
    new: str
    where: str
    test: str

    @property
    def killer(self) -> str:
        return f"{self.where}::{self.test}"


MUTANTS = (
    # ---- the rules
    Mutant(
        WORK,
        "job.failures, job.losses, error, result)",
        "job.failures, 0, error, result)",
        RULES,
        "test_a_job_that_kills_its_worker_rests_however_often_it_was_put_off_between",
    ),
    Mutant(
        WORK,
        "Settlement(status, None, job.failures, job.losses,",
        "Settlement(status, None, job.failures, 0,",
        RULES,
        "test_only_success_forgets_that_a_worker_was_lost",
    ),
    Mutant(
        WORK,
        "losses=job.losses + 1",
        "losses=job.losses",
        RULES,
        "test_a_lost_job_is_due_at_once_and_counts_the_loss",
    ),
    Mutant(
        WORK,
        "tired.losses >= LOSSES_ALLOWED",
        "tired.losses > LOSSES_ALLOWED",
        RULES,
        "test_the_third_loss_in_a_row_ends_like_a_last_retry",
    ),
    Mutant(
        WORK,
        "replace(ending, losses=0)",
        "ending",
        RULES,
        "test_after_a_rest_for_its_losses_recurring_work_has_all_its_chances_again",
    ),
    Mutant(
        WORK,
        "failures=job.failures + 1",
        "failures=job.failures",
        RULES,
        "test_the_fourth_failure_in_a_row_is_a_dead_letter",
    ),
    Mutant(
        WORK,
        "if failures <= len(self.delays)",
        "if failures < len(self.delays)",
        RULES,
        "test_a_failure_is_tried_again_after_1_5_and_15_minutes",
    ),
    Mutant(
        WORK,
        "None if failed.permanent else",
        "None if False else",
        RULES,
        "test_a_permanent_failure_is_not_tried_again",
    ),
    Mutant(
        WORK,
        "due_at = max(due_at, failed.not_before)",
        "pass",
        RULES,
        "test_a_retry_waits_as_long_as_the_other_side_asked_for",
    ),
    Mutant(
        WORK,
        "now if tired.losses == 1 else now + APART * chance",
        "now",
        RULES,
        "test_a_job_lost_twice_comes_back_at_a_moment_of_its_own",
    ),
    # ---- claim, start, settle
    Mutant(
        MOVES,
        '.limit(bindparam("limit"))',
        "",
        ROWS,
        "test_a_claim_takes_at_most_what_it_asks_for",
    ),
    Mutant(
        MOVES,
        '            claimed_by=bindparam("owner"),\n            queued_at',
        "            queued_at",
        ROWS,
        "test_a_claimed_row_says_whose_it_is_and_until_when",
    ),
    Mutant(
        MOVES,
        "            or_(*(table.c.status == status for status in states.startable)),\n",
        "",
        ROWS,
        "test_a_start_grows_the_fence_and_happens_once",
    ),
    Mutant(
        MOVES,
        "attempts=table.c.attempts + 1",
        "attempts=table.c.attempts",
        ROWS,
        "test_the_fence_grows_for_ever_and_success_does_not_reset_it",
    ),
    Mutant(
        MOVES,
        '            claimed_by=bindparam("owner"),\n            started_at',
        "            started_at",
        ROWS,
        "test_a_start_moves_the_claim_to_the_process_that_runs_it",
    ),
    Mutant(
        MOVES,
        "            table.c.status == of.states.running,\n",
        "",
        ROWS,
        "test_a_late_worker_does_not_end_the_claim_that_came_after_its_own",
    ),
    Mutant(
        MOVES,
        '            table.c.attempts == bindparam("fence"),\n',
        "",
        ROWS,
        "test_a_late_worker_is_refused_and_its_result_is_not_written",
    ),
    Mutant(
        MOVES,
        '            table.c.claimed_by == bindparam("owner"),\n',
        "",
        ROWS,
        "test_a_start_moves_the_claim_to_the_process_that_runs_it",
    ),
    Mutant(
        STORE,
        ".where(of.table.c.id == job_id, of.table.c.status == of.home)",
        ".where(of.table.c.id == job_id)",
        ROWS,
        "test_only_one_of_many_gets_a_very_row",
    ),
    Mutant(
        STORE,
        "            if settled:\n",
        "            if True:\n",
        ROWS,
        "test_a_late_worker_is_refused_and_its_result_is_not_written",
    ),
    # ---- giving back, holding, losing
    Mutant(
        STORE,
        "table.c.status == of.states.queued,\n                    table.c.cl",
        "table.c.cl",
        ROWS,
        "test_only_queued_claims_of_ones_own_are_given_back",
    ),
    Mutant(
        STORE,
        "table.c.claimed_by == owner,\n                )\n                .values(**",
        ")\n                .values(**",
        ROWS,
        "test_only_queued_claims_of_ones_own_are_given_back",
    ),
    Mutant(
        STORE,
        "mine = of.table.c.claimed_by == owner",
        "mine = of.table.c.id > 0",
        LOST,
        "test_what_a_process_lets_go_at_its_end_waits_again_without_blame",
    ),
    Mutant(
        STORE,
        "                    table.c.claimed_by == owner,\n                    table.c.status.in_",
        "                    table.c.status.in_",
        LOST,
        "test_a_lease_is_renewed_only_for_ones_own_and_only_for_the_ids_given",
    ),
    Mutant(
        STORE,
        "if fences[row.id] in (None, proved):",
        "if True:",
        LOST,
        "test_a_lease_is_held_only_under_the_current_fence",
    ),
    Mutant(
        STORE,
        "lapsed = STAGES[stage].table.c.lease_until < now",
        "lapsed = STAGES[stage].table.c.lease_until <= now",
        LOST,
        "test_only_lapsed_leases_are_recovered",
    ),
    Mutant(
        STORE,
        "            claimed_by != owner,\n",
        "",
        LOST,
        "test_a_node_takes_back_exactly_what_its_earlier_incarnations_held",
    ),
    Mutant(
        STORE,
        "                of.table.c.status == of.states.running,\n",
        "",
        LOST,
        "test_a_loss_is_counted_only_if_nothing_has_happened_since_it_was_seen",
    ),
    Mutant(
        STORE,
        "                of.table.c.attempts == job.attempt,\n",
        "",
        LOST,
        "test_a_loss_is_counted_only_if_nothing_has_happened_since_it_was_seen",
    ),
    Mutant(
        STORE,
        "                lost,\n            )",
        "            )",
        LOST,
        "test_a_loss_is_counted_only_if_nothing_has_happened_since_it_was_seen",
    ),
    Mutant(
        STORE,
        'log.exception("row_not_recovered", stage=stage.value, id=job.id)',
        "raise",
        BROKEN,
        "test_a_row_whose_recovery_meets_a_bug_keeps_no_other_from_its_own",
    ),
    # ---- trust
    Mutant(
        LEASES,
        "if held is not None and held.fence == fence:",
        "if held is not None:",
        HOLDING,
        "test_a_hung_job_that_ends_late_does_not_drop_its_successor_in_the_same_process",
    ),
    Mutant(
        LEASES,
        "held is not None and held.fence == job.attempt and",
        "held is not None and",
        HOLDING,
        "test_a_started_job_is_trusted_under_its_own_fence_only",
    ),
    Mutant(
        LEASES,
        "TRUSTED_SHARE = 0.6",
        "TRUSTED_SHARE = 1.6",
        HOLDING,
        "test_trust_ends_before_the_lease_does",
    ),
    Mutant(
        LEASES,
        "if job_id in kept else LOST",
        "if True else LOST",
        HOLDING,
        "test_a_lease_that_turns_out_to_be_lost_ends_the_trust_at_once",
    ),
    Mutant(
        LEASES,
        "now - held.started > limit",
        "False",
        HOLDING,
        "test_a_job_past_its_deadline_is_not_renewed_any_more",
    ),
    Mutant(
        LEASES,
        "and not (hangs and held.started is None)",
        "",
        HOLDING,
        "test_what_waits_behind_workers_that_all_hang_is_left_to_others",
    ),
    Mutant(
        LEASES,
        "gone = stage in self._served and not self._served[stage]()",
        "gone = False",
        SURVIVING,
        "test_claims_are_kept_only_while_somebody_serves_them",
    ),
    # ---- the worker, its feeder and its queue
    Mutant(
        STAGE,
        "        if job is None:  # whatever",
        "        if False:  # whatever",
        WORKING,
        "test_a_claim_whose_start_meets_a_bug_is_not_kept_for_ever",
    ),
    Mutant(
        STAGE,
        "            self._leases.drop(self.stage, job.id, job.attempt)",
        "            pass",
        WORKING,
        "test_a_settled_job_is_held_no_longer",
    ),
    Mutant(
        STAGE,
        "return Postponed(self._clock() + AWAY_WAIT, str(error))",
        "return Failed(str(error))",
        WORKING,
        "test_a_job_that_meets_a_database_which_is_away_is_not_to_blame",
    ),
    Mutant(
        STAGE,
        "self._jobs.settle(job, self._owner, settlement, now) else None",
        "self._jobs.settle(job, self._owner, settlement, now) or True else None",
        HOLDING,
        "test_a_hung_job_is_taken_over_and_refused_when_it_comes_back",
    ),
    Mutant(
        STAGE,
        "            return self._clock() + UNKNOWN_REST",
        "            raise",
        BROKEN,
        "test_a_job_whose_rest_is_unknown_is_settled_all_the_same",
    ),
    Mutant(
        STAGE,
        "        except BaseException as error:\n            if is_for_the_process(error):",
        "        except Exception as error:\n            if is_for_the_process(error):",
        SURVIVING,
        "test_whatever_a_verb_raises_fails_its_job_and_nothing_else",
    ),
    Mutant(
        FEEDER,
        "            self._leases.hold(self.stage, job_id)  # before a worker can start it\n",
        "",
        FEEDING,
        "test_what_is_claimed_is_held_before_a_worker_can_start_it",
    ),
    Mutant(
        FEEDER,
        "            self.give_back(tuple(refused))",
        "            pass",
        FEEDING,
        "test_a_claim_that_the_queue_refuses_is_given_back_and_not_taken_again_at_once",
    ),
    Mutant(
        FEEDER,
        "free + self._ahead - self.queue.size()",
        "free + self._furthest - self.queue.size()",
        FEEDING,
        "test_what_is_saved_by_hand_begins_as_soon_as_any_worker_is_free",
    ),
    Mutant(
        FEEDER,
        "                self._give_back_stale()\n",
        "",
        FEEDING,
        "test_slow_work_behind_quick_work_goes_back_and_lets_the_urgent_by",
    ),
    Mutant(
        FEEDER,
        "max(soon, self._ahead // 2)",
        "0",
        FEEDING,
        "test_tiny_jobs_are_claimed_many_at_a_time",
    ),
    Mutant(
        RUNNER,
        "lasting(self._name, partial(self._serve, run, freed))",
        "partial(self._serve, run, freed)",
        SURVIVING,
        "test_a_worker_that_is_struck_outside_of_its_work_goes_on",
    ),
    Mutant(
        RUNNER,
        "                self._queue.done()\n",
        "                pass\n",
        RUNNING,
        "test_an_id_is_always_either_waiting_or_in_work_until_it_is_done",
    ),
    Mutant(
        RUNNER,
        "        self._stopping.set()\n",
        "        pass\n",
        RUNNING,
        "test_what_is_stopped_takes_no_more",
    ),
    Mutant(
        RUNNER,
        "not self._threads or any(thread.is_alive() for thread in self._threads)",
        "True",
        RUNNING,
        "test_it_is_served_until_its_last_worker_has_ended",
    ),
    Mutant(
        QUEUE,
        "self._ids.unfinished_tasks - self._ids.qsize()",
        "self._ids.unfinished_tasks",
        RUNNING,
        "test_what_waits_and_what_is_worked_on_are_counted_apart",
    ),
    Mutant(
        QUEUE,
        "            self.done()\n",
        "",
        RUNNING,
        "test_what_is_taken_back_is_run_by_nobody_and_leaves_room_for_more",
    ),
    Mutant(
        QUEUE,
        "            return False\n",
        "            return True\n",
        QUEUEING,
        "test_a_full_queue_refuses_at_once_and_keeps_what_it_has",
    ),
    # ---- money, and endpoints that are held
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
        "min(FIRST_HOLD * (1 << min(holds, 10)), LONGEST_HOLD)",
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
