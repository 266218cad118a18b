"""The command `morningdeck`: exit codes and the last line of defence."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from typer.main import get_command

from morningdeck.cli.commands import commands
from morningdeck.cli.globals import split
from morningdeck.errors import ConfigError, MorningDeckError

FAILED, WRONG_USAGE, INTERRUPTED = 1, 2, 130


def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # whoever read has seen enough; the interpreter must not try to flush once more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = FAILED
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code."""
    try:
        command = get_command(commands)
        chosen, rest = split(arguments, command)
        command(args=rest, prog_name="morningdeck", obj=chosen)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except ConfigError as error:
        return _fail(error, WRONG_USAGE)
    except MorningDeckError as error:
        return _fail(error, FAILED)
    return 0


def _fail(error: MorningDeckError, code: int) -> int:
    line = " ".join(str(error).split())
    print(f"morningdeck: {line}", file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
