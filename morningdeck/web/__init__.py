"""The REST API over HTTP: thin handlers over the functions that the commands call.

    server      listens, drains, ends
    gate        what every request passes: limits of body and time, one line of log
    login       whose token it is, how far it reaches, how often it may ask
    application one FastAPI application, made of the routers in `api`
    problems    errors, as people and programs can read them
    answers     views as JSON, ETags, pages of lists with their cursors
    description /api/openapi.json
    health      /healthz, /readyz, /metrics, for those who watch over it

Only `morningdeck web` and the daemon import it: no other command pays for it.
"""

import sys

# FastAPI asks it of each model whether it is of the old kind, and can do without: 1.5 MB
sys.modules.setdefault("pydantic.v1", None)  # type: ignore[arg-type]
