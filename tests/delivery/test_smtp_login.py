"""How a session begins: encryption that is never given up, certificates, logins."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack

import pytest

from morningdeck.delivery.mail_server import MailServer
from morningdeck.delivery.smtp_line import ServerTroubleError
from morningdeck.model.asking import FailureKind
from morningdeck.model.sending import Step
from tests.contracts.channel import LETTER
from tests.delivery.conftest import OpenBreaker, OpenChannel
from tests.delivery.test_smtp import yes
from tests.servers.mail import Action, ScriptedMailServer, drop, hang

PASSWORD = "geheim für Dich"
LOGIN = {"username": "deck", "password": PASSWORD}
Serve = Callable[..., ScriptedMailServer]


@pytest.fixture
def serve() -> Iterator[Serve]:
    with ExitStack() as servers:

        def make(**how: object) -> ScriptedMailServer:
            server: AbstractContextManager[ScriptedMailServer] = ScriptedMailServer(
                **how,  # type: ignore[arg-type]
            )
            return servers.enter_context(server)

        yield make


# ---- encryption


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_mail_goes_over_an_encrypted_connection(
    serve: Serve, open_channel: OpenChannel, steps: list[Step], security: str
) -> None:
    server = serve(**{security: True})

    open_channel(server, security=security, tell=steps.append).send(LETTER, final=yes)

    assert len(server.mails) == 1
    (encrypted,) = [step for step in steps if step.said == "(encrypt)"]
    assert "TLSv1.3" in encrypted.answer


def test_without_the_encryption_that_is_wanted_nothing_is_said(
    serve: Serve, open_channel: OpenChannel, breaker: OpenBreaker
) -> None:
    server = serve(logins={"deck": PASSWORD})

    with pytest.raises(ServerTroubleError, match="offers no encryption"):
        open_channel(server, security="starttls", **LOGIN).send(LETTER, final=yes)

    assert [one.split()[0] for one in server.heard] == ["EHLO"]
    assert [kind for kind, _ in breaker.failures] == [FailureKind.DENIED]


ON_THE_WAY: dict[str, tuple[str, Action]] = {
    "refused": ("STARTTLS", b"454 4.7.0 not now"),
    "unknown": ("STARTTLS", b"502 what?"),
    "cut": ("TLS", drop),
    "silence": ("TLS", hang),
    "nonsense": ("TLS", lambda talk: talk.socket.sendall(b"220 I said go on\r\n" * 10)),
    "smuggled": ("STARTTLS", b"220 go on\r\n250 you are in"),
}


@pytest.mark.parametrize("how", ON_THE_WAY)
def test_an_encryption_that_fails_is_not_gone_on_without(
    serve: Serve, open_channel: OpenChannel, how: str
) -> None:
    server = serve(starttls=True, logins={"deck": PASSWORD})
    point, action = ON_THE_WAY[how]
    server.says(point, action)

    with pytest.raises(ServerTroubleError):
        open_channel(server, security="starttls", timeout_seconds=0.5, **LOGIN).send(
            LETTER, final=yes
        )

    assert [one.split()[0] for one in server.heard] == ["EHLO", "STARTTLS"]


def test_what_was_said_before_the_encryption_does_not_count_after_it(
    serve: Serve, open_channel: OpenChannel
) -> None:
    """Whoever sits between could answer the first EHLO within it."""
    server = serve(starttls=True)
    server.says("STARTTLS", b"220 go on\r\n250 you are in")

    with pytest.raises(ServerTroubleError, match="speaks between STARTTLS and encryption"):
        open_channel(server, security="starttls").send(LETTER, final=yes)


@pytest.mark.parametrize("security", ["tls", "starttls"])
@pytest.mark.parametrize(
    ("host", "trusted", "why"),
    [
        ("mail.example", True, "Hostname mismatch"),
        ("127.0.0.1", False, "self-signed"),
    ],
)
def test_a_certificate_that_proves_nothing_ends_it_with_advice(
    serve: Serve,
    open_channel: OpenChannel,
    monkeypatch: pytest.MonkeyPatch,
    security: str,
    host: str,
    trusted: bool,
    why: str,
) -> None:
    server = serve(**{security: True}, logins={"deck": PASSWORD})
    trust = {} if trusted else {"trusts": False}

    with pytest.raises(ServerTroubleError, match=why) as caught:
        open_channel(server, security=security, host=host, **LOGIN, **trust).send(LETTER, final=yes)

    assert "SSL_CERT_FILE" in str(caught.value)
    assert server.came("AUTH") == 0


def test_tls_where_the_server_waits_for_starttls_says_what_to_set(
    serve: Serve, open_channel: OpenChannel
) -> None:
    with pytest.raises(ServerTroubleError, match=r'smtp\.security is mostly "starttls"'):
        open_channel(serve(starttls=True), security="tls").send(LETTER, final=yes)


def test_clear_text_where_the_server_waits_for_tls_says_what_to_set(
    serve: Serve, open_channel: OpenChannel
) -> None:
    channel = open_channel(serve(tls=True), security="starttls", timeout_seconds=0.3)

    with pytest.raises(ServerTroubleError, match=r'set smtp\.security = "tls"'):
        channel.send(LETTER, final=yes)


# ---- logins


@pytest.mark.parametrize("mechanism", ["CRAM-MD5", "PLAIN", "LOGIN"])
def test_each_way_to_log_in_works(
    serve: Serve, open_channel: OpenChannel, steps: list[Step], mechanism: str
) -> None:
    server = serve(starttls=True, logins={"deck": PASSWORD}, mechanisms=mechanism)

    open_channel(server, security="starttls", tell=steps.append, **LOGIN).send(LETTER, final=yes)

    assert len(server.mails) == 1
    told = " ".join(f"{step.said} {step.answer}" for step in steps)
    assert f"AUTH {mechanism}" in told
    assert not any(secret in told for secret in secrets())


def secrets() -> list[str]:
    words = (PASSWORD, f"\0deck\0{PASSWORD}")
    return [PASSWORD, *(b64encode(word.encode()).decode() for word in words)]


def test_a_login_that_is_known_only_by_name_is_passed_over(
    serve: Serve, open_channel: OpenChannel
) -> None:
    server = serve(logins={"deck": PASSWORD}, mechanisms="GSSAPI CRAM-MD5 LOGIN")
    server.says("AUTH", b"504 not today")

    open_channel(server, **LOGIN).send(LETTER, final=yes)

    assert len(server.mails) == 1


def test_an_empty_password_is_refused_like_any_wrong_one(
    serve: Serve, open_channel: OpenChannel
) -> None:
    server = serve(logins={"deck": PASSWORD}, mechanisms="PLAIN")

    with pytest.raises(ServerTroubleError, match=r"refuses the login .*check smtp\.username"):
        open_channel(server, username="deck", password="").send(LETTER, final=yes)


def test_a_wrong_password_is_not_tried_in_every_way(
    serve: Serve, open_channel: OpenChannel, breaker: OpenBreaker
) -> None:
    server = serve(logins={"deck": "another"})

    with pytest.raises(ServerTroubleError, match="refuses the login") as caught:
        open_channel(server, **LOGIN).send(LETTER, final=yes)

    assert server.came("AUTH") == 2
    assert "check smtp.username and smtp.password" in str(caught.value)
    assert [kind for kind, _ in breaker.failures] == [FailureKind.DENIED]


def test_a_login_that_fails_for_now_is_the_servers_trouble(
    serve: Serve, open_channel: OpenChannel, breaker: OpenBreaker
) -> None:
    server = serve(logins={"deck": PASSWORD})
    server.says("AUTH", b"454 4.7.0 later")

    with pytest.raises(ServerTroubleError, match="no login now"):
        open_channel(server, **LOGIN).send(LETTER, final=yes)

    assert [kind for kind, _ in breaker.failures] == [FailureKind.SERVER]


@pytest.mark.parametrize("mechanism", ["CRAM-MD5", "PLAIN", "LOGIN"])
@pytest.mark.parametrize("action", [drop, hang, b"what?", b"334 bm8=", b"250 ok", b"421 bye"])
def test_a_login_that_is_not_answered_is_no_login(
    serve: Serve, open_channel: OpenChannel, mechanism: str, action: Action
) -> None:
    server = serve(logins={"deck": PASSWORD}, mechanisms=mechanism)
    server.always("AUTH", action)

    with pytest.raises(ServerTroubleError):
        open_channel(server, timeout_seconds=0.5, **LOGIN).send(LETTER, final=yes)

    assert server.came("MAIL") == 0


def test_a_server_without_logins_is_said_to_have_none(
    serve: Serve, open_channel: OpenChannel
) -> None:
    with pytest.raises(ServerTroubleError, match="offers no login that is known here"):
        open_channel(serve(), **LOGIN).send(LETTER, final=yes)


def test_a_server_that_repeats_the_password_tells_nobody(
    serve: Serve, open_channel: OpenChannel, steps: list[Step]
) -> None:
    server = serve(logins={"deck": PASSWORD}, mechanisms="PLAIN")
    plain = secrets()[2]
    server.says("AUTH", f"535 5.7.8 {PASSWORD} {plain} is wrong".encode())

    with pytest.raises(ServerTroubleError) as caught:
        open_channel(server, tell=steps.append, **LOGIN).send(LETTER, final=yes)

    assert "is wrong" in steps[-1].answer
    told = f"{caught.value} {steps} {MailServer('h', 1, 'tls', 'a@b', password=PASSWORD)}"
    assert not any(secret in told for secret in secrets())


# ---- without a mail


def test_whether_mail_would_leave_is_found_out_without_one(
    serve: Serve, open_channel: OpenChannel
) -> None:
    server = serve(starttls=True, logins={"deck": PASSWORD})

    open_channel(server, security="starttls", **LOGIN).check()

    assert (server.came("MAIL"), server.came("QUIT")) == (0, 1)


def test_nobody_at_that_address_says_where_to_look(open_channel: OpenChannel) -> None:
    with ScriptedMailServer() as server:
        pass

    with pytest.raises(ServerTroubleError, match=r"check smtp\.host and smtp\.port"):
        open_channel(server).check()
