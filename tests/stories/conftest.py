"""Where the labelled headlines and near-duplicates lie."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

CORPORA = Path(__file__).resolve().parents[3] / "shared" / "corpora"


@pytest.fixture(scope="session")
def corpora() -> Path:
    if not CORPORA.is_dir() and "CI" not in os.environ:
        pytest.skip(f"the test material is not at {CORPORA}")
    return CORPORA
