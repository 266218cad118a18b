"""Filling the index on the search server."""
