"""Summaries without a model, as followers of a story have them."""

from __future__ import annotations

import pytest

from morningdeck.enrichers import own_words
from morningdeck.ports.verbs import Summariser
from tests.contracts.summariser import SummariserContract


class TestOwnWords(SummariserContract):
    @pytest.fixture
    def summariser(self) -> Summariser:
        return own_words
