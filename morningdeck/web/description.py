"""/api/openapi.json: what FastAPI knows of the routes, and what is the same for all of them."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from morningdeck import __version__
from morningdeck.web.problems import MEDIA_TYPE, Problem

SUMMARY = "Reads your feeds and mails you a briefing, on time, once."
OPEN = ("/healthz", "/readyz")
SECRET = ("/feeds/", "/images/")
"""Whoever knows such an address may see what is there."""
BROKEN_BODY, MAY_BE_ELSEWHERE = (400,), (404, 422)
OF_A_TOKEN, OF_A_CHANGE = (401, 403, 429), (404, 408, 409, 413, 422)
SAMPLE_PROBLEM = {
    "title": "Not Found",
    "status": 404,
    "detail": "there is no source 17",
}


def describe(application: FastAPI) -> dict[str, Any]:
    """Made once, when it is first asked for."""
    if application.openapi_schema is None:
        application.openapi_schema = _describe(application)
    return application.openapi_schema


def _describe(application: FastAPI) -> dict[str, Any]:
    whole = get_openapi(
        title="Morning Deck", version=__version__, summary=SUMMARY, routes=application.routes
    )
    parts = whole.setdefault("components", {})
    schemas = parts.setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):  # FastAPI's own, which nobody gets
        schemas.pop(name, None)
    problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas |= problem.pop("$defs")
    schemas["Problem"] = {**problem, "examples": [SAMPLE_PROBLEM]}
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    for path, operations in whole["paths"].items():
        for method, operation in operations.items():
            _complete(path, method, operation)
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


def _problem(code: int) -> dict[str, Any]:
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {"description": HTTPStatus(code).phrase, "content": content}
