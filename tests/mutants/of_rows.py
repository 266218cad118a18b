"""Mutants of the rules and of the statements on rows."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

WORK = "morningdeck/work.py"
STORE = "morningdeck/store/queue/protocol.py"
MOVES = "morningdeck/store/queue/statements.py"
KEPT = "morningdeck/store/database/kept.py"
RULES = "tests/test_work.py"
ROWS = "tests/store/test_job_store.py"
SETTLING = "tests/store/test_settling.py"
LOST = "tests/store/test_lost_work.py"
PLANS = "tests/store/test_claim_plans.py"
KEEPING = "tests/store/test_kept.py"
BROKEN = "tests/engine/test_broken_rows.py"

OF_ROWS = (
    # ---- the rules
    Mutant(
        WORK,
        "counts = job.failures, job.losses",
        "counts = job.failures, 0",
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
        SETTLING,
        "test_a_late_worker_does_not_end_the_claim_that_came_after_its_own",
    ),
    Mutant(
        MOVES,
        '            table.c.attempts == bindparam("fence"),\n',
        "",
        SETTLING,
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
        "            of.table.c.status == of.home,\n",
        "",
        ROWS,
        "test_only_one_of_many_gets_a_very_row",
    ),
    Mutant(
        STORE,
        "            if settled:\n",
        "            if True:\n",
        SETTLING,
        "test_a_late_worker_is_refused_and_its_result_is_not_written",
    ),
    # ---- giving back, holding, losing
    Mutant(
        STORE,
        "table.c.status == of.states.queued,\n                table.c.cl",
        "table.c.cl",
        ROWS,
        "test_only_queued_claims_of_ones_own_are_given_back",
    ),
    Mutant(
        STORE,
        "                table.c.claimed_by == owner,\n                **",
        "                **",
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
        "gone = table.c.lease_until < now",
        "gone = table.c.lease_until <= now",
        LOST,
        "test_only_lapsed_leases_are_recovered",
    ),
    Mutant(
        STORE,
        "gone = and_(earlier, table.c.claimed_by != owner)",
        "gone = earlier",
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
    # ---- what they cost
    Mutant(
        MOVES,
        "        .where(table.c.id.in_(select(pick.c.id)))\n",
        "        .where(table.c.id.in_(select(pick.c.id)), due)\n",
        PLANS,
        "test_a_claim_looks_at_no_more_rows_than_it_takes",
    ),
    Mutant(
        MOVES,
        "repeatable=repeatable, kept=True)",
        "repeatable=repeatable)",
        KEEPING,
        "test_start_and_settlement_are_planned_once_for_each_connection",
    ),
    Mutant(
        KEPT,
        "            with suppress(DuplicatePreparedStatement):",
        "            with suppress():",
        KEEPING,
        "test_a_session_that_a_pooler_gives_once_more_keeps_what_it_has",
    ),
    Mutant(
        KEPT,
        "kept: set[str] = info.setdefault",
        "kept: set[str] = self.__dict__.setdefault",
        KEEPING,
        "test_a_connection_that_is_new_keeps_them_anew",
    ),
    Mutant(
        KEPT,
        "enumerate(compiled.kinds, 1)",
        "enumerate(reversed(compiled.kinds), 1)",
        KEEPING,
        "test_start_and_settlement_are_planned_once_for_each_connection",
    ),
)
