"""Mutants of the engine: its leases, its workers, its feeder and its queue."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

LEASES = "morningdeck/engine/leases.py"
STAGE = "morningdeck/engine/worker.py"
FEEDER = "morningdeck/engine/feeders.py"
QUEUE = "morningdeck/engine/memory_queue.py"
HOLDING = "tests/engine/test_leases.py"
WORKING = "tests/engine/test_worker.py"
FEEDING = "tests/engine/test_feeder.py"
QUEUEING = "tests/engine/test_memory_queue.py::TestMemoryQueue"
RUNNING = "tests/engine/test_thread_runner.py::TestThreadRunner"
SURVIVING = "tests/engine/test_survival.py"
BROKEN = "tests/engine/test_broken_rows.py"

OF_ENGINE = (
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
        "began - held.started <= limit",
        "True",
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
        "mine.jobs.settle(job, mine.owner, settlement, now) else None",
        "mine.jobs.settle(job, mine.owner, settlement, now) or True else None",
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
        "            mine.leases.hold(self.stage, job_id)  # before a worker can start it\n",
        "            pass\n",
        FEEDING,
        "test_what_is_claimed_is_held_before_a_worker_can_start_it",
    ),
    Mutant(
        FEEDER,
        "        self.give_back(ids[taken:])\n",
        "",
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
        "        self._give_back_stale()\n",
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
        QUEUE,
        "lasting(self._name, partial(self._serve, run, freed))",
        "partial(self._serve, run, freed)",
        SURVIVING,
        "test_a_worker_that_is_struck_outside_of_its_work_goes_on",
    ),
    Mutant(
        QUEUE,
        "                self._queue.done()\n",
        "                pass\n",
        RUNNING,
        "test_an_id_is_always_either_waiting_or_in_work_until_it_is_done",
    ),
    Mutant(
        QUEUE,
        "        self._stopping.set()\n",
        "        pass\n",
        RUNNING,
        "test_what_is_stopped_takes_no_more",
    ),
    Mutant(
        QUEUE,
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
)
