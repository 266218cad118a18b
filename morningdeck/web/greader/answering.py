"""Answers as clients ask for them: JSON, XML where they name it, or one word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import Request
from starlette.responses import PlainTextResponse, Response

from morningdeck.web.answers import answer
from morningdeck.web.greader.markup import as_xml
from morningdeck.web.greader.params import Params

XML_TYPE = "text/xml; charset=utf-8"


def told(request: Request, said: Params, value: Mapping[str, Any]) -> Response:
    if said.one("output") == "xml":
        return Response(as_xml(value), media_type=XML_TYPE)
    return answer(request, value)


def done() -> Response:
    """Without a line break, which newsboat would take for something else."""
    return PlainTextResponse("OK")
