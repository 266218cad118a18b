"""Sessions that are kept: used again, given up, and never more than a server may be asked by."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from morningdeck.delivery.smtp import SmtpChannel
from morningdeck.errors import EndpointHeldError
from tests.conftest import NOW
from tests.contracts.channel import LETTER
from tests.delivery.conftest import OpenBreaker, OpenChannel
from tests.delivery.test_smtp import yes
from tests.servers.mail import Action, Gate, ScriptedMailServer, drop, reset
from tests.waiting import until


def test_many_letters_go_over_one_connection(
    channel: SmtpChannel, mail_server: ScriptedMailServer
) -> None:
    for number in range(20):
        channel.send(replace(LETTER, address=f"reader{number}@example.org"), final=yes)

    assert (len(mail_server.mails), mail_server.connections) == (20, 1)
    assert mail_server.came("EHLO") == 1


@pytest.mark.parametrize("action", [drop, reset, b"421 too long idle", b"500 what?", b"nonsense"])
def test_a_kept_connection_that_has_died_costs_no_letter(
    channel: SmtpChannel, mail_server: ScriptedMailServer, action: Action
) -> None:
    channel.send(LETTER, final=yes)
    mail_server.says("RSET", action)

    channel.send(LETTER, final=yes)

    assert (len(mail_server.mails), mail_server.connections) == (2, 2)


def test_a_connection_carries_so_many_letters_and_no_more(
    open_channel: OpenChannel, mail_server: ScriptedMailServer
) -> None:
    channel = open_channel(mail_server, mails_per_connection=3)
    for _ in range(7):
        channel.send(LETTER, final=yes)

    assert mail_server.connections == 3
    assert mail_server.came("QUIT") == 2


def test_a_connection_that_was_idle_for_too_long_is_left(
    open_channel: OpenChannel, mail_server: ScriptedMailServer
) -> None:
    channel = open_channel(mail_server, idle_seconds=0.05)
    channel.send(LETTER, final=yes)
    time.sleep(0.1)

    channel.end_idle()

    assert mail_server.came("QUIT") == 1
    channel.send(LETTER, final=yes)
    assert mail_server.connections == 2


def test_who_closes_says_goodbye(channel: SmtpChannel, mail_server: ScriptedMailServer) -> None:
    channel.send(LETTER, final=yes)

    channel.close()

    assert mail_server.heard[-1] == "QUIT"
    until(lambda: mail_server.open == 0)


def test_a_server_has_no_more_connections_than_is_set(
    open_channel: OpenChannel, mail_server: ScriptedMailServer
) -> None:
    channel = open_channel(mail_server, connections=3)
    with ThreadPoolExecutor(12) as threads:
        for _ in range(60):
            threads.submit(channel.send, LETTER, final=yes)

    assert len(mail_server.mails) == 60
    assert mail_server.most_open <= 3


def test_who_finds_no_free_connection_comes_back_later(
    open_channel: OpenChannel,
    mail_server: ScriptedMailServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("morningdeck.delivery.smtp.PLACE_SECONDS", 0.05)
    channel, gate = open_channel(mail_server, connections=1), Gate()
    mail_server.says("MAIL", gate)
    first = threading.Thread(target=channel.send, args=(LETTER,), kwargs={"final": yes})
    first.start()
    gate.reached.wait(5)

    with pytest.raises(EndpointHeldError):
        channel.send(LETTER, final=yes)

    gate.opened.set()
    first.join()
    assert len(mail_server.mails) == 1


def test_a_held_server_is_not_asked_and_its_trouble_told(
    channel: SmtpChannel, mail_server: ScriptedMailServer, breaker: OpenBreaker
) -> None:
    mail_server.says("connect", b"554 no service for you")
    with pytest.raises(Exception, match="554 no service"):
        channel.send(LETTER, final=yes)
    breaker.held = EndpointHeldError("smtp", NOW + timedelta(minutes=5))

    with pytest.raises(EndpointHeldError, match="554 no service for you") as caught:
        channel.send(LETTER, final=yes)

    assert caught.value.until == NOW + timedelta(minutes=5)
    assert mail_server.connections == 1


def test_whoever_watches_a_send_does_not_wait_for_a_hold(
    open_channel: OpenChannel, mail_server: ScriptedMailServer, breaker: OpenBreaker
) -> None:
    breaker.held = EndpointHeldError("smtp", NOW + timedelta(hours=1))

    open_channel(mail_server, tell=print).send(LETTER, final=yes)

    assert len(mail_server.mails) == 1
