"""Mail by SMTP: one letter for each address, over connections that are kept for the next.

    send   may the server be asked (breaker)? -> a session, kept or new -> the letter -> kept again

Trouble with the server (it cannot be reached, refuses login or sender) is counted with the server:
after it everybody leaves it alone for a while. What it says of one letter concerns that alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from morningdeck.delivery import tell_nobody
from morningdeck.delivery.mail_server import PostOffice
from morningdeck.delivery.smtp_kept import KeptSessions
from morningdeck.delivery.smtp_line import ServerTroubleError
from morningdeck.delivery.smtp_opening import SmtpDoor
from morningdeck.delivery.smtp_session import Letter
from morningdeck.errors import (
    DatabaseAwayError,
    EndpointHeldError,
    EndpointTroubleError,
    PermanentError,
)
from morningdeck.mailboxes import Mailbox, mailbox
from morningdeck.model.sending import MAIL_ENDPOINT, Delivery, Receipt
from morningdeck.sockets import Deadline

if TYPE_CHECKING:
    from morningdeck.delivery import TellStep

SEND_SECONDS = 540.0
"""All of one sending; after ten minutes a delivery is somebody else's."""
PLACE_SECONDS = 60.0
FREE_AGAIN = timedelta(seconds=5)
"""When to come back where all connections are in use."""


class SmtpChannel:
    """The port `Channel`; thread safe."""

    def __init__(self, post_office: PostOffice, *, tell: TellStep) -> None:
        server = self._server = post_office.server
        self._sender = mailbox(server.sender)
        self._breaker = post_office.breaker
        self._clock = post_office.clock
        self._door = SmtpDoor(post_office, tell)
        self._places = BoundedSemaphore(server.connections)
        self._kept = KeptSessions(server)
        self._watched = tell is not tell_nobody
        self._trouble = ""
        """The last, for those who meet a hold."""

    def send(self, delivery: Delivery, *, final: Callable[[], bool]) -> Receipt:
        recipient = _recipient(delivery)
        letter = Letter(self._sender, recipient, delivery.content, delivery.message_id.strip("<>"))
        deadline = Deadline.after(SEND_SECONDS)
        with self._place(), self._asked():
            session = self._kept.take(deadline) or self._door.open(deadline)
            try:
                reply = session.send(letter, final)
            finally:
                self._kept.give(session)
        return Receipt("forbidden" if reply is None else str(reply))

    def check(self) -> None:
        """Connect, encrypt and log in as for a mail; raises what would keep one from leaving."""
        self._door.open(Deadline.after(SEND_SECONDS)).quit()

    def end_idle(self) -> None:
        """Say goodbye where no mail has followed."""
        self._kept.end_idle()

    def close(self) -> None:
        self._kept.close()

    @contextmanager
    def _place(self) -> Iterator[None]:
        if not self._places.acquire(timeout=PLACE_SECONDS):
            raise EndpointHeldError(self._server.name, self._clock() + FREE_AGAIN)
        try:
            yield
        finally:
            self._places.release()

    @contextmanager
    def _asked(self) -> Iterator[None]:
        """The server's trouble is told to the breaker; what it says of a letter is no trouble."""
        if self._watched:
            self._breaker.look_again(MAIL_ENDPOINT)
        try:
            admission = self._breaker.admit(MAIL_ENDPOINT)
        except EndpointHeldError as held:
            why = self._trouble or f"{self._server.name} has failed, see morningdeck status"
            raise EndpointTroubleError("mail is held", held.until, why) from held
        try:
            yield
        except ServerTroubleError as error:
            self._trouble = str(error)
            with suppress(DatabaseAwayError):
                self._breaker.failed(admission, None, error.kind, str(error))
            raise
        except BaseException:
            with suppress(DatabaseAwayError):
                self._breaker.succeeded(admission)
            raise
        # the mail is there: nothing that happens now may speak against it
        with suppress(DatabaseAwayError):
            self._breaker.succeeded(admission)


def _recipient(delivery: Delivery) -> Mailbox:
    try:
        return mailbox(delivery.address)
    except ValueError as error:
        raise PermanentError("mail: its address is none that mail can be sent to") from error
