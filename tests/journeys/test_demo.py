"""The demo: everything on bundled feeds, whatever the user has set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from morningdeck.__main__ import run


def test_the_demo_plays_all_of_it_and_ignores_the_users_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MORNINGDECK_FETCH__WORKERS", "nonsense")

    code = run(["demo", "--json", "--keep", str(tmp_path / "demo")])

    shown = json.loads(capsys.readouterr().out)
    assert code == 0
    assert Path(shown["report"]).is_relative_to(tmp_path / "demo")
    assert Path(shown["report"]).with_suffix(".html").exists()
    assert shown["items"] > shown["stories"] > 0
    assert "wind farm" in shown["search"]["hits"][0]["title"].lower()
    assert run(["demo", "--keep", str(tmp_path / "demo")]) == 1
