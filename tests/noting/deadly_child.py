"""A note-taker that dies of some titles, as `morningdeck.noting.child` might."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from morningdeck.model.making import Article, Notes
from morningdeck.noting.child import serve_callers
from tests.fakes import CountingModel, notes_of
from tests.waiting import until


class DeadlyNotes:
    """Of `dies`, and once of `dies once: FILE`, which is made then; `fails` only fails, `panics` as
    parts written in Rust do, and `waits: FILE` waits until that is there.
    """

    def __init__(self, model: CountingModel) -> None:
        self._notes = notes_of(model)

    def take(self, article: Article, address: str | None, *, place: bool, tell: bool) -> Notes:
        what, _, file = article.title.partition(": ")
        if what == "fails":
            raise ValueError("some bug")
        if what == "panics":
            raise BaseException("some panic")
        if what == "dies" or (what == "dies once" and not Path(file).exists()):
            Path(file or os.devnull).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if what == "waits":
            until(Path(file).exists)
        return self._notes.take(article, address, place=place, tell=tell)


if __name__ == "__main__":
    model = CountingModel()
    serve_callers(DeadlyNotes(model), model, sys.stdin.fileno(), int(sys.argv[2]))
