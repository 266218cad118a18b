"""One deck, wherever its commands are called; never a second one without a word."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from morningdeck.folders import data_folder, settings_file

HOME = {"HOME": "/home/ada"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def morningdeck(folder: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
    return subprocess.run(
        [sys.executable, "-m", "morningdeck", *words, "--json"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("variables", "path"),
    [
        (HOME, "/home/ada/.local/share/morningdeck"),
        ({**HOME, "XDG_DATA_HOME": "/srv"}, "/srv/morningdeck"),
        ({**HOME, "XDG_DATA_HOME": "relative"}, "/home/ada/.local/share/morningdeck"),
        ({**HOME, "XDG_DATA_HOME": ""}, "/home/ada/.local/share/morningdeck"),
        ({}, "data"),
    ],
)
def test_without_a_folder_here_the_deck_is_at_home(variables: dict[str, str], path: str) -> None:
    assert data_folder(variables) == Path(path)


@pytest.mark.parametrize("own", [None, ".keep", "run", "morningdeck.db"])
def test_a_folder_here_that_is_ours_or_empty_comes_first(folder: Path, own: str | None) -> None:
    (folder / "data").mkdir()
    if own is not None:
        (folder / "data" / own).touch()

    assert data_folder(HOME) == Path("data")


def test_the_data_of_another_project_is_not_for_a_deck(folder: Path) -> None:
    (folder / "data").mkdir()
    (folder / "data" / "measurements.csv").touch()

    assert data_folder(HOME) != Path("data")


def test_settings_here_come_before_those_at_home(folder: Path) -> None:
    at_home = settings_file({"XDG_CONFIG_HOME": "/etc/xdg"})
    (folder / "config").mkdir()
    (folder / "config" / "morningdeck.toml").touch()

    assert at_home == Path("/etc/xdg/morningdeck/morningdeck.toml")
    assert settings_file({}) == Path("config/morningdeck.toml")


def test_a_new_deck_is_named_once_and_found_from_everywhere(folder: Path) -> None:
    home, elsewhere = folder / "home", folder / "elsewhere"
    elsewhere.mkdir()

    first = morningdeck(folder, home, "user", "add", "ada@example.org")
    again = morningdeck(elsewhere, home, "user", "list")

    assert str(home / ".local/share/morningdeck") in first.stderr
    assert (first.returncode, first.stderr.count("\n"), again.stderr) == (0, 1, "")
    assert json.loads(again.stdout)[0]["email"] == "ada@example.org"
    assert not (folder / "data").exists()


def test_settings_at_home_hold_wherever_a_command_is_called(folder: Path) -> None:
    settings = folder / "home" / ".config" / "morningdeck" / "morningdeck.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[fetch]\nworkers = 7")

    shown = morningdeck(folder, folder / "home", "config")

    assert json.loads(shown.stdout)["fetch"]["workers"] == 7
