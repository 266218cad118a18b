"""Finding items that tell one story."""
