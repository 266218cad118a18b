"""Editions as they would be sent today, each a document for a frame of a page of ours."""

from __future__ import annotations

import re
from html import escape

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck.actions import briefings, wishes
from morningdeck.actions.briefings import LeftOut, Preview
from morningdeck.errors import ConfigError
from morningdeck.model.sending import WhyNot
from morningdeck.web.answers import RowId
from morningdeck.web.login import By, Caller
from morningdeck.web.pages.briefing_form import first_words, wanted_by
from morningdeck.web.pages.forms import FilledIn
from morningdeck.web.pages.rendering import page
from morningdeck.web.pages.visiting import PageRoute

router = APIRouter(include_in_schema=False, route_class=PageRoute)

FRAME_HEADERS = {
    # mails bring their looks along; nothing in one can run, load or send anything
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "style-src 'self' 'unsafe-inline'",
            "img-src data:",
            "form-action 'none'",
            "base-uri 'none'",
            "frame-ancestors 'self'",
        )
    ),
    "Cache-Control": "no-store",
}
NOTE_LOOKS = "margin:0;padding:12px 20px;font:15px/22px sans-serif;color:#1f1b16;background:#fdf0c8"
_BODY = re.compile(r"<body[^>]*>")


@router.post("/briefings/preview")
def show_wished_edition(request: Request, by: By, form: FilledIn) -> Response:
    """What such a briefing would send today; nothing is saved."""
    try:
        wanted = wanted_by(form, by.user.timezone)
        found = wishes.preview_wish(
            by.store, by.user, wanted, refiner=lambda: by.adapters.relevance.anew(), now=by.now
        )
    except ConfigError as error:
        return _nothing(request, first_words(str(error)), status=422)
    return edition(request, by, found)


@router.get("/briefings/{id}/edition")
def show_own_edition(request: Request, by: By, id: RowId) -> Response:
    """What it would send now; nothing is sent or marked."""
    return edition(request, by, briefings.preview(by.store, by.user.id, id, now=by.now))


def edition(request: Request, by: Caller, found: Preview) -> Response:
    """While there is more to come, it looks again by itself where it can."""
    again = {"X-Unread": str(found.left_out.unread_sources + found.left_out.unscored)}
    if not found.report.items:
        told = _why_nothing(found)
        return _nothing(request, told, again)
    html = by.adapters.outlets.mail_writer.render(found.report).html
    html = html.replace("<head>", '<head><base target="_blank">', 1)
    if found.left_out:
        note = f'<p style="{NOTE_LOOKS}">{escape(still_to_come(found.left_out))}</p>'
        html = _BODY.sub(lambda body: body[0] + note, html, count=1)
    return Response(html, headers={**FRAME_HEADERS, **again}, media_type="text/html")


def _nothing(
    request: Request, told: str, again: dict[str, str] | None = None, status: int = 200
) -> Response:
    return page(
        request, "edition-empty.html", status, {**FRAME_HEADERS, **(again or {})}, told=told
    )


def _why_nothing(found: Preview) -> str:
    """Nothing found and could not look are different things."""
    if found.left_out:
        return f"Nothing to show yet. {still_to_come(found.left_out)}"
    weighed, left_out = found.report.weighed, found.report.left_out
    if not weighed:
        return "There is nothing to weigh: your sources have brought nothing new."
    if told := left_out.get(WhyNot.TOLD_BEFORE, 0):
        return f"Nothing new yet: of {weighed:,} articles of late, {told:,} were told before."
    return (
        f"None of the {weighed:,} articles of late is on this subject."
        " Say it more widely, or let lower scores in."
    )


def still_to_come(left: LeftOut) -> str:
    parts = []
    if left.unread_sources:
        many = left.unread_sources != 1
        parts.append(f"{left.unread_sources:,} {'sources are' if many else 'source is'} not read")
    if left.unscored:
        many = left.unscored != 1
        parts.append(f"{left.unscored:,} {'articles are' if many else 'article is'} not weighed")
    return f"{' and '.join(parts)} yet: more comes in a moment."
