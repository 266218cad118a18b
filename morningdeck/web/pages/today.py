"""The newest report as a page, and each report for good."""

from __future__ import annotations

from dataclasses import replace

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck.actions import reports
from morningdeck.web.answers import CursorText, RowId, a_number, one_page, read_cursor
from morningdeck.web.login import By
from morningdeck.web.pages.items import wish_titles
from morningdeck.web.pages.papers import newest, paper_of
from morningdeck.web.pages.rendering import page
from morningdeck.web.pages.visiting import PageRoute
from morningdeck.wording import WHY_NOT

router = APIRouter(include_in_schema=False, route_class=PageRoute)

A_PAGE = 30


@router.get("/")
def show_today(request: Request, by: By) -> Response:
    """The newest report, what is unread first."""
    there = newest(by)
    if not there:
        return _before_the_first(request, by)
    first, *others = there
    shown = replace(paper_of(by, first.id, latest=True), others=tuple(others))
    return page(request, "report.html", edition=shown, today=True)


def _before_the_first(request: Request, by: By) -> Response:
    store, user = by.store, by.user
    coming = [
        view.next_run_at
        for view in store.briefings.list(user.id)
        if view.next_run_at is not None and not view.paused
    ]
    return page(
        request,
        "first.html",
        name=user.name or user.email,
        sources=bool(store.subscriptions.list(user.id, 1)),
        coming=min(coming, default=None),
    )


@router.get("/reports")
def list_reports_page(request: Request, by: By, cursor: CursorText = None) -> Response:
    before = read_cursor(cursor, a_number)
    last = before and before[0]
    found = by.store.reports.list(by.user.id, limit=A_PAGE + 1, before=last)
    shown, older = one_page(found, A_PAGE, lambda view: view.id)
    return page(request, "reports.html", reports=shown, titles=wish_titles(by), older=older)


@router.get("/reports/{id}")
def show_report_page(request: Request, by: By, id: RowId) -> Response:
    """As it was written; what was read since is told by its weight."""
    return page(request, "report.html", edition=paper_of(by, id), today=False)


@router.get("/reports/{id}/left-out")
def show_left_out(request: Request, by: By, id: RowId) -> Response:
    """The best of what it weighed and did not tell, and why."""
    report = reports.loaded(by.store, by.user.id, id)
    view = by.store.reports.left_out(by.user.id, id)
    return page(request, "left_out.html", report=report, view=view, why_not=WHY_NOT)
