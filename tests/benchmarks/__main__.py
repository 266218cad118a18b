"""`python -m tests.benchmarks [--quick] [NAME ...]`: measure, and print one table."""

from __future__ import annotations

import argparse
import os
import platform
import sqlite3
from collections.abc import Sequence
from importlib import import_module

from morningdeck import logs
from tests.benchmarks.report import Report

NAMES = (
    "store",
    "million",
    "latency",
    "overhead",
    "brokers",
    "finding",
    "searching",
    "on_server",
    "placing",
    "meaning",
    "enriching",
    "asking",
    "paying",
    "fetching",
    "starting",
    "web",
)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--quick", action="store_true", help="see that they run; figures are void")
    asked = parser.parse_args(words)
    if unknown := set(asked.names) - set(NAMES):
        parser.error(f"no benchmark is called {', '.join(sorted(unknown))}")
    logs.configure("WARNING")
    report = Report(quick=asked.quick)
    for name in asked.names or NAMES:
        report.doing(name)
        import_module(f"tests.benchmarks.{name}").run(report)
    print(
        f"\nPython {platform.python_version()}, SQLite {sqlite3.sqlite_version}, "
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
        f"{', a smoke run: the figures mean nothing' if asked.quick else ''}\n"
    )
    print(report.table())
    return 0 if report.holds or asked.quick else 1


if __name__ == "__main__":
    raise SystemExit(main())
