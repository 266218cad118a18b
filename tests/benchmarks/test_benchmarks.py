"""The benchmarks run: a smoke run of each, so that they are there when they are needed.

How fast anything is, is never a test's business.
"""

from __future__ import annotations

from importlib import import_module

import pytest

from tests.benchmarks.__main__ import NAMES
from tests.benchmarks.report import Report


@pytest.mark.timeout(300)  # the longest takes 45 s by itself, and two minutes beside others
@pytest.mark.xdist_group("benchmarks")  # they share a PostgreSQL server of their own
@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_runs(name: str) -> None:
    report = Report(quick=True)

    import_module(f"tests.benchmarks.{name}").run(report)

    assert report.figures
    assert all(figure.what in report.table() for figure in report.figures)


def test_a_report_tells_what_holds_and_what_does_not() -> None:
    report = Report(tell=lambda line: None)

    report.time("claim", 0.002, below=0.05, beside=0.001, name="bare driver")
    assert report.holds
    report.rate("jobs", 500, share=0.6, beside=1000, name="bare driver")

    assert not report.holds
    title, claim, jobs = report.table().splitlines()
    assert title.split() == ["what", "ours", "beside", "it", "ratio", "hold"]
    assert claim.split()[1:3] == ["2.00", "ms"]
    assert claim.endswith("< 50.0 ms  ok")
    assert jobs.endswith("0.50     >= 60%  NOT OK")
