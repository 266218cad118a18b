"""Tables that fit a terminal: the columns that are named first matter most.

A column that says nothing is left out, what room there is goes to the first wide ones, and
where it does not suffice the last columns go: better no column than one of three letters.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size

GAP = 2
NARROW = 16
"""Up to so many cells a column is shown whole."""
READABLE = 20
"""What a wide column needs at least."""


def fit(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """The head and a line for each row, none wider than `width`."""
    told = [
        number for number in range(len(columns)) if not rows or any(row[number] for row in rows)
    ]
    cells = [[columns[number] for number in told]]
    cells += [[row[number] for number in told] for row in rows]
    natural = [max(cell_len(line[number]) for line in cells) for number in range(len(told))]
    widths = _shares(natural, width)
    return [_line(line, widths) for line in cells]


def _shares(natural: Sequence[int], width: int) -> list[int]:
    """How wide each of the first columns may be, as many as there is room for."""
    shares = [size if size <= NARROW else min(size, READABLE) for size in natural]
    while len(shares) > 1 and _total(shares) > width:
        shares.pop()
    for number, share in enumerate(shares):
        shares[number] = min(natural[number], share + width - _total(shares))
    return shares


def _total(shares: Sequence[int]) -> int:
    return sum(shares) + GAP * (len(shares) - 1)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    shown = [
        set_cell_size(cut(cell, size), size) for cell, size in zip(cells, widths, strict=False)
    ]
    return (" " * GAP).join(shown).rstrip()


def cut(text: str, width: int) -> str:
    """No wider than so many cells, of which letters of some scripts take two."""
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"
