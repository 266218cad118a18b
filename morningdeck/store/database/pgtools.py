"""PostgreSQL's own programs, run so that nobody who lists processes learns a password.

Where to connect, and as whom, stands in a file that only its owner may read.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from sqlalchemy.engine import URL

from morningdeck.errors import ConfigError, ConflictError, PermanentError

SERVICE = "morningdeck"
DATABASE = ("--no-password", "--dbname", f"service={SERVICE}")
_MORE = re.compile(r"\w+: (?:detail|hint): (.+)")


def run_tool(tool: str, address: URL, *options: str) -> None:
    program = shutil.which(tool)
    if program is None:
        raise ConflictError(
            f"{tool} is not installed: install PostgreSQL's client programs"
            " (Debian: postgresql-client), or run it where they are"
        )
    with tempfile.TemporaryDirectory(prefix="morningdeck-") as folder:  # 0700
        environment = {**_without_ours(os.environ), **_address_in(Path(folder), address)}
        done = subprocess.run(
            [program, *DATABASE, *options],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
    if done.returncode != 0:
        raise PermanentError(_why(done.stderr) or f"{tool}: exit code {done.returncode}")


def _why(told: str) -> str:
    """Its first line, and what it says of that: which versions do not fit, what to try."""
    first, *others = told.strip().splitlines() or [""]
    more = (_MORE.match(line) for line in others)
    return "; ".join([first, *(found[1] for found in more if found)])


def _without_ours(environment: os._Environ[str]) -> dict[str, str]:
    """The tool needs none of our settings, some of which are secrets."""
    foreign = ("MORNINGDECK_", "DATABASE_URL", "OPENAI_")
    return {name: value for name, value in environment.items() if not name.startswith(foreign)}


def _address_in(folder: Path, address: URL) -> dict[str, str]:
    """A service file, and one for the password, which may hold what a service file cannot."""
    _, known = address.get_dialect()().create_connect_args(address)
    password = str(known.pop("password", ""))
    lines = [f"[{SERVICE}]", *(f"{name}={value}" for name, value in known.items())]
    if any("\n" in line for line in (*lines, password)):
        raise ConfigError("database.url: PostgreSQL's programs take no line breaks")
    files = {"PGSERVICEFILE": "\n".join(lines)}
    if password:
        escaped = password.replace("\\", "\\\\").replace(":", "\\:")
        files["PGPASSFILE"] = f"*:*:*:*:{escaped}"
    for name, content in files.items():
        file = folder / name
        file.touch(0o600)
        file.write_text(f"{content}\n", encoding="utf-8")
    return {name: str(folder / name) for name in files}
