"""A picture from the web, made small enough for a mail: a new JPEG of its pixels alone.

Nothing of the file goes along: no place where it was taken, nothing behind its end.
"""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO

from PIL import Image, ImageOps

from morningdeck.errors import PermanentError
from morningdeck.model.pictures import Picture

FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
MOST_PIXELS = 24_000_000
SMALLEST_SIDE, FLATTEST, TALLEST = 200, 0.25, 0.8
"""What is smaller is a logo, what is flatter, by its width, a banner; what is taller pushes the
news off the screen.
"""
DEEP = "I"
"""What the modes of more than eight bits begin with; Pillow would cut them off."""
SIZES = ((1040, 75), (1040, 55), (780, 65), (560, 60), (560, 40))
"""Widths and qualities; a mail shows 520 points."""
MOST_PICTURE_BYTES = 40_000
WHITE = "#ffffff"


def shrink(body: bytes) -> Picture:
    """PermanentError for what is none, or none that suits a mail."""
    Image.MAX_IMAGE_PIXELS = MOST_PIXELS // 2  # it raises from twice as many on
    with Image.open(BytesIO(body), formats=FORMATS) as found:
        width, height = found.size
        if min(width, height) < SMALLEST_SIDE or found.mode.startswith(DEEP):
            raise PermanentError(f"a picture of {width} x {height} suits no mail")
        found.draft("RGB", (2 * SIZES[0][0], 2 * SIZES[0][0]))  # of a JPEG, what is needed
        found.thumbnail((SIZES[0][0], MOST_PIXELS))
        turned = _flat(ImageOps.exif_transpose(found))
    if not FLATTEST * turned.width <= turned.height <= TALLEST * turned.width:
        raise PermanentError(f"a picture of {width} x {height} suits no mail")
    for wide, quality in SIZES:
        content = _jpeg(turned, wide, quality)
        if len(content) <= MOST_PICTURE_BYTES:
            return Picture(b64encode(content).decode(), turned.width, turned.height)
    raise PermanentError("a picture that cannot be made small suits no mail")


def _flat(image: Image.Image) -> Image.Image:
    """On white, where it is see-through."""
    seen = image.convert("RGBA")
    flat = Image.new("RGB", seen.size, WHITE)
    flat.paste(seen, mask=seen.getchannel("A"))
    return flat


def _jpeg(image: Image.Image, wide: int, quality: int) -> bytes:
    shown = image.copy()
    shown.thumbnail((wide, wide))
    out = BytesIO()
    shown.save(out, "JPEG", quality=quality, optimize=True)
    return out.getvalue()
