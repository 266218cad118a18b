"""Feeds and pages that are bad in what they hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.parsing.samples import rss

LARGEST = 15 << 20
"""A larger answer is not read to its end."""
MANY = 100_000


def item(inside: str = "", title: str = "read") -> bytes:
    """A feed of one entry that says this besides."""
    return rss(f"<item><guid>1</guid><title>{title}</title>{inside}</item>")


def described(text: str) -> bytes:
    return item(f"<description>{text}</description>")


def unfinished(inside: str) -> bytes:
    """One that ends in the middle."""
    return item(inside).removesuffix(b"</item></channel></rss>")


def full(piece: str, around: bytes | None = None) -> Callable[[], bytes]:
    """As large as an answer may be."""

    def document() -> bytes:
        start, end = (around or described("@")).split(b"@")
        filling = piece.encode()
        return start + filling * ((LARGEST - len(start) - len(end)) // len(filling)) + end

    return document


# ---- XML


def declares(entities: str, document: bytes) -> bytes:
    """The same feed behind a DOCTYPE."""
    return f"<!DOCTYPE rss [{entities}]>".encode() + document.partition(b"?>")[2]


def billion_laughs() -> bytes:
    laughs = "".join(
        f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "lol" * 10}">' for n in range(10)
    )
    return declares(laughs, item(title="read &l9;"))


def quadratic_blowup() -> bytes:
    return declares(f'<!ENTITY a "{"a" * MANY}">', described("&a;" * MANY))


def foreign_entity(address: str) -> bytes:
    return declares(f'<!ENTITY foreign SYSTEM "{address}">', item(title="read &foreign;"))


def own_file() -> bytes:
    return foreign_entity(Path(__file__).as_uri())


def nested(start: str, end: str, depth: int = MANY) -> bytes:
    return item(start * depth + end * depth)


def nested_divs() -> bytes:
    return described("&lt;div&gt;" * MANY + "deep")


def attributes(count: int) -> bytes:
    return item("<b " + " ".join(f"a{n}='x'" for n in range(count)) + "/>")


# ---- many


def many_entries() -> bytes:
    return rss("".join(f"<item><guid>{n}</guid><title>read</title></item>" for n in range(MANY)))


def large_entries() -> bytes:
    """2,000 of 7 KB."""
    text = "word " * 1500
    return rss(
        "".join(
            f"<item><guid>{n}</guid><title>read</title><description>{text}</description></item>"
            for n in range(2000)
        )
    )


def page_of_links() -> bytes:
    """2 MB of them."""
    links = (f'<li><a href="/{n}">A headline of some words {n}</a></li>' for n in range(40_000))
    return f"<html><body><ul>{''.join(links)}</ul></body></html>".encode()


# ---- JSON


def deep_json() -> bytes:
    return b'{"items":' + b"[" * MANY


def deep_json_in_an_entry() -> bytes:
    return b'{"items":[{"id":"1","title":"read","deep":' + b"[" * MANY + b"]" * MANY + b"}]}"
