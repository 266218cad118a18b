"""`python -m tests.mutants [WORD ...]`: each mutant must be noticed by the test it names.

Each is made in a copy of the sources, so the checkout is never touched. With words, only
those whose file or test holds one of them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.mutants.mutant import Mutant
from tests.mutants.mutants import MUTANTS

ROOT = Path(__file__).parents[2]
PARTS = ("morningdeck", "migrations", "tests", "config", "pyproject.toml")
NOTICED, PASSED = 1, 0
"""Exit codes of pytest; any other says that the tests could not even run."""


def main(words: Sequence[str]) -> int:
    chosen = [one for one in MUTANTS if not words or any(w in f"{one}" for w in words)]
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        if (code := run_tests(copy(Path(folder) / "sound"), {m.killer for m in chosen})) != PASSED:
            print(f"the tests do not pass on the code as it is: pytest ended with {code}")
            return 1
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            roots = [Path(folder) / str(number) for number in range(len(chosen))]
            codes = list(threads.map(try_out, chosen, roots))
    lived = [mutant for mutant, code in zip(chosen, codes, strict=True) if code != NOTICED]
    print(f"{len(chosen)} mutants, {len(chosen) - len(lived)} noticed")
    return 1 if lived else 0


def try_out(mutant: Mutant, root: Path) -> int:
    file = copy(root) / mutant.file
    file.write_text(file.read_text().replace(mutant.old, mutant.new, 1))
    code = run_tests(root, [mutant.killer])
    word = {NOTICED: "noticed", PASSED: "LIVED"}.get(code, f"pytest ended with {code}")
    print(f"{word:8} {mutant.file}: {mutant.old.strip()!r}: {mutant.test}", flush=True)
    shutil.rmtree(root)
    return code


def copy(root: Path) -> Path:
    root.mkdir()
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(
                source, root / part, ignore=shutil.ignore_patterns("__pycache__", "node_modules")
            )
        else:
            shutil.copy(source, root / part)
    return root


def run_tests(root: Path, tests: Iterable[str]) -> int:
    """On SQLite alone: the rules are the same on both databases, and it starts at once."""
    options = ("-x", "-q", "-p", "no:cacheprovider", "-k", "not postgresql", "--timeout", "60")
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options, *sorted(tests)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    ).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
