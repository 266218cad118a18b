"""Tables that fit whatever terminal there is."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from morningdeck.cli.table import fit

COLUMNS = ("id", "title", "source", "date", "score", "note")
ROWS = [
    ("12", "Offshore wind farm feeds its first power into the grid", "Gazette", "18 Nov", "7", ""),
    (
        "3",
        "港が再び開く、船が戻ってくる、そして人々は喜ぶ",
        "ポート・エラリー新聞社",
        "18 Nov",
        "100",
        "",
    ),
]


@pytest.mark.parametrize("width", [12, 30, 40, 60, 80, 120, 10_000])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    lines = fit(COLUMNS, ROWS, width)

    assert max(map(cell_len, lines)) <= max(width, 24)  # one column is always there


def test_what_does_not_fit_is_cut_or_left_out_and_never_three_letters() -> None:
    narrow, wide = fit(COLUMNS, ROWS, 40), fit(COLUMNS, ROWS, 10_000)

    assert narrow[0].split() == ["id", "title"]
    assert narrow[1].startswith("12  Offshore wind farm")
    assert ROWS[0][1] in wide[1]


def test_a_column_that_says_nothing_is_not_there() -> None:
    assert fit(COLUMNS, ROWS, 200)[0].split() == ["id", "title", "source", "date", "score"]


def test_without_rows_there_is_the_head_alone() -> None:
    assert fit(("id", "title"), [], 80) == ["id  title"]
