"""Webhooks on a real server: signed, once, and nothing told that is the receiver's secret."""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from morningdeck.delivery import ChannelMeans, WebhookMeans, check_address, open_channel
from morningdeck.delivery.webhook import Hook, WebhookChannel, own_key, read_key
from morningdeck.delivery.webhook_bodies import SAMPLE, WebhookBodies
from morningdeck.errors import ConfigError, NotSentError, PermanentError, TransientError
from morningdeck.model.sending import Delivery, Receipt, Step
from morningdeck.net import GuardedClient, GuardedPoster
from tests.contracts.channel import LETTER, Arrived, ChannelContract, Question
from tests.servers.web import HangUp, Request, Server, answer
from tests.waiting import until

NOW = datetime(2026, 11, 19, 7, 30, tzinfo=UTC)
KEY = "whsec_" + base64.b64encode(b"k" * 32).decode()
OTHER = "whsec_" + base64.b64encode(b"o" * 24).decode()
SERVICES = WebhookBodies().services


def means_of(
    folder: Path, key: str | None = KEY, steps: list[Step] | None = None, seconds: float = 5.0
) -> ChannelMeans:
    client = GuardedClient(user_agent="MorningDeck/test", allow_networks=("127.0.0.0/8",))
    poster = GuardedPoster(client, timeout_seconds=seconds)
    webhooks = WebhookMeans(lambda: poster, folder / "webhook.secret", lambda: NOW, key)
    return ChannelMeans(folder, (steps if steps is not None else []).append, webhooks=webhooks)


@pytest.fixture
def channel(tmp_path: Path) -> WebhookChannel:
    opened = open_channel("webhook", means_of(tmp_path))
    assert isinstance(opened, WebhookChannel)
    return opened


def letter(url: str) -> Delivery:
    content = json.dumps(SAMPLE).encode()
    return replace(LETTER, address=url, content=content, message_id="<report-9.0abc@deck.example>")


class TestWebhookChannel(ChannelContract):
    @pytest.fixture
    def channel(self, tmp_path: Path, server: Server) -> ToOneServer:
        server.says("/hook", answer(200, b"ok"))
        return ToOneServer(tmp_path, server)

    @pytest.fixture
    def arrived(self, server: Server) -> Arrived:
        return lambda: len(whole_requests(server))


def whole_requests(server: Server) -> list[Request]:
    """Once all was heard; of a forbidden one the last byte never comes."""
    until(lambda: server.connections > 0 and not server.is_talking)
    return [one for one in server.requests if len(one.body) == int(one.headers["content-length"])]


class ToOneServer:
    """The channel, whatever address the contract's letter has."""

    def __init__(self, folder: Path, server: Server) -> None:
        self._channel = open_channel("webhook", means_of(folder))
        self._url = server.url("/hook")

    def send(self, delivery: Delivery, *, final: Callable[[], bool]) -> Receipt:
        document = json.dumps(SAMPLE).encode()
        delivery = replace(delivery, address=self._url, content=document)
        return self._channel.send(delivery, final=final)


def test_a_report_is_signed_as_standard_webhooks_has_it(
    server: Server, channel: WebhookChannel
) -> None:
    server.says("/hook", answer(200, b"thanks"))

    receipt = channel.send(letter(server.url("/hook")), final=Question(True))

    (request,) = server.requests
    assert receipt.reply == "200 OK: thanks"
    assert json.loads(request.body) == SAMPLE
    assert request.headers["content-type"] == "application/json"
    assert request.headers["webhook-id"] == "report-9-0abc"
    assert request.headers["webhook-timestamp"] == "1795073400"
    assert request.headers["webhook-signature"] == signature(request, b"k" * 32)


def signature(request: Request, key: bytes) -> str:
    signed = f"report-9-0abc.1795073400.{request.body.decode()}".encode()
    return "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()


def test_an_address_may_bring_its_own_key_which_is_not_sent(
    server: Server, channel: WebhookChannel
) -> None:
    server.says("/hook", answer(200))

    channel.send(letter(server.url(f"/hook#{OTHER}")), final=Question(True))

    (request,) = server.requests
    assert request.path == "/hook"
    assert request.headers["webhook-signature"] == signature(request, b"o" * 24)
    assert OTHER not in f"{request.headers}"


