"""Images of items by way of the deck: `/images/{signature}/{address}`, and what makes such paths.

Only what a page or an answer of ours has named is fetched: nobody can use a deck to ask others.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import partial
from html import escape, unescape
from typing import Any

import anyio.to_thread
from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from morningdeck.images import IMAGE_TYPES, NOT_TO_BE_HAD
from morningdeck.outlets import Outlets

PURPOSE = "image"
FETCHED_AT_ONCE = 4
"""Images that are fetched take no threads of those who answer pages."""
BROWSERS_KEEP_SECONDS = 86_400
IMAGE_ANSWER: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {one: {"schema": {"type": "string", "format": "binary"}} for one in IMAGE_TYPES}
    }
}

_IMAGE, _SOURCE, _ALT = (
    re.compile(one) for one in (r"<img\b[^<>]*>", r' src="([^"]*)"', r' alt="[^"]*"')
)
"""As sanitised HTML has them."""

router = APIRouter(tags=["images"])


def image_path(outlets: Outlets, url: str | None) -> str | None:
    """Where the deck shows the image that is at this address: nowhere if it is none of the web, or
    the settings want none. A page has images from such paths alone.
    """
    of_the_web = url and url.lower().startswith(("http://", "https://"))
    if not url or not of_the_web or outlets.images is None:
        return None
    written = urlsafe_b64encode(url.encode("utf-8", "replace")).decode("ascii").rstrip("=")
    return f"/images/{outlets.signer.sign(PURPOSE, url)}/{written}"


def with_images(outlets: Outlets, address: str, clean: str) -> str:
    """Sanitised HTML with its images by way of the deck at this address, or without them."""

    def shown(image: re.Match[str]) -> str:
        source, alt = _SOURCE.search(image[0]), _ALT.search(image[0])
        path = image_path(outlets, unescape(source[1])) if source else None
        return f'<img src="{escape(address + path)}"{alt[0] if alt else ""}>' if path else ""

    return _IMAGE.sub(shown, clean)


def _read(written: str) -> str:
    try:
        return urlsafe_b64decode(written + "=" * (-len(written) % 4)).decode()
    except ValueError:
        return ""


@router.get("/images/{signature}/{address}", response_class=Response, responses=IMAGE_ANSWER)
async def show_image(request: Request, signature: str, address: str) -> Response:
    """An image of an item, fetched by the deck; only at addresses that the deck has made."""
    show = partial(_shown, request, signature, _read(address))
    threads = request.app.state.image_threads
    return await anyio.to_thread.run_sync(show, limiter=threads)


def _shown(request: Request, signature: str, url: str) -> Response:
    outlets = request.app.state.deck.adapters.outlets
    if outlets.images is None or not outlets.signer.signed(signature, PURPOSE, url):
        raise HTTPException(404, NOT_TO_BE_HAD)
    image = outlets.images.of(url)
    kept = {"Cache-Control": f"private, max-age={BROWSERS_KEEP_SECONDS}"}
    return Response(image.content, headers=kept, media_type=image.type)
