"""What went wrong, as problem+json (RFC 9457): a title, what to do, the status."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match

from morningdeck.errors import (
    ConfigError,
    ConflictError,
    DatabaseAwayError,
    MorningDeckError,
    NotFoundError,
    TransientError,
)

MEDIA_TYPE = "application/problem+json"
LONGEST_DETAIL = 1000
MOST_ERRORS = 20
RETRY_SECONDS = 5
"""When to come back, unless the error says it."""

_OPTION = re.compile(r"--([a-z][a-z-]*)")


class WrongField(BaseModel):
    where: str
    what: str


class Problem(BaseModel):
    title: str
    status: int
    detail: str = Field(description="What is wrong, and what to do.")
    errors: list[WrongField] | None = Field(None, description="The fields that are wrong.")


class ProblemResponse(Response):
    media_type = MEDIA_TYPE

    def __init__(
        self,
        status: int,
        detail: str,
        errors: list[dict[str, str]] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        body: dict[str, Any] = {"title": HTTPStatus(status).phrase, "status": status}
        body["detail"] = self.detail = detail[:LONGEST_DETAIL]
        if errors:
            body["errors"] = errors
        super().__init__(json.dumps(body).encode(), status, dict(headers or {}))


UNREADABLE, FASTAPI_UNREADABLE = (
    "the body is no JSON that can be read: it takes UTF-8, and no thousands of brackets or digits",
    "There was an error parsing the body",
)
NO_OBJECT = (("body",), "model_attributes_type")
"""What FastAPI makes of a body of another type as well."""
Shown = Callable[[Request, ProblemResponse], Response]
"""As whoever asked can read it."""


def register(application: FastAPI, shown: Shown) -> None:
    for kind, told in (
        (HTTPException, _of_http),
        (RequestValidationError, _of_request),
        (MorningDeckError, problem_of),
        (Exception, _of_a_bug),
    ):
        application.add_exception_handler(kind, _answering(told, shown))


def _answering(
    told: Callable[[Exception], ProblemResponse], shown: Shown
) -> Callable[[Request, Exception], Response]:
    def answered(request: Request, error: Exception) -> Response:
        problem = told(error)
        if problem.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            methods = _methods_at(request) or problem.headers.get("Allow", "").split(", ")
            problem.headers["Allow"] = ", ".join(sorted(methods))
        return shown(request, problem)

    return answered


def _methods_at(request: Request) -> set[str]:
    """By all routes of this address, each of which has one."""
    found: set[str] = set()
    for route in request.app.routes:
        if isinstance(route, APIRoute) and route.matches(request.scope)[0] is not Match.NONE:
            found |= route.methods or set()
    return found | ({"HEAD"} if "GET" in found else set())


def _of_http(error: Exception) -> ProblemResponse:
    assert isinstance(error, HTTPException)
    detail = UNREADABLE if error.detail == FASTAPI_UNREADABLE else str(error.detail)
    return ProblemResponse(error.status_code, detail, headers=error.headers)


def _of_request(error: Exception) -> ProblemResponse:
    """A path that names nothing there could be is as good as one that names nothing there is."""
    assert isinstance(error, RequestValidationError)
    wrong = [
        {"where": ".".join(map(str, one["loc"])), "what": str(one["msg"])}
        for one in error.errors()[:MOST_ERRORS]
    ]
    if any(one["loc"][0] == "path" for one in error.errors()):
        return ProblemResponse(404, "there is no such thing: ids are whole numbers")
    if any(one["type"] == "json_invalid" for one in error.errors()):
        return ProblemResponse(400, "the body is no JSON", wrong)
    if any((one["loc"], one["type"]) == NO_OBJECT for one in error.errors()):
        told = "the body is to be an object of JSON, sent with Content-Type: application/json"
        return ProblemResponse(422, told, wrong)
    return ProblemResponse(422, "; ".join(f"{w['where']}: {w['what']}" for w in wrong), wrong)


def problem_of(error: Exception) -> ProblemResponse:
    """As commands say it, but with the fields of a body instead of options."""
    assert isinstance(error, MorningDeckError)
    status, detail = status_of(error), str(error)
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        after = getattr(error, "after", None) or RETRY_SECONDS
        headers = {"Retry-After": str(max(1, round(after)))}
        return ProblemResponse(status, f"{detail}; try again later", headers=headers)
    named = _OPTION.sub(lambda option: option[1].replace("-", "_"), detail)
    return ProblemResponse(status, named)


def status_of(error: MorningDeckError) -> int:
    match error:
        case NotFoundError():
            return 404
        case ConflictError():
            return 409
        case ConfigError():
            return 422
        case DatabaseAwayError() | TransientError():
            return 503
        case _:
            return 422


def _of_a_bug(_error: Exception) -> ProblemResponse:
    return ProblemResponse(500, "a bug of ours: its traceback is in the log")
