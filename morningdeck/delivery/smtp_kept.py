"""Sessions with a mail server that wait for another mail."""

from __future__ import annotations

from threading import Lock
from time import monotonic

from morningdeck.delivery.mail_server import MailServer
from morningdeck.delivery.smtp_session import SmtpSession
from morningdeck.sockets import Deadline


class KeptSessions:
    """Thread safe. None is used for more mails, or kept for longer without one, than is set."""

    def __init__(self, server: MailServer) -> None:
        self._server = server
        self._lock = Lock()
        self._idle: list[SmtpSession] = []
        self._closed = False

    def take(self, deadline: Deadline) -> SmtpSession | None:
        """One that its server still wants to go on with, as far as it says."""
        while (session := self._newest()) is not None:
            session.line.deadline = deadline
            if not self._stale(session) and session.is_ready():
                return session
            session.quit()
        return None

    def give(self, session: SmtpSession) -> None:
        session.idle_since = monotonic()
        with self._lock:
            keep = not self._closed and session.mails < self._server.mails_per_connection
            if keep and session.line.is_open:
                self._idle.append(session)
                return
        session.quit()

    def end_idle(self) -> None:
        with self._lock:
            stale = [session for session in self._idle if self._stale(session)]
            self._idle = [session for session in self._idle if session not in stale]
        for session in stale:
            session.quit()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for session in idle:
            session.quit()

    def _newest(self) -> SmtpSession | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _stale(self, session: SmtpSession) -> bool:
        return monotonic() - session.idle_since >= self._server.idle_seconds
