"""Whoever asks, and how the deck stands for them."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck.standing import standing_of
from morningdeck.views.reading import UserView
from morningdeck.views.running import StatusView
from morningdeck.web.answers import answer
from morningdeck.web.login import By, TokenRoute

router = APIRouter(prefix="/api/v1", tags=["you"], route_class=TokenRoute)


@router.get("/me", response_model=UserView)
def show_me(request: Request, by: By) -> Response:
    """Whose token this is."""
    return answer(request, by.user)


@router.get("/status", response_model=StatusView)
def show_status(request: Request, by: By) -> Response:
    """Whether all is well, and what comes next."""
    return answer(request, standing_of(by.app, by.user, by.now))
