"""The routes of /api/v1, one file per resource; each handler is one call and its answer."""
