"""What was measured, each figure beside its goal and beside the simplest rival."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

TITLES = ("what", "ours", "goal", "rival", "", "")


@dataclass(frozen=True, slots=True)
class Figure:
    what: str
    ours: float
    goal: str
    ok: bool
    rival: float | None = None
    name: str = ""

    def cells(self) -> tuple[str, ...]:
        rival = "" if self.rival is None else _number(self.rival)
        verdict = "" if not self.goal else "ok" if self.ok else "MISSED"
        return self.what, _number(self.ours), self.goal, rival, self.name, verdict


class Figures:
    """Give whole numbers for counts and fractions for shares: they are printed as such."""

    def __init__(self, tell: Callable[[str], None] = print) -> None:
        self._figures: list[Figure] = []
        self._tell = tell

    def doing(self, what: str) -> None:
        self._tell(f"... {what}")

    def say(self, what: str) -> None:
        """Something to know that is held against nothing."""
        self._tell(f"    {what}")

    def at_least(
        self, what: str, ours: float, goal: float, *, rival: float | None = None, name: str = ""
    ) -> None:
        self._add(Figure(what, ours, f">= {_number(goal)}", ours >= goal, rival, name))

    def at_most(
        self, what: str, ours: float, goal: float, *, rival: float | None = None, name: str = ""
    ) -> None:
        self._add(Figure(what, ours, f"<= {_number(goal)}", ours <= goal, rival, name))

    def beside(self, what: str, ours: float, *, rival: float | None = None, name: str = "") -> None:
        """A figure without a goal."""
        self._add(Figure(what, ours, "", True, rival, name))

    def _add(self, figure: Figure) -> None:
        self._figures.append(figure)
        self._tell("    " + "  ".join(cell for cell in figure.cells() if cell))

    @property
    def hold(self) -> bool:
        return all(figure.ok for figure in self._figures)

    def table(self) -> str:
        rows = [TITLES, *(figure.cells() for figure in self._figures)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(TITLES))]
        return "\n".join(
            "  ".join(
                cell.rjust(width) if column in (1, 2, 3) else cell.ljust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        )


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
