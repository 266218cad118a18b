"""What went wrong, as a page for whoever looks with a browser; programs get problem+json."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import FastAPI, Request
from starlette.responses import Response

from morningdeck.web.pages.rendering import page
from morningdeck.web.pages.visiting import LedElsewhere, see_other
from morningdeck.web.problems import ProblemResponse

OF_PROGRAMS = ("/api/", "/admin/", "/healthz", "/readyz", "/metrics", "/feeds/", "/static/")
HEADINGS = {
    400: "That cannot be read",
    403: "That is not for you",
    404: "There is no such page",
    405: "That cannot be done here",
    429: "That was too often",
    500: "Something went wrong here",
    503: "Not just now",
}
PLAINLY = {
    404: "Nothing lies at this address, or it lies there no more",
    405: "This address is not for that: go back, and take a link or a button of the page",
}
"""Where nothing better is known."""


def register(application: FastAPI) -> None:
    application.add_exception_handler(LedElsewhere, _led)


def _led(_request: Request, error: Exception) -> Response:
    assert isinstance(error, LedElsewhere)
    return see_other(error.address)


def as_page(request: Request, problem: ProblemResponse) -> Response:
    if not wants_page(request):
        return problem
    status = problem.status_code
    heading = HEADINGS.get(status, HTTPStatus(status).phrase)
    kept = {
        name: text for name, text in problem.headers.items() if name in ("retry-after", "allow")
    }
    plain = problem.detail == HTTPStatus(status).phrase
    detail = PLAINLY.get(status, problem.detail) if plain else problem.detail
    told = detail[:1].upper() + detail[1:].rstrip(".") + "."
    return page(request, "problem.html", status, kept, heading=heading, detail=told)


def wants_page(request: Request) -> bool:
    root = request.scope.get("root_path", "")
    path = request.scope["path"].removeprefix(root)
    return "text/html" in request.headers.get("accept", "") and not path.startswith(OF_PROGRAMS)
