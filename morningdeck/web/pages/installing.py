"""What browsers ask for to keep this deck among the apps of a phone, and to share pages with it."""

from __future__ import annotations

import json

from fastapi import APIRouter, Request
from starlette.responses import Response

from morningdeck.web.addresses import Addresses
from morningdeck.web.answers import unless_same

router = APIRouter(include_in_schema=False)

MANIFEST = "/app.webmanifest"
GROUND, CARD = "#f4f1ec", "#ffffff"
"""Of style.css; a manifest knows no dark ones."""
ICONS = (
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-maskable-512.png", "512x512", "maskable"),
)
SHORTCUTS = (("/feed", "Feed"), ("/search", "Search"), ("/share", "Save a page"))
SHARED = {name: name for name in ("title", "text", "url")}
"""What others share comes under these names."""


@router.get(MANIFEST)
async def show_manifest(request: Request) -> Response:
    """For anybody: browsers ask for it without saying who they are."""
    body = json.dumps(manifest(request.app.state.addresses), ensure_ascii=False).encode()
    return unless_same(request, body, "application/manifest+json")


def manifest(addresses: Addresses) -> dict[str, object]:
    start = addresses.to("/")
    return {
        "id": start,
        "start_url": start,
        "scope": start,
        "name": "Morning Deck",
        "short_name": "Morning Deck",
        "description": "The news that you asked for, and then an end.",
        "lang": "en",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": CARD,
        "categories": ["news"],
        "icons": [
            {"src": addresses.asset(name), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for name, sizes, purpose in ICONS
        ],
        "shortcuts": [{"name": name, "url": addresses.to(path)} for path, name in SHORTCUTS],
        "share_target": {
            "action": addresses.to("/share"),
            # nobody else's form has a token of ours: the page that it opens asks
            "method": "GET",
            "enctype": "application/x-www-form-urlencoded",
            "params": SHARED,
        },
    }
