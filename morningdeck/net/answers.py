"""What an answer, or the lack of one, means: a page, a later try, or no use at all.

Whatever is said names the host only: paths, queries and passwords may be secrets.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from http.client import HTTPException, IncompleteRead, LineTooLong, responses
from socket import EAI_AGAIN, gaierror

from morningdeck.errors import MorningDeckError, PermanentError, TransientError
from morningdeck.holds import retry_after
from morningdeck.ports.engine import Clock

REDIRECTS = frozenset({301, 302, 303, 307, 308})
ASK_LATER = frozenset({408, 425, 429})
IN_PART = frozenset({206, 226})
"""Parts of a page, and differences between two: we ask for neither."""
ADVICE = {
    401: "it wants a login: write user:password@ before the host if you have one",
    403: "it does not let this reader in",
    404: "check the address",
    410: "it is gone for good",
}


class Hiccup(TransientError):
    """May be over in a second: worth asking again at once."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def is_page(self) -> bool:
        if self.status in IN_PART:
            return False
        return 200 <= self.status < 300 or self.status == 304

    @property
    def is_redirect(self) -> bool:
        return self.status in REDIRECTS and bool(self.headers.get("location"))


def refusal(host: str, answer: Answer, clock: Clock) -> MorningDeckError:
    """The error to raise for an answer that is no page."""
    status = answer.status
    said = f"{host}: answered {status} {responses.get(status, '')}".rstrip()
    if 300 <= status < 500 and status not in ASK_LATER:
        advice = ADVICE.get(status)
        return PermanentError(f"{said}, {advice}" if advice else said, status=status)
    asked = answer.headers.get("retry-after")
    if status in ASK_LATER or asked is not None:
        return TransientError(said, after=retry_after(asked or "", clock()))
    return Hiccup(said)


def trouble(host: str, error: OSError | HTTPException) -> TransientError:
    """The error to raise for what the network, or http.client, has raised."""
    match error:
        case TimeoutError():
            return TransientError(f"{host}: no complete answer in time")
        case ssl.SSLCertVerificationError():
            return TransientError(f"{host}: its certificate is not valid: {error.verify_message}")
        case ssl.SSLError():
            return Hiccup(f"{host}: the secure connection failed ({error.reason})")
        # Not worth another try at once: the system has asked its name servers several times.
        case gaierror() if error.errno == EAI_AGAIN:
            return TransientError(f"{host}: no name server answers ({error.strerror})")
        case gaierror():
            return TransientError(f"{host}: no such host ({error.strerror}), check the address")
        case OSError():
            return Hiccup(f"{host}: {error.strerror or error}")
        case IncompleteRead():
            return Hiccup(f"{host}: the answer ended early")
        case _:
            # These two have a message of the library's own; the others quote the server.
            plain = type(error) in (HTTPException, LineTooLong)
            why = str(error) if plain else type(error).__name__
            return Hiccup(f"{host}: the answer is not valid HTTP ({why})")
