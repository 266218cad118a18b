"""The search server, and what fills it."""
