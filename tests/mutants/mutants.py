"""All mutants of the protocol, of what keeps to a budget and to the truth, and of what is shown."""

from __future__ import annotations

from tests.mutants.of_alerts import OF_ALERTS
from tests.mutants.of_answers import OF_ANSWERS
from tests.mutants.of_brokers import OF_BROKERS
from tests.mutants.of_channels import OF_CHANNELS
from tests.mutants.of_editions import OF_EDITIONS
from tests.mutants.of_engine import OF_ENGINE
from tests.mutants.of_mail import OF_MAIL
from tests.mutants.of_money import OF_MONEY
from tests.mutants.of_papers import OF_PAPERS
from tests.mutants.of_rows import OF_ROWS

MUTANTS = (
    *OF_ROWS,
    *OF_ENGINE,
    *OF_BROKERS,
    *OF_MONEY,
    *OF_ANSWERS,
    *OF_MAIL,
    *OF_EDITIONS,
    *OF_PAPERS,
    *OF_CHANNELS,
    *OF_ALERTS,
)
