"""A user at the command line: a data folder, a database, sites on loopback."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from morningdeck.__main__ import run_command


@dataclass
class Deck:
    """Runs commands as a user does; `ask` wants JSON back."""

    folder: Path
    capture: pytest.CaptureFixture[str]

    def do(self, *words: object) -> tuple[int, str, str]:
        code = run_command([str(word) for word in words])
        out, err = self.capture.readouterr()
        return code, out, err

    def ask(self, *words: object) -> Any:
        code, out, err = self.do(*words, "--json")
        assert code == 0, err
        return json.loads(out)

    def refused(self, *words: object) -> tuple[int, str]:
        """The exit code and the one line that tells why."""
        code, out, err = self.do(*words)
        assert out == ""
        said = [line for line in err.splitlines() if line.startswith("morningdeck: ")]
        assert len(said) == 1, err
        return code, said[0]


@pytest.fixture
def deck(
    tmp_path: Path,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Deck:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MORNINGDECK_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("MORNINGDECK_HTTP__ALLOW_NETWORKS", '["127.0.0.0/8"]')
    monkeypatch.setenv("MORNINGDECK_HTTP__REQUESTS_PER_HOST_SECOND", "0")
    return Deck(tmp_path, capsys)
