"""Whatever anybody writes into the fields of a form, a body or a query: no bug."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from morningdeck.web.application import make_api
from tests.web.site import Website
from tests.web.test_every_route import ADMIN, PAGES, ROUTES, claim_once, something_of_somebody

OURS = (
    *("9" * 5_000, "\0", "a\0b", "\ud800", "²", "٣", "-1", "1e400", "NaN", "0" * 400 + "1"),
    *(str(2**63), str(2**64), "\r\nX: y", "https://[::1", "https://n.example/\0", "x" * 60_000),
)
FIELDS = (
    *("at", "channel", "code", "credits", "criteria", "days", "email", "every", "feedback", "id"),
    *("language", "max_items", "min_score", "name", "new", "password", "prompt", "q", "read"),
    *("saved", "scope", "source", "tags", "then", "time", "timezone", "title", "to", "topic"),
    *("topics", "type", "url", "weekday"),
)
CHOSEN = (
    {"which": "some"},
    {"which": "some", "frequency": "weekly", "time": "08:00", "title": "A"},
)
FORMS = [name for name in PAGES if name[0] == "POST" and name[1] != "/logout"]
WORDS = {"Content-Type": "application/x-www-form-urlencoded"}


def strings_for(number: int, of: int, corpora: Path) -> Iterator[str]:
    """Ours for each; those that others have gathered are dealt out."""
    yield from OURS
    path = corpora / "naughty-strings" / "blns.json"
    yield from json.loads(path.read_text(encoding="utf-8"))[number::of]


@pytest.mark.parametrize("name", FORMS, ids=" ".join)
def test_no_field_of_a_form_is_a_bug(web: Website, name: tuple[str, str], corpora: Path) -> None:
    claim_once(web)
    owned, bugs = something_of_somebody(web), []
    email = "me@localhost" if PAGES[name].whom == ADMIN else owned.email
    strings = strings_for(FORMS.index(name), len(FORMS), corpora)
    with web.browser(email) as browser:
        ways = CHOSEN if name[1].startswith(("/briefings", "/start")) else CHOSEN[:1]
        for text, chosen in product(strings, ways):
            form = {**dict.fromkeys(FIELDS, text), **chosen, "form_token": browser.form_token}
            body = urlencode(form, errors="surrogatepass")
            path = name[1].format(asset="", **owned.ids)
            answer = browser.client.post(path, content=body, headers=WORDS)
            web.forget_attempts()
            bugs += [text[:30]] if answer.status_code >= 500 else []
    assert bugs == []


OPERATIONS = [name for name in ROUTES if name[1].startswith("/api/v1/")]


def texts_in(schema: Mapping[str, Any], schemas: Mapping[str, Any], text: str) -> Any:
    """What has this form, with the text wherever there may be one."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    for one in (*schema.get("anyOf", ()), schema):
        match one.get("type"):
            case "object":
                fields = one.get("properties", {})
                return {name: texts_in(of, schemas, text) for name, of in fields.items()}
            case "array":
                return [texts_in(one["items"], schemas, text)]
            case "string":
                return text
            case "boolean":
                return False
    return 1


@pytest.mark.parametrize("name", OPERATIONS, ids=" ".join)
def test_no_text_in_a_body_or_query_is_a_bug(
    web: Website, name: tuple[str, str], corpora: Path
) -> None:
    described = make_api().openapi()
    owned, bugs = something_of_somebody(web), []
    template = next(
        path
        for path in described["paths"]
        if path.count("/") == name[1].count("/")
        and path.split("/")[3] == name[1].split("/")[3]
        and path.split("/")[5:] == name[1].split("/")[5:]
        and ("{" in path) == ("{" in name[1])
        and name[0].lower() in described["paths"][path]
    )
    operation = described["paths"][template][name[0].lower()]
    asked = [one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    with web.asked_with(web.token(owned.email, "write")) as client:
        for text in strings_for(OPERATIONS.index(name), len(OPERATIONS), corpora):
            query = urlencode(dict.fromkeys(asked, text[:3_000]), errors="surrogatepass")
            path = f"{name[1].format(**owned.ids)}?{query}"
            sent = body and texts_in(body["schema"], described["components"]["schemas"], text)
            answer = client.request(name[0], path, content=json.dumps(sent))
            bugs += [text[:30]] if answer.status_code >= 500 else []
    assert bugs == []
