"""The picture of a report's lead, if one can be had in a moment: no briefing waits for it or fails.

What is private to its reader is left alone: the server of a letter's picture would learn that the
letter was read.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from threading import Thread

from morningdeck.errors import MorningDeckError
from morningdeck.logs import log
from morningdeck.model.pictures import Picture
from morningdeck.model.sending import Report
from morningdeck.ports.verbs import Http

PICTURE_SECONDS = 4.0
PICTURE_TYPES = "image/jpeg, image/png, image/webp, image/gif"


@dataclass(frozen=True, slots=True)
class Pictures:
    """`url_of` knows the picture of an item, `shrink` makes one small enough for a mail."""

    url_of: Callable[[int], str | None]
    http: Http
    shrink: Callable[[bytes], Picture]
    seconds: float = PICTURE_SECONDS

    def __call__(self, report: Report) -> Report:
        lead = report.lead
        if lead is None or lead.private:
            return report
        found: Future[Picture | None] = Future()
        looks = Thread(target=self._look, args=(lead.item_id, found), name="picture", daemon=True)
        looks.start()
        if not wait((found,), self.seconds).done:
            log.info("picture_left_out", item_id=lead.item_id, reason="it took too long")
            return report
        return replace(report, picture=found.result())

    def _look(self, item_id: int, found: Future[Picture | None]) -> None:
        """Nobody is at hand any more to catch what is raised here."""
        picture = None
        try:
            if url := self.url_of(item_id):
                picture = self.shrink(self.http.get(url, accept=PICTURE_TYPES).body)
        except MorningDeckError as error:
            log.info("picture_left_out", item_id=item_id, reason=str(error))
        except Exception:
            log.exception("picture_left_out", item_id=item_id)
        finally:
            found.set_result(picture)
