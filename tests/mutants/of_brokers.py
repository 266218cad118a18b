"""Mutants of what goes through a broker: its claims, its messages, who takes them."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

FEEDER = "morningdeck/engine/broker_feeder.py"
QUEUE = "morningdeck/engine/celery_queue.py"
PUBLISHING = "morningdeck/engine/publishing.py"
RUNNER = "morningdeck/engine/celery_runner.py"
FEEDING = "tests/engine/test_broker_feeder.py"
CARRYING = "tests/engine/test_celery_messages.py"
SERVING = "tests/engine/test_celery_queue.py"
QUEUEING = f"{SERVING}::TestCeleryQueue"
CONFIRMING = "tests/engine/test_publishing.py"

OF_BROKERS = (
    Mutant(
        FEEDER,
        "self.owner, mine.clock(), self._lease)",
        "self.owner, mine.clock())",
        FEEDING,
        "test_a_claim_for_a_broker_has_a_lease_of_its_own_which_nobody_renews",
    ),
    Mutant(
        FEEDER,
        "        taken = self.queue.enqueue_all(ids)\n",
        "        taken = self.queue.enqueue_all(ids)\n"
        "        for job_id in ids:\n"
        "            mine.leases.hold(self.stage, job_id)\n",
        FEEDING,
        "test_a_claim_for_a_broker_has_a_lease_of_its_own_which_nobody_renews",
    ),
    Mutant(
        FEEDER,
        'self.owner = f"{BROKER}{holder.owner}"',
        "self.owner = holder.owner",
        FEEDING,
        "test_a_feeder_that_is_started_again_publishes_nothing_a_second_time",
    ),
    Mutant(
        FEEDER,
        "            self.give_back(ids[taken:])",
        "            pass",
        FEEDING,
        "test_a_broker_that_is_away_takes_nothing_and_is_left_alone_for_a_while",
    ),
    Mutant(
        FEEDER,
        "        if time.monotonic() < self._away_until:",
        "        if False:",
        FEEDING,
        "test_a_broker_that_is_away_takes_nothing_and_is_left_alone_for_a_while",
    ),
    Mutant(
        FEEDER,
        "min(self._ahead, self.queue.capacity) - self._queued)",
        "min(self._ahead, self.queue.capacity))",
        FEEDING,
        "test_few_messages_are_ahead_of_workers_whose_number_nobody_knows",
    ),
    Mutant(
        FEEDER,
        "min(2 * self._ahead, self.queue.capacity), LOOK_SECONDS",
        "self._ahead, LOOK_SECONDS",
        FEEDING,
        "test_twice_as_many_are_ahead_where_all_of_them_have_begun_since",
    ),
    Mutant(
        FEEDER,
        "self.holder.jobs.in_work(self.stage, 1) > 0",
        "self.queue.size() > 0",
        FEEDING,
        "test_it_is_busy_as_long_as_anybody_works",
    ),
    Mutant(
        RUNNER,
        "no_ack=not polls",
        "no_ack=False",
        CARRYING,
        "test_what_a_worker_has_taken_comes_to_nobody_else",
    ),
    Mutant(
        RUNNER,
        "                if polls and message is not None:\n",
        "                if False:\n",
        CARRYING,
        "test_what_a_worker_has_taken_comes_to_nobody_else",
    ),
    Mutant(
        RUNNER,
        "        self._waiting = False\n        message = self._arrived.pop()\n"
        "        message.ack()\n",
        "        self._waiting = False\n        message = self._arrived.pop()\n",
        CARRYING,
        "test_what_a_worker_has_taken_comes_to_nobody_else",
    ),
    Mutant(
        QUEUE,
        "        taken = ids[: max(0, self._room)]\n",
        "        taken = ids\n",
        QUEUEING,
        "test_a_full_queue_refuses_at_once_and_keeps_what_it_has",
    ),
    Mutant(
        QUEUE,
        "            self.drop()\n            self._trouble.begins(error)\n",
        "            self._trouble.begins(error)\n",
        CARRYING,
        "test_both_sides_find_their_way_back_to_a_broker_that_was_started_again",
    ),
    Mutant(
        PUBLISHING,
        "            mandatory=True,\n",
        "            mandatory=False,\n",
        CARRYING,
        "test_a_queue_that_is_gone_is_noticed_and_made_again",
    ),
    Mutant(
        RUNNER,
        "        consumer.cancel()  # before",
        "        # before",
        CARRYING,
        "test_nothing_waits_behind_a_long_job_while_another_process_is_free",
    ),
    Mutant(
        RUNNER,
        "            self._inboxes.leave()",
        "            pass",
        SERVING,
        "test_a_runner_that_drains_takes_nothing_from_the_others",
    ),
    Mutant(
        PUBLISHING,
        "later > number",
        "later >= number",
        CONFIRMING,
        "test_it_waits_until_rabbitmq_has_all",
    ),
    Mutant(
        PUBLISHING,
        "            self._open.discard(number)\n",
        "            self._open.clear()\n",
        CONFIRMING,
        "test_silence_is_no_answer",
    ),
    Mutant(
        PUBLISHING,
        "        self._open.add(self._sent)\n",
        "",
        CONFIRMING,
        "test_it_waits_until_rabbitmq_has_all",
    ),
    Mutant(
        PUBLISHING,
        'channel.events["basic_nack"].add',
        'channel.events["nothing"].add',
        CONFIRMING,
        "test_what_is_refused_or_comes_back_was_not_taken",
    ),
    Mutant(
        PUBLISHING,
        "Entries=entries)",
        "Entries=entries[:1])",
        CARRYING,
        "test_many_at_once_arrive_each_once",
    ),
    Mutant(
        QUEUE,
        "        except BrokerAwayError:\n            return 0\n",
        "        except BrokerAwayError:\n            return len(taken)\n",
        CARRYING,
        "test_both_sides_find_their_way_back_to_a_broker_that_was_started_again",
    ),
)
