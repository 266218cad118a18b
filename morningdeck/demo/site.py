"""The bundled feeds as web sites on loopback, dated so that their news is new today."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from email.utils import format_datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files

PageFor = Callable[[str], bytes | None]
"""What lies at a path besides the feeds."""

_AGO = re.compile(rb"\{\{ago:(\d+)([mhd])\|(rfc822|rfc3339)\}\}")
_UNITS = {b"m": "minutes", b"h": "hours", b"d": "days"}


def feed_names() -> tuple[str, ...]:
    names = (entry.name for entry in files("morningdeck.demo").joinpath("feeds").iterdir())
    return tuple(sorted(name for name in names if name.endswith((".xml", ".json"))))


def feed(name: str, base: str, now: datetime) -> bytes:
    """The feed's bytes, in their own encoding: only ASCII placeholders are replaced."""

    def date(match: re.Match[bytes]) -> bytes:
        then = now - timedelta(**{_UNITS[match[2]]: int(match[1])})
        text = format_datetime(then) if match[3] == b"rfc822" else then.isoformat()
        return text.encode("ascii")

    raw = files("morningdeck.demo").joinpath("feeds", name).read_bytes()
    return _AGO.sub(date, raw).replace(b"{{base}}", base.encode("ascii"))


@contextmanager
def serve(now: datetime, page: PageFor) -> Iterator[str]:
    """Serve feeds and pages while the block runs; yields the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.lstrip("/")
            body = feed(path, base, now) if path in names else page(self.path)
            self.send_response(HTTPStatus.OK if body is not None else HTTPStatus.NOT_FOUND)
            self.send_header("Content-Length", str(len(body or b"")))
            if path not in names:
                self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_: object) -> None:
            """Nothing: the daemon's own log tells what was fetched."""

    names = frozenset(feed_names())
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    base = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, name="demo-site", daemon=True)
    thread.start()
    try:
        yield base
    finally:
        server.shutdown()
        server.server_close()
