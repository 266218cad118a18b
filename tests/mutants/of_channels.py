"""Mutants of webhooks, bounces, pings and of notices in mails."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

CONNECTION = "morningdeck/net/connection.py"
WEBHOOK = "morningdeck/delivery/webhook.py"
BODIES = "morningdeck/delivery/webhook_bodies.py"
BOUNCE = "morningdeck/parsing/bounce.py"
ROWS = "morningdeck/store/rows/bounces.py"
OWED = "morningdeck/store/notices/pings.py"
TAKEN = "morningdeck/store/rows/pings.py"
HOOKS = "tests/delivery/test_webhook.py"
FORMS = "tests/delivery/test_webhook_bodies.py"
READ = "tests/parsing/test_bounce.py"
COUNTED = "tests/store/test_bounces.py"
PINGS = "tests/store/test_pings.py"

OF_CHANNELS = (
    Mutant(
        CONNECTION,
        "self._timed.sendall(request[:-1])",
        "self._timed.sendall(request)",
        HOOKS,
        "test_a_report_that_is_forbidden_never_has_its_last_byte",
    ),
    Mutant(
        CONNECTION,
        "            if not last_step():\n                return None\n",
        "            last_step()\n",
        HOOKS,
        "test_a_report_that_is_forbidden_never_has_its_last_byte",
    ),
    Mutant(
        WEBHOOK,
        "permanent=not later, after=after",
        "permanent=False, after=after",
        HOOKS,
        "test_a_refusal_is_for_good",
    ),
    Mutant(
        WEBHOOK,
        "after = None if asked_for is None else",
        "after = None if asked_for else",
        HOOKS,
        "test_a_busy_receiver_is_asked_later",
    ),
    Mutant(
        WEBHOOK,
        'f"{name}.{at}.".encode() + body',
        'f"{name}.".encode() + body',
        HOOKS,
        "test_a_report_is_signed_as_standard_webhooks_has_it",
    ),
    Mutant(
        WEBHOOK,
        "self._own_key if hook.key is None else hook.key",
        "self._own_key",
        HOOKS,
        "test_an_address_may_bring_its_own_key_which_is_not_sent",
    ),
    Mutant(
        WEBHOOK,
        "if len(secret) >= SECRET_LENGTH:",
        "if not secret:",
        HOOKS,
        "test_each_step_is_told_without_what_is_secret",
    ),
    Mutant(
        BODIES,
        "undefined=StrictUndefined, ",
        "",
        FORMS,
        "test_a_mistake_in_a_template_is_told_before_anything_is_sent",
    ),
    Mutant(
        BODIES,
        "takewhile(lambda end: end < most, ends)",
        "takewhile(lambda end: end < 2 * most, ends)",
        FORMS,
        "test_a_body_keeps_the_limits_of_its_service",
    ),
    Mutant(
        BOUNCE,
        "dead = of_address and not of_letter",
        "dead = True",
        READ,
        "test_what_speaks_of_the_letter_or_of_the_hour_is_trouble",
    ),
    Mutant(
        ROWS,
        "BOUNCES_ALLOWED = 3",
        "BOUNCES_ALLOWED = 2",
        COUNTED,
        "test_trouble_ends_an_address_when_the_third_report_comes_back",
    ),
    Mutant(
        ROWS,
        "deliveries.c.attempts > 0",
        "deliveries.c.attempts >= 0",
        COUNTED,
        "test_a_mail_that_is_still_to_be_sent_cannot_have_come_back",
    ),
    Mutant(
        OWED,
        "if UNDER_WAY.isdisjoint(states):",
        "if states:",
        PINGS,
        "test_only_the_last_delivery_owes_a_ping",
    ),
    Mutant(
        TAKEN,
        "pings.c.attempts == ping.attempts",
        "pings.c.attempts >= 0",
        PINGS,
        "test_a_ping_of_a_later_run_is_not_lost_with_the_earlier",
    ),
    Mutant(
        "morningdeck/brief.py",
        "if not alone or quiet(",
        "if quiet(",
        "tests/test_brief.py",
        "test_a_mail_that_others_read_too_has_no_notices",
    ),
)
