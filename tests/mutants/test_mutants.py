"""The list of mutants never rots: what it changes is there, and so is what notices it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.mutants.__main__ import main
from tests.mutants.mutant import Mutant
from tests.mutants.mutants import MUTANTS
from tests.mutants.of_brokers import OF_BROKERS
from tests.mutants.of_engine import OF_ENGINE
from tests.mutants.of_money import OF_MONEY
from tests.mutants.of_rows import OF_ROWS

ROOT = Path(__file__).parents[2]
PROTOCOL = {
    "morningdeck/work.py",
    "morningdeck/store/queue/protocol.py",
    "morningdeck/store/queue/statements.py",
    "morningdeck/engine/leases.py",
    "morningdeck/engine/worker.py",
    "morningdeck/engine/feeders.py",
    "morningdeck/engine/memory_queue.py",
    "morningdeck/engine/broker_feeder.py",
    "morningdeck/engine/celery_queue.py",
    "morningdeck/engine/celery_runner.py",
    "morningdeck/engine/publishing.py",
    "morningdeck/store/database/kept.py",
    "morningdeck/holds.py",
    "morningdeck/store/rows/breaker.py",
    "morningdeck/store/rows/ledger.py",
}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.test)
def test_a_mutant_changes_one_place_of_its_file_into_code_that_can_be_read(mutant: Mutant) -> None:
    text = (ROOT / mutant.file).read_text()

    assert text.count(mutant.old) == 1
    ast.parse(text.replace(mutant.old, mutant.new))


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.test)
def test_a_mutant_names_a_test_that_exists(mutant: Mutant) -> None:
    file = ROOT / mutant.where.partition("::")[0]
    suites = re.findall(r"^from (tests\.contracts\.\w+) import", file.read_text(), re.M)
    files = (file, *(ROOT / f"{suite.replace('.', '/')}.py" for suite in suites))

    assert any(f"def {mutant.test}(" in one.read_text() for one in files)


def test_every_part_of_the_protocol_has_mutants() -> None:
    counted = Counter(mutant.file for mutant in (*OF_ROWS, *OF_ENGINE, *OF_BROKERS, *OF_MONEY))

    assert set(counted) == PROTOCOL
    assert min(counted.values()) >= 3
    assert len(MUTANTS) >= 30


def test_a_mutant_is_noticed_by_its_test(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test_the_third_loss_in_a_row"]) == 0

    assert "1 mutants, 1 noticed" in capsys.readouterr().out
