"""Mutants of what is certain of a mail, and of what keeps a session with its server honest."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

SESSION = "morningdeck/delivery/smtp_session.py"
LINE = "morningdeck/delivery/smtp_line.py"
OPENING = "morningdeck/delivery/smtp_opening.py"
LOGIN = "morningdeck/delivery/smtp_login.py"
KEPT = "morningdeck/delivery/smtp_kept.py"
CHANNEL = "morningdeck/delivery/smtp.py"
DELIVER = "morningdeck/deliver.py"

CUT_OFF = "tests/delivery/test_smtp_cut.py"
SENDING = "tests/delivery/test_smtp.py"
COMING_IN = "tests/delivery/test_smtp_login.py"
STAYING = "tests/delivery/test_smtp_kept.py"
DELIVERED = "tests/test_deliver.py"

OF_MAIL = (
    Mutant(
        SESSION,
        "        if not final():\n",
        "        if final() is None:\n",
        CUT_OFF,
        "test_what_may_not_be_sent_is_cut_off_before_its_dot",
    ),
    Mutant(
        SESSION,
        "            self.close()  # before the dot that is the only way back\n",
        "",
        CUT_OFF,
        "test_what_may_not_be_sent_is_cut_off_before_its_dot",
    ),
    Mutant(
        SESSION,
        "            raise self._not_sent(str(error), permanent=False) from error\n",
        "            raise\n",
        CUT_OFF,
        "test_a_server_that_leaves_while_final_is_asked_has_nothing",
    ),
    Mutant(
        SESSION,
        "        self._check(reply, WHOLE_MAIL)\n",
        "",
        SENDING,
        "test_no_is_the_end_for_that_address_alone",
    ),
    Mutant(
        SESSION,
        '_DOT.sub(b"..", ',
        '_DOT.sub(b".", ',
        SENDING,
        "test_no_line_of_a_letter_ends_it_or_begins_another",
    ),
    Mutant(
        SESSION,
        'lines = _LINE_END.sub(b"\\r\\n", content)',
        "lines = content",
        SENDING,
        "test_no_line_of_a_letter_ends_it_or_begins_another",
    ),
    Mutant(
        SESSION,
        "        self._check_unasked()\n        if not",
        "        if not",
        CUT_OFF,
        "test_what_a_server_says_within_the_body_is_heard_before_the_dot",
    ),
    Mutant(
        SESSION,
        "        except BaseException:  # nobody knows what the server waits for\n"
        "            self.close()\n",
        "        except BaseException:\n",
        SENDING,
        "test_a_refused_sender_does_not_keep_its_session",
    ),
    Mutant(
        LINE,
        'code not in ("", found[1])',
        "False",
        CUT_OFF,
        "test_after_the_dot_whatever_is_no_reply_leaves_it_open",
    ),
    Mutant(
        LINE,
        '            raise self._trouble(f"it said {unasked} unasked", FailureKind.SERVER)\n',
        "            pass\n",
        CUT_OFF,
        "test_a_server_that_is_one_reply_ahead_is_asked_nothing_more",
    ),
    Mutant(
        LINE,
        "        if reply.code == CLOSING:\n            self.is_open = False\n",
        "",
        SENDING,
        "test_not_now_is_tried_again_whenever_it_is_said",
    ),
    Mutant(
        LINE,
        "            text = text.replace(secret, MASK)\n",
        "            pass\n",
        COMING_IN,
        "test_a_server_that_repeats_the_password_tells_nobody",
    ),
    Mutant(
        OPENING,
        '        if "STARTTLS" not in extensions:\n',
        '        if "STARTTLS" not in extensions:\n            return\n        if False:\n',
        COMING_IN,
        "test_without_the_encryption_that_is_wanted_nothing_is_said",
    ),
    Mutant(
        OPENING,
        "        if line.unasked() is not None:",
        "        if False:",
        COMING_IN,
        "test_what_was_said_before_the_encryption_does_not_count_after_it",
    ),
    Mutant(
        LOGIN,
        'reply.code == WRONG and name != "CRAM-MD5"',
        "False",
        COMING_IN,
        "test_a_wrong_password_is_not_tried_in_every_way",
    ),
    Mutant(
        KEPT,
        "session.mails < self._server.mails_per_connection",
        "True",
        STAYING,
        "test_a_connection_carries_so_many_letters_and_no_more",
    ),
    Mutant(
        KEPT,
        "session.is_ready()",
        "True",
        STAYING,
        "test_a_kept_connection_that_has_died_costs_no_letter",
    ),
    Mutant(
        CHANNEL,
        "        with suppress(DatabaseAwayError):\n"
        "            self._breaker.succeeded(admission)\n\n\n",
        "        self._breaker.succeeded(admission)\n\n\n",
        CUT_OFF,
        "test_what_goes_wrong_with_a_mail_that_is_there_does_not_speak_against_it",
    ),
    Mutant(
        DELIVER,
        "if delivery.give_up_at is not None and until > delivery.give_up_at:",
        "if False:",
        DELIVERED,
        "test_a_letter_waits_for_no_server_beyond_its_time",
    ),
)
