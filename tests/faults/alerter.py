"""The program, which a test kills before or after what it does for saved searches.

`ALERTER_FAULT` is a point such as `before save`; the channel is that of `postbox`.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from morningdeck.__main__ import main
from morningdeck.delivery import CHANNELS, ChannelKind
from morningdeck.store.rows.alerts import SqlAlertRows
from morningdeck.store.rows.briefings import SqlBriefingRows
from tests.faults.postbox import Postbox

POINTS = ((SqlAlertRows, "save"), (SqlAlertRows, "ask"), (SqlBriefingRows, "open_at_once"))


def struck(named: str, fault: str, do: Callable[..., Any]) -> Callable[..., Any]:
    """Kills when there is something to do at all."""

    def done(*given: Any, **named_too: Any) -> Any:
        if fault == f"before {named}" and (named != "ask" or given[0].waits(given[1])):
            os.kill(os.getpid(), signal.SIGKILL)
        result = do(*given, **named_too)
        if fault == f"after {named}" and result:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    return done


if __name__ == "__main__":
    fault = os.environ.get("ALERTER_FAULT", "")
    for kind, name in POINTS:
        setattr(kind, name, struck(name, fault, getattr(kind, name)))
    postbox = Postbox(Path(os.environ["POSTBOX"]), os.environ.get("POSTBOX_FAULT", ""))
    CHANNELS["postbox"] = ChannelKind(lambda means: postbox)
    main()
