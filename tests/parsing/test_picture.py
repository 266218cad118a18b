"""Pictures from the web as small JPEGs, and what suits no mail."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from morningdeck.errors import PermanentError
from morningdeck.parsing.picture import MOST_PICTURE_BYTES
from morningdeck.parsing.pool import ParserPool


def drawn(
    kind: str = "PNG", mode: str = "RGB", size: tuple[int, int] = (800, 450), **how: Any
) -> bytes:
    image, out = Image.new(mode, size, 200 if mode in "LP" else None), BytesIO()
    image.save(out, kind, **how)
    return out.getvalue()


def noisy(width: int, height: int) -> bytes:
    """Nothing in it can be left out."""
    out = BytesIO()
    red, green, blue = (Image.effect_noise((width, height), 250) for _ in range(3))
    Image.merge("RGB", (red, green, blue)).save(out, "PNG")
    return out.getvalue()


def opened(content: bytes) -> Image.Image:
    return Image.open(BytesIO(content))


@pytest.mark.parametrize(
    ("kind", "mode"),
    [("PNG", "RGBA"), ("PNG", "P"), ("PNG", "L"), ("JPEG", "CMYK"), ("WEBP", "RGB"), ("GIF", "P")],
)
def test_what_the_web_shows_becomes_a_jpeg(pool: ParserPool, kind: str, mode: str) -> None:
    picture = pool.picture(drawn(kind, mode))

    image = opened(picture.content)
    assert (image.format, image.mode, image.size) == ("JPEG", "RGB", (800, 450))
    assert (picture.width, picture.height) == (800, 450)


def test_a_large_one_is_made_small(pool: ParserPool) -> None:
    picture = pool.picture(drawn("JPEG", size=(4000, 2250)))

    assert opened(picture.content).size == (1040, 585)
    assert len(picture.content) <= MOST_PICTURE_BYTES


def test_what_is_see_through_is_seen_on_white(pool: ParserPool) -> None:
    clear = opened(pool.picture(drawn("PNG", "RGBA")).content)

    assert clear.getpixel((400, 200)) == (255, 255, 255)


def test_it_is_turned_as_its_camera_was_and_tells_nothing_of_it(pool: ParserPool) -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = 6, "Camera of Ada"
    picture = pool.picture(drawn("JPEG", size=(450, 800), exif=exif))

    assert (picture.width, picture.height) == (800, 450)
    assert b"Ada" not in picture.content


@pytest.mark.parametrize(
    "size", [(1, 1), (199, 400), (400, 199), (400, 400), (300, 2000), (2000, 300)]
)
def test_pixels_logos_and_towers_suit_no_mail(pool: ParserPool, size: tuple[int, int]) -> None:
    with pytest.raises(PermanentError, match="suits no mail"):
        pool.picture(drawn(size=size))


def test_what_is_deeper_than_eight_bits_suits_no_mail(pool: ParserPool) -> None:
    with pytest.raises(PermanentError, match="suits no mail"):
        pool.picture(drawn("PNG", "I;16"))


def test_what_cannot_be_made_small_suits_no_mail(pool: ParserPool) -> None:
    with pytest.raises(PermanentError, match="cannot be made small"):
        pool.picture(noisy(560, 440))


def bomb(side: int = 30_000) -> bytes:
    """A PNG of a few bytes that says it has so many pixels."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    rows = zlib.compress(b"\0" * 1_000_000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
        b"\xff\xd8\xff",
        b"\x89PNG\r\n\x1a\n" + b"\0" * 100,
        drawn("PNG")[:200],
        drawn("BMP"),
        drawn("TIFF"),
        drawn("ICO"),
        drawn(size=(6000, 5000)),
        bomb(),
        bomb(4_899),
    ],
    ids=range(12),
)
def test_what_is_no_picture_is_an_error_and_the_next_one_is_read(
    pool: ParserPool, body: bytes
) -> None:
    with pytest.raises(PermanentError):
        pool.picture(body)

    assert pool.picture(drawn()).width == 800
