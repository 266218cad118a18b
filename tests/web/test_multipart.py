"""Forms with files, cut into their parts, whoever sends them."""

from __future__ import annotations

import httpx2
import pytest
from starlette.exceptions import HTTPException

from morningdeck.web.multipart import MOST_FORM_PARTS, FormPart, parts_of
from tests.web.site import Website

KIND = "multipart/form-data; boundary=b"
DISPOSED = b'Content-Disposition: form-data; name="a"\r\n\r\n'


def form(*parts: bytes, end: bytes = b"--b--\r\n") -> bytes:
    return b"".join(b"--b\r\n" + part + b"\r\n" for part in parts) + end


def test_what_a_client_sends_is_read_as_it_was() -> None:
    content = b"\r\n--bb\0\xff\r\n\r\n--\r\n"
    told = httpx2.Request(
        "POST", "http://d.example", data={"é": "ü\n"}, files={"list": ('a";b.opml', content)}
    )

    assert parts_of(told.headers["content-type"], told.read()) == (
        FormPart("é", "ü\n".encode(), is_file=False),
        FormPart("list", content, is_file=True),
    )


@pytest.mark.parametrize(
    ("body", "contents"),
    [
        (form(DISPOSED + b"1", DISPOSED + b"2"), [b"1", b"2"]),
        (b"before\r\n" + form(DISPOSED + b"1") + b"after\r\n" + form(DISPOSED + b"2"), [b"1"]),
        (form(DISPOSED + b"1", end=b""), [b"1\r\n"]),
        (form(b"X: y\r\n\r\n1", b"", DISPOSED), [b""]),
        (b"", []),
    ],
)
def test_parts_are_those_between_boundaries(body: bytes, contents: list[bytes]) -> None:
    assert [part.content for part in parts_of(KIND, body)] == contents


@pytest.mark.parametrize("kind", ["multipart/form-data", "multipart/form-data; boundary="])
def test_a_form_says_where_its_parts_end(kind: str) -> None:
    with pytest.raises(HTTPException, match="where its parts end"):
        parts_of(kind, b"")


def test_a_form_has_no_more_parts_than_pages_have_fields() -> None:
    assert len(parts_of(KIND, form(*[DISPOSED] * MOST_FORM_PARTS))) == MOST_FORM_PARTS
    with pytest.raises(HTTPException, match="more than 1,000 parts"):
        parts_of(KIND, form(*[DISPOSED] * (MOST_FORM_PARTS + 1)))


def test_nobody_keeps_everybody_waiting_by_a_form_of_many_parts(web: Website) -> None:
    """It is refused before anybody asks who sends it, which takes no time."""
    many = form(*[b"\r\n"] * 90_000)
    with web.browser() as nobody, web.asked_with(web.token("a@example.org", "write")) as ada:
        for client, path in ((nobody.client, "/login"), (ada, "/api/v1/opml")):
            told = client.post(path, content=many, headers={"Content-Type": KIND})
            assert (told.status_code, "more than 1,000 parts" in told.text) == (400, True)
