"""What we put on disk: for its owner alone, whatever the umask, and never through a link.

Folders and files that exist already keep the rights that somebody gave them.
"""

from __future__ import annotations

import os
from contextlib import suppress
from glob import escape
from pathlib import Path

FOLDER_MODE, FILE_MODE = 0o700, 0o600
_NEW = os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def make_folder(path: Path) -> None:
    """The folder is there afterwards, and so are those above it."""
    try:
        path.mkdir(FOLDER_MODE)
    except FileNotFoundError:
        make_folder(path.parent)
        path.mkdir(FOLDER_MODE, exist_ok=True)
    except FileExistsError:
        if not path.is_dir():
            raise


def draft_of(path: Path, *, alone: bool = False) -> Path:
    """Where a file is written before it is renamed into its place. Who may not be `alone` with it
    has a draft of its own, and removes those that killed processes have left.
    """
    if alone:
        return path.with_name(f".{path.name}.part")
    for left in path.parent.glob(f".{escape(path.name)}.*.part"):
        pid = left.name.split(".")[-2]
        if pid.isdecimal() and not _lives(int(pid)):
            left.unlink(missing_ok=True)
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass  # it is somebody else's
    return True


def create(path: Path) -> int:
    """A descriptor of a new file; what has that name is removed, not followed."""
    path.unlink(missing_ok=True)
    return os.open(path, os.O_WRONLY | _NEW, FILE_MODE)


def create_if_missing(path: Path) -> None:
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | _NEW, FILE_MODE))


def write(path: Path, content: bytes) -> None:
    """New, and on disk when this returns."""
    with os.fdopen(create(path), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def replace(path: Path, content: bytes) -> None:
    """The file has this content or what it had before; a device or pipe is written to."""
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    draft = draft_of(path)
    try:
        write(draft, content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
