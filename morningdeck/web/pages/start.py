"""The first page: a greeting, until there is more to show."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck.web.login import By
from morningdeck.web.pages.rendering import page
from morningdeck.web.pages.visiting import PageRoute

router = APIRouter(include_in_schema=False, route_class=PageRoute)


@router.get("/")
def show_start(request: Request, by: By) -> Response:
    return page(request, "start.html", name=by.user.name or by.user.email)