def test_an_installation_makes_a_key_once_and_for_itself(tmp_path: Path) -> None:
    file = tmp_path / "webhook.secret"

    assert own_key(file) == own_key(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["webhook.secret"]


@pytest.mark.parametrize("text", ["", "whsec_", "secret", "whsec_" + "a" * 20, "whsec_é", "a" * 99])
def test_what_is_no_key_is_refused_and_not_quoted(text: str) -> None:
    with pytest.raises(PermanentError) as caught:
        read_key(text)
    assert "openssl rand" in str(caught.value)


def test_a_report_that_is_forbidden_never_has_its_last_byte(
    server: Server, channel: WebhookChannel
) -> None:
    server.says("/hook", answer(200))
    question = Question(False)

    channel.send(letter(server.url("/hook")), final=question)

    assert question.asked == 1
    assert whole_requests(server) == []


# ---- what an answer means


@pytest.mark.parametrize("status", [301, 400, 401, 404, 410, 413])
def test_a_refusal_is_for_good(server: Server, channel: WebhookChannel, status: int) -> None:
    server.says("/hook", answer(status, b"no_service", location="/other"))

    with pytest.raises(
        NotSentError, match=f"127.0.0.1: answered {status} .*: no_service"
    ) as caught:
        channel.send(letter(server.url("/hook")), final=Question(True))

    assert caught.value.permanent
    assert [request.path for request in server.requests] == ["/hook"]


@pytest.mark.parametrize(
    ("status", "header", "after"),
    [(408, "", None), (429, "120", 120), (429, "0.65", 1), (500, "7", 7), (503, "soon", None)],
)
def test_a_busy_receiver_is_asked_later(
    server: Server, channel: WebhookChannel, status: int, header: str, after: float | None
) -> None:
    server.says("/hook", answer(status, retry_after=header))

    with pytest.raises(NotSentError) as caught:
        channel.send(letter(server.url("/hook")), final=Question(True))

    assert (caught.value.permanent, caught.value.after) == (False, after)


@pytest.mark.parametrize("half", [b"", b"HTTP", b"HTTP/1.1 2", b"HTTP/1.1 200 OK\r\nContent-Le"])
def test_an_answer_that_is_lost_or_cut_leaves_it_unknown(
    server: Server, channel: WebhookChannel, half: bytes
) -> None:
    def hang_up(_: Request) -> Iterator[bytes]:
        yield half
        raise HangUp(reset=True)

    server.does("/hook", hang_up)
    question = Question(True)

    with pytest.raises(TransientError) as caught:
        channel.send(letter(server.url("/hook")), final=question)

    assert not isinstance(caught.value, NotSentError)
    assert (question.asked, len(server.requests)) == (1, 1)


def test_nobody_there_is_asked_for_the_last_step(channel: WebhookChannel) -> None:
    question = Question(True)

    for url in ("http://127.0.0.1:9/hook", "http://192.168.1.1/hook"):
        with pytest.raises((TransientError, PermanentError)):
            channel.send(letter(url), final=question)

    assert question.asked == 0


def test_the_same_report_has_the_same_id_whenever_it_is_sent(
    server: Server, channel: WebhookChannel
) -> None:
    server.says("/hook", answer(500), answer(200))

    with pytest.raises(NotSentError):
        channel.send(letter(server.url("/hook")), final=Question(True))
    channel.send(letter(server.url("/hook")), final=Question(True))

    assert len({request.headers["webhook-id"] for request in server.requests}) == 1


# ---- services


def test_a_service_is_known_by_its_host_or_by_its_prefix() -> None:
    slack = Hook.of("https://hooks.slack.com/services/T/B/x", SERVICES)
    own = Hook.of("Slack+https://chat.example/hooks/x", SERVICES)
    plain = Hook.of("json+https://hooks.slack.com/services/T/B/x", SERVICES)

    assert (slack.service, own.service, plain.service) == ("slack", "slack", "json")
    assert own.url == "https://chat.example/hooks/x"


def test_ntfy_is_asked_at_its_root_with_the_topic_in_the_body(
    server: Server, channel: WebhookChannel
) -> None:
    server.says("/base/?auth=x", answer(200, b"{}"))

    channel.send(letter(f"ntfy+{server.url('/base/morning?auth=x')}"), final=Question(True))

    (request,) = server.requests
    assert request.path == "/base/?auth=x"
    assert json.loads(request.body)["topic"] == "morning"
    assert "webhook-signature" not in request.headers


def test_discord_is_asked_to_look_before_it_answers() -> None:
    hook = Hook.of("https://discord.com/api/webhooks/1/t?thread_id=2", SERVICES)

    assert hook.url == "https://discord.com/api/webhooks/1/t?thread_id=2&wait=true"


@pytest.mark.parametrize(
    "address",
    [
        "ftp://news.example/secret-word",
        "teams+https://news.example/secret-word",
        "telegram+https://api.telegram.org/botsecret-word/sendMessage",
        "https://news.example/x#secret-word",
        "ntfy+https://ntfy.sh/",
        "https://",
        f"https://news.example/secret-word{'x' * 2000}",
    ],
)
def test_an_address_that_leads_nowhere_is_refused_when_it_is_given(
    address: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError) as caught:
        check_address("webhook", address, means_of(tmp_path))
    assert "secret-word" not in str(caught.value)


# ---- what is told


def test_each_step_is_told_without_what_is_secret(server: Server, tmp_path: Path) -> None:
    steps: list[Step] = []
    told = open_channel("webhook", means_of(tmp_path, steps=steps))
    path = "/bot99:secret-word/x?key=secret-key"
    login = base64.b64encode(b"me:secret-pw")
    server.says(path, answer(403, b"no secret-word, secret-key, Basic " + login))

    with pytest.raises(NotSentError) as caught:
        told.send(letter(server.url(path, host="me:secret-pw@127.0.0.1")), final=Question(True))

    (step,) = steps
    assert step.said.endswith(f"bytes to http://127.0.0.1:{server.port}/...")
    assert step.answer == "403 Forbidden: no ***, ***, Basic ***"
    assert "secret" not in f"{caught.value}{step}"
    assert login.decode() not in f"{caught.value}{step}"


def test_a_step_that_fails_is_told_too(tmp_path: Path) -> None:
    steps: list[Step] = []

    with pytest.raises(TransientError):
        open_channel("webhook", means_of(tmp_path, steps=steps)).send(
            letter("http://127.0.0.1:9/hook"), final=Question(True)
        )

    assert "127.0.0.1" in steps[0].answer
