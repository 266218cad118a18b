"""/api/openapi.json: what FastAPI knows of the routes, and what is the same for all of them."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.datastructures import DefaultPlaceholder
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from fastapi.utils import create_model_field

from morningdeck import __version__
from morningdeck.web.examples import example_of
from morningdeck.web.problems import MEDIA_TYPE, Problem

SUMMARY = "Reads your feeds and mails you a briefing, on time, once."
OPEN = ("/healthz", "/readyz")
SECRET = ("/feeds/", "/images/")
"""Whoever knows such an address may see what is there."""
BROKEN_BODY, MAY_BE_ELSEWHERE = (400,), (404, 422)
OF_A_TOKEN, OF_A_CHANGE = (401, 403, 429), (404, 408, 409, 413, 422)
DETAILS = {
    400: "the body is no JSON",
    401: "this needs a token: send the header Authorization: Bearer TOKEN",
    403: "this token reads only: it needs the scope write",
    404: "there is no source 17",
    408: "the body took longer than 20 s",
    409: "you have this source already: its id is 17",
    413: "the body has more than 1,000,000 bytes: send less",
    422: "say when: either daily or weekly",
    429: "this token asks too often: wait as told",
    503: "database: away; try again later",
}
"""By its status, what a problem may say."""
LIMITS = {
    "RateLimit-Limit": "How often this token may ask in a minute.",
    "RateLimit-Remaining": "How often it may ask now.",
    "RateLimit-Reset": "In so many seconds it may ask as often as ever.",
}
RETRY = {"Retry-After": "Seconds: then it is worth another try."}
XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
TEXTS = {
    "text/plain": 'morningdeck_queue_rows{stage="fetch",state="waiting"} 0\n',
    "text/x-opml": f'{XML_HEAD}<opml version="2.0"><body/></opml>',
    "application/rss+xml": f'{XML_HEAD}<rss version="2.0"><channel/></rss>',
    "application/atom+xml": f'{XML_HEAD}<feed xmlns="http://www.w3.org/2005/Atom"/>',
    "application/feed+json": '{"version": "https://jsonfeed.org/version/1.1", "items": []}',
}
"""Examples of what is no JSON of ours."""


class DescribedRoute(APIRoute):
    """Its model is for the description alone: answers are written by `answer`, so that what FastAPI
    would build to write them (5 MB for all routes) is not there before somebody asks for it.
    """

    def __init__(self, *args: Any, response_model: Any = None, **said: Any) -> None:
        super().__init__(*args, response_model=None, **said)
        none = response_model is None or isinstance(response_model, DefaultPlaceholder)
        self._model = None if none else response_model

    def complete(self) -> None:
        """With the model, as FastAPI would have done."""
        if self._model is not None and self.response_field is None:
            name = f"Response_{self.unique_id}"
            self.response_field = create_model_field(name, self._model, mode="serialization")


def describe(application: FastAPI) -> dict[str, Any]:
    """Made once, when it is first asked for."""
    if application.openapi_schema is None:
        application.openapi_schema = _describe(application)
    return application.openapi_schema


def _describe(application: FastAPI) -> dict[str, Any]:
    for route in application.routes:
        if isinstance(route, DescribedRoute):
            route.complete()
    whole = get_openapi(
        title="Morning Deck", version=__version__, summary=SUMMARY, routes=application.routes
    )
    parts = whole.setdefault("components", {})
    schemas = parts.setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):  # FastAPI's own, which nobody gets
        schemas.pop(name, None)
    problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas |= problem.pop("$defs")
    schemas["Problem"] = problem
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    for path, operations in whole["paths"].items():
        for method, operation in operations.items():
            _complete(path, method, operation)
            for code, response in operation["responses"].items():
                _explain(int(code), response, schemas)
    return whole


def _complete(path: str, method: str, operation: dict[str, Any]) -> None:
    codes = {503}
    if path.startswith(SECRET):
        codes |= {404}
    elif path not in OPEN:
        operation["security"] = [{"token": []}]
        codes |= {*BROKEN_BODY, *OF_A_TOKEN}
    if operation.get("parameters"):
        codes |= {*MAY_BE_ELSEWHERE}
    if method != "get":
        codes |= {*OF_A_CHANGE}
    elif path.startswith(("/api/", "/feeds/")):
        operation["responses"]["304"] = {"description": "As the ETag in If-None-Match says."}
    for code in sorted(codes):
        operation["responses"][str(code)] = _problem(code)
    for name, response in operation["responses"].items():
        told = LIMITS if "security" in operation and name not in ("401", "408", "413") else {}
        again = RETRY if name in ("429", "503") else {}
        if told or again:
            response["headers"] = _headers({**told, **again})


def _explain(code: int, response: dict[str, Any], schemas: dict[str, Any]) -> None:
    """With an example, unless it is an image."""
    for kind, content in response.get("content", {}).items():
        if kind == MEDIA_TYPE:
            detail = DETAILS[code]
            title = HTTPStatus(code).phrase
            content["example"] = {"title": title, "status": code, "detail": detail}
        elif kind in TEXTS:
            content["example"] = TEXTS[kind]
        elif kind == "application/json":
            content["example"] = example_of(content["schema"], schemas)


def _headers(told: dict[str, str]) -> dict[str, Any]:
    schema = {"type": "integer", "minimum": 0}
    return {name: {"description": text, "schema": schema} for name, text in told.items()}


def _problem(code: int) -> dict[str, Any]:
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {"description": HTTPStatus(code).phrase, "content": content}
