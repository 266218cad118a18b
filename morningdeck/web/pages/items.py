"""One item, and what its reader makes of it: read, kept, more or less of it."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from morningdeck.actions import items
from morningdeck.plaintext import reading_minutes
from morningdeck.render.links import web_link
from morningdeck.web.addresses import own_path
from morningdeck.web.answers import RowId, answer
from morningdeck.web.images import image_path
from morningdeck.web.login import By, Caller
from morningdeck.web.pages.forms import FilledIn
from morningdeck.web.pages.rendering import page
from morningdeck.web.pages.visiting import PageRoute, led_to

router = APIRouter(include_in_schema=False, route_class=PageRoute)

MOST_WISHES_NAMED = 1000
HOLDS = {"0": False, "1": True}
FEEDBACK_OF_THUMBS = {"-1": -1, "0": 0, "1": 1}


@router.get("/items/{id}")
def show_item_page(request: Request, by: By, id: RowId, similar: bool = False) -> Response:
    """Looking for what is similar takes a while, so only who asks for it waits."""
    item = by.store.items.show(by.user.id, id)
    article = by.store.articles.show(by.user.id, id)
    return page(
        request,
        "item.html",
        item=item,
        image=image_path(by.app.adapters.outlets, item.image_url),
        paragraphs=[line for line in article.text.splitlines() if line.strip()],
        minutes=reading_minutes(article.text) if article.text else 0,
        tellers=article.tellers,
        link=web_link(item.url),
        titles=wish_titles(by),
        similar=by.app.more_like_this.find(by.user.id, id) if similar else None,
    )


def wish_titles(by: Caller) -> dict[int, str]:
    """What scores are by, in its reader's words: briefings, and their sections."""
    named = {one.id: one for one in by.store.names.wishes(by.user.id, MOST_WISHES_NAMED)}
    return {
        one.id: f"{of.name}: {one.name}" if (of := named.get(one.section_of or 0)) else one.name
        for one in named.values()
    }


@router.post("/items/{id}")
def mark_item_page(request: Request, by: By, id: RowId, form: FilledIn) -> Response:
    """Back to the page that it was sent from; a script of ours asks for the item instead."""
    read, saved = (HOLDS.get(form.text(name)) for name in ("read", "saved"))
    feedback = FEEDBACK_OF_THUMBS.get(form.text("feedback"))
    if read is None and saved is None and feedback is None:
        raise HTTPException(422, "this form says nothing that could be done: load its page anew")
    marked = items.mark(
        by.store.items, by.user.id, id, read=read, saved=saved, feedback=feedback, now=by.now
    )
    if "application/json" in request.headers.get("accept", ""):
        return answer(request, marked)
    return led_to(request, own_path(form.text("then")))
