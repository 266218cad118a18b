"""What models are asked with: one file for each purpose, which a user may replace by one of theirs.

    # comments, as many as you like; the version is counted up when what it asks for changes
    instructions, which go first and are the same for all articles of a briefing
    ---
    what they speak of, with {{placeholders}}

A user's folder is read once, at start, and refused with all that is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from morningdeck.errors import ConfigError

SHIPPED = Path(__file__).parent

NEEDED: Mapping[str, frozenset[str]] = {
    "enrich": frozenset({"language", "wishes", "title", "text"}),
    "score": frozenset({"wishes", "title", "text"}),
    "overview": frozenset({"language", "items"}),
    "web": frozenset({"wish", "links"}),
    "newsletter": frozenset({"lines"}),
    "translate": frozenset({"language", "items"}),
}
"""The prompts, and what each has to make use of."""
ALLOWED: Mapping[str, frozenset[str]] = {
    "enrich": frozenset({"source", "author"}),
    "score": frozenset({"source", "author"}),
    "overview": frozenset({"title", "day"}),
    "web": frozenset({"title"}),
    "newsletter": frozenset({"sender"}),
    "translate": frozenset(),
}
"""What it may make use of beside that."""
SPOKEN_OF: Mapping[str, str] = {
    **{"enrich": "text", "score": "text", "overview": "items"},
    **{"web": "links", "newsletter": "lines", "translate": "items"},
}
"""What the instructions speak of, and so cannot hold: it is others' words."""
RULE = "---"

_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")


@dataclass(frozen=True, slots=True)
class PromptText:
    instructions: str
    material: str

    def around(self, said: Mapping[str, str], hole: str) -> tuple[str, tuple[str, str]]:
        """The instructions, and what stands before and after the place of `hole`."""
        before, _, after = _PLACEHOLDER.sub(
            lambda found: "\0" if found[1] == hole else found[0], self.material
        ).partition("\0")
        rest = _fill(before, said), _fill(after.replace("\0", ""), said)
        return _fill(self.instructions, said), rest


def read_prompts(folder: Path | None = None) -> Mapping[str, PromptText]:
    """Ours, and instead of some of them what the folder has."""
    prompts, mistakes = {}, []
    for name in NEEDED:
        own = folder / f"{name}.txt" if folder is not None else None
        try:
            if own is not None and own.is_file():
                prompts[name] = _parsed(name, own.read_text(encoding="utf-8"))
                continue
        except (OSError, ValueError) as error:
            mistakes.append(f"{own}: {error}")
            continue
        shipped = (SHIPPED / f"{name}.txt").read_text(encoding="utf-8")
        prompts[name] = _parsed(name, shipped)
    if folder is not None:
        mistakes += _strangers(folder)
    if mistakes:
        raise ConfigError("; ".join(mistakes))
    return prompts


def _strangers(folder: Path) -> list[str]:
    """What lies there and is none of ours is a slip of the pen."""
    if not folder.is_dir():
        return [f"there is no folder {str(folder)!r}"]
    known = ", ".join(f"{name}.txt" for name in NEEDED)
    there = sorted(folder.glob("*.txt"))
    return [f"{file}: only {known} are read" for file in there if file.stem not in NEEDED]


def _parsed(name: str, text: str) -> PromptText:
    lines = text.splitlines()
    while lines and lines[0].startswith("#"):
        lines.pop(0)
    if lines.count(RULE) != 1:
        raise ValueError(f"one line {RULE} must part the instructions from what they speak of")
    at = lines.index(RULE)
    instructions, material = ("\n".join(part).strip() for part in (lines[:at], lines[at + 1 :]))
    used = set(_PLACEHOLDER.findall(f"{instructions}\n{material}"))  # not in a comment
    if missing := sorted(NEEDED[name] - used):
        raise ValueError(f"it makes no use of {_written(missing)}")
    if unknown := sorted(used - NEEDED[name] - ALLOWED[name]):
        known = _written(sorted(NEEDED[name] | ALLOWED[name]))
        raise ValueError(f"there is no {_written(unknown)}, only {known}")
    if SPOKEN_OF[name] in _PLACEHOLDER.findall(instructions):
        raise ValueError(f"{_written([SPOKEN_OF[name]])} must stand below the line {RULE}")
    return PromptText(instructions, material)


def _written(names: list[str]) -> str:
    return ", ".join(f"{{{{{name}}}}}" for name in names)


def _fill(text: str, said: Mapping[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda found: said.get(found[1], ""), text)
