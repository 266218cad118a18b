"""What takes long to import is imported by the command that uses it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys
from morningdeck.__main__ import run_command
code = run_command(sys.argv[1:])
print(*sys.modules, file=sys.stderr)
sys.exit(code)
"""
HEAVY = {
    *(
        "alembic",
        "apscheduler",
        "argon2",
        "asyncio",
        "babel",
        "css_inline",
        "fasttext",
        "fastapi",
        "jinja2",
        "lxml",
        "numpy",
    ),
    *("psycopg2", "pydantic", "rich.console", "sqlalchemy", "ssl", "structlog", "tokenizers"),
    *("sqlalchemy.dialects.postgresql", "trafilatura", "uvicorn"),
    *("morningdeck.engine.engine", "morningdeck.net", "morningdeck.parsing.pool"),
}
OF_THE_DATABASE = {"sqlalchemy", "asyncio", "ssl"}


def heavy_imports_of(folder: Path, *words: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *words],
        env={**os.environ, "MORNINGDECK_DATA_DIR": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return HEAVY & set(done.stderr.split())


def test_help_imports_nothing_that_takes_long(tmp_path: Path) -> None:
    assert heavy_imports_of(tmp_path, "--help") == set()
    assert heavy_imports_of(tmp_path, "briefing", "add", "--help") <= {"pydantic"}  # typer's own


@pytest.mark.parametrize(
    "command", ["source list", "briefing list", "item list", "user list", "status"]
)
def test_what_only_looks_imports_the_settings_and_the_database(
    command: str, tmp_path: Path
) -> None:
    heavy_imports_of(tmp_path, "status")  # it brings a new database to its schema

    allowed = {"pydantic", *OF_THE_DATABASE}

    assert heavy_imports_of(tmp_path, *command.split()) <= allowed


def test_a_daemon_without_work_has_neither_parsers_nor_vectors_in_it(tmp_path: Path) -> None:
    heavy_imports_of(tmp_path, "status")

    engine = {"apscheduler", "structlog", "rich.console", "morningdeck.engine.engine"}
    allowed = {"pydantic", *OF_THE_DATABASE, *engine}

    assert heavy_imports_of(tmp_path, "run", "--once") <= allowed
