"""`python -m tests.quality [NAME ...]`: how good it is without a model, on labelled news.

Prints each figure beside its goal and beside the simplest rival on the same texts in the same
run; ends with 1 when a goal is missed. The texts may not be shipped: without them there is
nothing to measure, and it says so.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module

from morningdeck import logs
from tests.conftest import CORPORA
from tests.quality.figures import Figures

NAMES = (
    *("relevance", "sources", "prefilter", "stories", "similar", "themes", "summaries", "bounces"),
    *("search", "meaning"),
)
"""One module of this package each, with a function `run(figures)`."""


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.quality", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    asked = parser.parse_args(words)
    if unknown := set(asked.names) - set(NAMES):
        parser.error(f"nothing is called {', '.join(sorted(unknown))}")
    if not CORPORA.is_dir():
        print(f"nothing to measure: the labelled texts are not at {CORPORA}")
        return 0
    logs.configure("WARNING")
    figures = Figures()
    for name in asked.names or NAMES:
        figures.doing(name)
        import_module(f"tests.quality.{name}").run(figures)
    print(f"\n{figures.table()}")
    return 0 if figures.hold else 1


if __name__ == "__main__":
    raise SystemExit(main())
