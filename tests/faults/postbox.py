"""The program with a channel more, which keeps each mail that it was ever handed.

`POSTBOX` is its folder, `POSTBOX_FAULT` a step and what happens there, once: `sent:kill`.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from morningdeck.__main__ import main
from morningdeck.delivery import CHANNELS, ChannelKind
from morningdeck.errors import PermanentError, TransientError
from morningdeck.model.sending import Delivery, Receipt


class Panic(BaseException):
    """What a part that is written in Rust raises."""


class Unspeakable:
    """Words that no database keeps."""


class Postbox:
    """Like a mail server, it takes the same message as often as it is sent."""

    def __init__(self, folder: Path, fault: str) -> None:
        self._mails = folder / "mails"
        self._struck = folder / "struck"
        self._step, _, self._fault = fault.partition(":")

    def send(self, delivery: Delivery, *, final: Callable[[], bool]) -> Receipt:
        self._reach("body")
        if not final():
            raise TransientError("postbox: not allowed")
        self._reach("final")
        _append(self._mails, delivery.message_id)
        return Receipt(self._reach("sent") or "250 ok")

    def _reach(self, step: str) -> Any:
        if step != self._step or self._struck.exists():
            return None
        _append(self._struck, step)
        match self._fault:
            case "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            case "refuse":
                raise PermanentError("postbox: nobody of that name lives here")
            case "reset":
                raise ConnectionResetError(104, "Connection reset by peer")
            case "reply":
                b"250 \xff".decode()
            case "panic":
                raise Panic
            case "receipt":
                return Unspeakable()
        return None


def _append(path: Path, line: str) -> None:
    with path.open("a") as file:
        file.write(f"{line}\n")
        file.flush()
        os.fsync(file.fileno())


if __name__ == "__main__":
    postbox = Postbox(Path(os.environ["POSTBOX"]), os.environ.get("POSTBOX_FAULT", ""))
    CHANNELS["postbox"] = ChannelKind(lambda means: postbox)
    main()
