"""Style sheet, script and icons, served by us alone: each under a name that tells what is in it.

So whoever has one may keep it for ever, and asks for another as soon as it has changed. Text goes
out compressed; pages do not, as what strangers write stands beside form tokens there.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
FOR_EVER = "public, max-age=31536000, immutable"

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Asset:
    address: str
    """`style.1a2b3c4d5e6f.css`."""
    content: bytes
    type: str
    gzipped: bytes | None
    """None where it saves nothing."""


def _read() -> Mapping[str, Asset]:
    found = {}
    for file in files("morningdeck.web").joinpath("static").iterdir():
        stem, _, ending = file.name.rpartition(".")
        content = file.read_bytes()
        digest = hashlib.sha256(content).hexdigest()[:12]
        small = None if ending == "png" else gzip.compress(content, mtime=0)
        found[file.name] = Asset(f"{stem}.{digest}.{ending}", content, TYPES[ending], small)
    return found


ASSETS = _read()
_AT = {asset.address: asset for asset in ASSETS.values()}


@router.get("/static/{name}")
async def show_asset(request: Request, name: str) -> Response:
    asset = _AT.get(name)
    if asset is None:
        raise HTTPException(404, "there is no such file, or not any more: load the page anew")
    headers = {"Cache-Control": FOR_EVER, "Vary": "Accept-Encoding"}
    content = asset.content
    if asset.gzipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
        content, headers["Content-Encoding"] = asset.gzipped, "gzip"
    return Response(content, headers=headers, media_type=asset.type)
