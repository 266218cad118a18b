"""All mutants of the protocol, and of what keeps to a budget and to the truth."""

from __future__ import annotations

from tests.mutants.of_answers import OF_ANSWERS
from tests.mutants.of_engine import OF_ENGINE
from tests.mutants.of_money import OF_MONEY
from tests.mutants.of_rows import OF_ROWS

MUTANTS = (*OF_ROWS, *OF_ENGINE, *OF_MONEY, *OF_ANSWERS)
