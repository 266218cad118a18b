"""A shell completes commands, options and their values."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PLACE = Path(sys.executable).parent


def answer(*command: str, **variables: str) -> str:
    environment = {**os.environ, "PATH": f"{PLACE}:{os.environ['PATH']}", **variables}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("morningdeck so", "source"),
        ("morningdeck source deact", "deactivate"),
        ("morningdeck source list --hea", "--health"),
        ("morningdeck source list --health deg", "degraded"),
        ("morningdeck --json --user ada@example.org source li", "list"),
        ("morningdeck --conf", "--config"),
    ],
)
def test_bash_completes_what_is_begun(line: str, completed: str) -> None:
    script = """
        eval "$(morningdeck --show-completion)"
        COMP_WORDS=($0) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _morningdeck_completion morningdeck
        echo "${COMPREPLY[@]}"
    """
    assert answer("bash", "-c", script, line).split() == [completed]


@pytest.mark.parametrize(
    ("shell", "more"), [("zsh", {}), ("fish", {"_TYPER_COMPLETE_FISH_ACTION": "get-args"})]
)
def test_other_shells_are_answered_too(shell: str, more: dict[str, str]) -> None:
    asked = {"_TYPER_COMPLETE_ARGS": "morningdeck source deact", **more}

    told = answer("morningdeck", _MORNINGDECK_COMPLETE=f"complete_{shell}", **asked)

    assert "deactivate" in told
    assert "morningdeck" in answer("morningdeck", _MORNINGDECK_COMPLETE=f"source_{shell}")


def test_it_is_installed_for_the_shell_that_asks(tmp_path: Path) -> None:
    answer("bash", "-c", "morningdeck --install-completion; true", HOME=str(tmp_path))

    assert str(tmp_path / ".bash_completions" / "morningdeck.sh") in (
        (tmp_path / ".bashrc").read_text()
    )
