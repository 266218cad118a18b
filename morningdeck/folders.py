"""Where a deck and its settings lie when nobody says so: here if they are here, else at home.

    ./data                    or  $XDG_DATA_HOME/morningdeck    (~/.local/share/morningdeck)
    ./config/morningdeck.toml or  $XDG_CONFIG_HOME/morningdeck/morningdeck.toml  (~/.config/...)

So a command finds the same deck, with the same settings, from whatever folder it is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

PROGRAM = "morningdeck"
HERE = Path("data")
SETTINGS_HERE = Path("config") / "morningdeck.toml"
OWN = frozenset({"run", "morningdeck.db"})
"""What a data folder of ours has from its first use on."""


def data_folder(environment: Mapping[str, str]) -> Path:
    """`data` here if it is ours or was made for us; that of somebody else's project is not."""
    if HERE.is_dir() and _may_be_ours(HERE):
        return HERE
    return _at_home(environment, "XDG_DATA_HOME", ".local/share") or HERE


def _may_be_ours(folder: Path) -> bool:
    try:
        names = {entry.name for entry in folder.iterdir() if not entry.name.startswith(".")}
    except OSError:  # whose it is cannot be seen: using it will say so
        return True
    return not names or bool(names & OWN)


def settings_file(environment: Mapping[str, str]) -> Path:
    """Where settings may be; there need not be any."""
    if SETTINGS_HERE.exists():
        return SETTINGS_HERE
    folder = _at_home(environment, "XDG_CONFIG_HOME", ".config")
    return SETTINGS_HERE if folder is None else folder / SETTINGS_HERE.name


def begins(folder: Path) -> bool:
    """Is it still without a deck?"""
    try:
        return not any((folder / name).exists() for name in OWN)
    except OSError:  # no name that a folder can have: using it will say so
        return False


def _at_home(environment: Mapping[str, str], variable: str, usual: str) -> Path | None:
    """A relative path in the variable counts as none, as the XDG specification has it."""
    chosen = Path(environment.get(variable) or ".")
    if chosen.is_absolute():
        return chosen / PROGRAM
    home = Path(environment.get("HOME") or ".")
    return home / usual / PROGRAM if home.is_absolute() else None
