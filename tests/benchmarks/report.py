"""What was measured, each figure beside its ceiling or peer of the same run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

TITLES = ("what", "ours", "beside it", "", "ratio", "hold", "")


@dataclass(frozen=True, slots=True)
class Figure:
    what: str
    ours: str
    beside: str
    name: str
    ratio: float
    hold: str
    ok: bool

    def cells(self) -> tuple[str, ...]:
        verdict = "ok" if self.ok else "NOT OK"
        return (
            self.what,
            self.ours,
            self.beside,
            self.name,
            f"{self.ratio:.2f}",
            self.hold,
            verdict,
        )


class Report:
    """`quick` asks a benchmark for a smoke run: its figures mean nothing then."""

    def __init__(self, *, quick: bool = False, tell: Callable[[str], None] = print) -> None:
        self.quick = quick
        self.figures: list[Figure] = []
        self._tell = tell

    def doing(self, what: str) -> None:
        self._tell(f"... {what}")

    def say(self, what: str) -> None:
        """Something to know that is held against nothing."""
        self._tell(f"    {what}")

    def time(self, what: str, ours: float, *, below: float, beside: float, name: str) -> None:
        """Seconds that must stay below a limit."""
        self._add(
            Figure(
                what,
                _seconds(ours),
                _seconds(beside),
                name,
                ours / beside,
                f"< {_seconds(below)}",
                ours < below,
            )
        )

    def no_slower(self, what: str, ours: float, *, times: float, beside: float, name: str) -> None:
        """Seconds that must stay within a multiple of what stands beside them."""
        ratio = ours / beside
        ok = ratio <= times
        hold = f"<= {times:g} x"
        self._add(Figure(what, _seconds(ours), _seconds(beside), name, ratio, hold, ok))

    def rate(self, what: str, ours: float, *, share: float, beside: float, name: str) -> None:
        """So many a second, at least that share of what stands beside it."""
        ratio = ours / beside
        ok = ratio >= share
        hold = f">= {share:.0%}"
        self._add(Figure(what, f"{ours:.0f}/s", f"{beside:.0f}/s", name, ratio, hold, ok))

    def share(self, what: str, ours: float, *, most: float, name: str) -> None:
        """Parts of a whole, such as questions for each item; `name` says what stands beside it."""
        ok = ours <= most
        self._add(Figure(what, f"{ours:.2f}", f"{most:.2f}", name, ours / most, f"<= {most:g}", ok))

    def memory(self, what: str, ours: int, *, below: int, beside: int, name: str) -> None:
        """Bytes that must stay below a limit."""
        texts = (_megabytes(ours), _megabytes(beside), name)
        hold = f"< {_megabytes(below)}"
        self._add(Figure(what, *texts, ours / beside, hold, ours < below))

    def _add(self, figure: Figure) -> None:
        self.figures.append(figure)
        self._tell("    " + "  ".join(cell for cell in figure.cells() if cell))

    @property
    def holds(self) -> bool:
        return all(figure.ok for figure in self.figures)

    def table(self) -> str:
        rows = [TITLES, *(figure.cells() for figure in self.figures)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(TITLES))]
        return "\n".join(_line(row, widths) for row in rows)


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    what, ours, beside, name, ratio, hold, verdict = row
    cells = (
        what.ljust(widths[0]),
        ours.rjust(widths[1]),
        beside.rjust(widths[2]),
        name.ljust(widths[3]),
        ratio.rjust(widths[4]),
        hold.rjust(widths[5]),
        verdict,
    )
    return "  ".join(cells).rstrip()


def _seconds(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1000:.{0 if seconds >= 0.1 else 1 if seconds >= 0.01 else 2}f} ms"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.0f} MB"
