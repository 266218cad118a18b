"""A model on loopback."""

from tests.asking import asked_database, endpoint, model, models

__all__ = ["asked_database", "endpoint", "model", "models"]
