"""Reports as files: the mail (.eml) and its page (.html), side by side in one folder.

Both are there in full or not at all: each is written under another name and renamed, the
.eml last, so that whoever sees the .eml finds the .html too. Writing the same report twice
changes nothing, so there is no point of no return to announce.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from morningdeck.delivery import TellStep, tell_nobody
from morningdeck.errors import PermanentError, TransientError
from morningdeck.files import draft_of, make_folder, write
from morningdeck.model.sending import A_TEST, Delivery, Receipt, Step


class FolderChannel:
    def __init__(self, folder: Path, tell: TellStep = tell_nobody) -> None:
        self._folder = folder.absolute()
        self._tell = tell

    def send(self, delivery: Delivery, *, final: Callable[[], bool]) -> Receipt:
        page = self._folder / f"{delivery.file_stem}.html"
        mail = self._folder / f"{delivery.file_stem}.eml"
        if delivery.html is None:
            raise PermanentError(f"folder: the page of report {delivery.report_id} is not kept")
        contents = {page: delivery.html.encode(), mail: delivery.content}
        try:
            make_folder(self._folder)
            self._write(contents, alone=delivery.id != A_TEST)
        except OSError as error:
            reason = error.strerror or error
            self._tell(Step(f"write to {self._folder}", str(reason)))
            raise TransientError(
                f"folder: cannot write to {self._folder} ({reason}), make it a folder with"
                " free space that Morning Deck may write to, or set delivery.folder"
            ) from error
        for path, content in contents.items():
            self._tell(Step(f"write {path}", f"{len(content):,} bytes"))
        return Receipt(reply=str(mail))

    def _write(self, contents: dict[Path, bytes], *, alone: bool) -> None:
        """The fence of a delivery's row keeps others out; a test has none."""
        drafts = {draft_of(path, alone=alone): path for path in contents}
        renamed: list[Path] = []
        try:
            for draft, path in drafts.items():
                write(draft, contents[path])
            for draft, path in drafts.items():
                draft.replace(path)
                renamed.append(path)
            _flush_names(self._folder)
        except OSError:
            for path in renamed:
                path.unlink(missing_ok=True)
            raise
        finally:
            for draft in drafts:
                draft.unlink(missing_ok=True)


def _flush_names(folder: Path) -> None:
    """A rename survives a power cut only once the folder itself is on disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
