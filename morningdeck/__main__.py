"""The command `morningdeck`: exit codes and the last line of defence."""

from __future__ import annotations

import errno
import os
import sys
import threading
import traceback
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from types import TracebackType

from typer.exceptions import TyperException
from typer.main import get_command

from morningdeck.cli.commands import commands
from morningdeck.cli.globals import split
from morningdeck.cli.output import readable
from morningdeck.discreet import LONGEST_TRACEBACK, said
from morningdeck.errors import ConfigError, MorningDeckError

FAILED, WRONG_USAGE, INTERRUPTED = 1, 2, 130
LONGEST_LINE = 700
OUR_WORDS = {
    "Value error, ": "",
    "Input should be": "must be",
    "a valid integer, unable to parse string as an integer": "a whole number",
}
"""For those of Typer and pydantic."""


def main() -> None:
    # also what libraries and other programs write for us is its user's alone
    os.umask(0o077)
    # we have none, and pydantic would look for them in the metadata of every package
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    sys.excepthook = _tell_bug
    threading.excepthook = lambda bug: _tell_bug(bug.exc_type, bug.exc_value, bug.exc_traceback)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = run_command(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # whoever read has seen enough; the interpreter must not try to flush once more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = FAILED
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        code = _fail(f"cannot write: {error.strerror}", FAILED)
    _leave(code)


def _leave(code: int) -> None:
    """At once: taking all modules apart takes a third of a short command, and nobody needs it."""
    with suppress(OSError, ValueError):  # nobody reads it any more
        sys.stderr.flush()
    os._exit(code)


def run_command(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code."""
    try:
        command = get_command(commands)
        chosen, rest = split(arguments, command)
        code = command(args=rest, prog_name="morningdeck", obj=chosen, standalone_mode=False)
        return code if isinstance(code, int) else 0
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else FAILED
    except TyperException as error:
        return _fail(_usage(error), error.exit_code)
    except KeyboardInterrupt:
        return INTERRUPTED
    except ConfigError as error:
        return _fail(str(error), WRONG_USAGE)
    except MorningDeckError as error:
        return _fail(str(error), FAILED)


def _usage(error: TyperException) -> str:
    """What is wrong with the words, and which command explains them."""
    wrong = error.format_message().rstrip(".")
    for theirs, ours in OUR_WORDS.items():
        wrong = wrong.replace(theirs, ours)
    context = getattr(error, "ctx", None)
    return f"{wrong}, see: {context.command_path} --help" if context is not None else wrong


def _fail(text: str, code: int) -> int:
    line = " ".join(readable(text).split())
    if len(line) > LONGEST_LINE:  # what was given may be long, what to do stands at the end
        line = f"{line[: LONGEST_LINE - 200]} ... {line[-200:]}"
    print(f"morningdeck: {line}", file=sys.stderr)
    return code


def _tell_bug(
    kind: type[BaseException], bug: BaseException | None, where: TracebackType | None
) -> None:
    """The traceback, without secrets in addresses and without what steers a terminal."""
    text = "".join(traceback.format_exception(kind, bug, where))
    sys.stderr.write(said(text, LONGEST_TRACEBACK))


if __name__ == "__main__":
    main()
