"""The web in the daemon: on a thread of its own, beside the loops.

A port that cannot be had keeps nobody from working: the admins get a notice, and it is tried again.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from morningdeck.errors import ConfigError, ConflictError, TransientError
from morningdeck.logs import log
from morningdeck.web.application import make_application
from morningdeck.web.server import WebServer, open_port, tell_whose_it_is

if TYPE_CHECKING:
    from morningdeck.app import App
    from morningdeck.web.application import Loops

THREADS = 4
"""As many as there are connections beside those of the workers."""
PORT_AGAIN_SECONDS = 5.0


class WebBeside:
    def __init__(self, app: App, loops: Loops) -> None:
        self._app = app
        self._application = make_application(app, loops)
        self._server: WebServer | None = None
        self._try_at = 0.0
        self._told: str | None = ""

    def look(self) -> None:
        """Begin, as soon as there is a port to be had."""
        if self._server is not None and not self._server.runs:
            log.error("web_ended", advice="it begins anew")
            self._server = None
        if (self._server is not None and self._told is None) or time.monotonic() < self._try_at:
            return
        self._try_at = time.monotonic() + PORT_AGAIN_SECONDS
        try:
            self._tell(self._begun())
        except TransientError as error:
            log.warning("web_waits", error=str(error))

    def _begun(self) -> str | None:
        """What keeps it from that."""
        if self._server is not None:
            return None
        try:
            listener = open_port(self._app)
        except (ConfigError, ConflictError) as error:
            return str(error)
        self._server = WebServer(self._application, listener, threads=THREADS)
        self._server.start()
        log.info("web_started", url=self._server.url)
        tell_whose_it_is(self._app)
        return None

    def _tell(self, trouble: str | None) -> None:
        """Each trouble once."""
        if trouble == self._told:
            return
        if trouble is not None:
            log.warning("web_not_started", error=trouble)
        app = self._app
        app.store.web_notices.tell(app.node.name, trouble, app.clock())
        self._told = trouble

    def close(self, seconds: float) -> None:
        """Take no new requests."""
        if self._server is not None:
            self._server.close(seconds)

    def stop(self, seconds: float) -> bool:
        """Finish those that are under way; False where some were cut off."""
        return self._server is None or self._server.stop(seconds)
