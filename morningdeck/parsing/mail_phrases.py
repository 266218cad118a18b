"""What letters say in every language, as `mail_phrases.toml` lists it."""

from __future__ import annotations

import tomllib
from pathlib import Path

_LISTED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def any_of(kind: str) -> str:
    """A regular expression for one phrase of this kind."""
    return f"(?:{'|'.join(_LISTED[kind])})"
