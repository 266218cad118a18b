"""Whatever is asked of any operation: no bug, and nothing that its description does not say."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import hypothesis
import jsonschema_rs
import pytest
import schemathesis
from schemathesis import checks
from schemathesis.specs.openapi import checks as conformance

from morningdeck.store.tables.briefs import reports
from morningdeck.store.tables.news import stories
from morningdeck.web.application import make_api
from tests.conftest import NOW
from tests.factories import make
from tests.web.site import Website

HOLD = [
    checks.not_a_server_error,
    conformance.status_code_conformance,
    conformance.content_type_conformance,
    conformance.response_headers_conformance,
    conformance.response_schema_conformance,
]
EXAMPLES = 12
described = schemathesis.openapi.from_dict(make_api().openapi())


@pytest.fixture(scope="module")
def token(web: Website) -> str:
    """Of somebody who has one of each, under the numbers that are tried first."""
    user = web.app.store.users.first().id
    for number in range(3):
        source = web.stock.source(user, f"https://news{number}.example/feed")
        briefing = web.stock.briefing(user)
        story = make(web.app.store.database, stories, label="Harbour")
        item = web.stock.item(source, title=f"Harbour {number} opens", story_id=story)
        web.stock.score(item, briefing, 71)
        report = web.stock.report(briefing)
        web.stock.set(reports, report, generated_at=NOW)
    return web.token("me@localhost", "admin")


@described.parametrize()
@hypothesis.settings(
    max_examples=EXAMPLES,
    suppress_health_check=list(hypothesis.HealthCheck),
    derandomize=True,
)
def test_every_operation_answers_as_it_is_described(
    case: schemathesis.Case[Any], web: Website, token: str
) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    answer = case.call(base_url=web.url, headers=headers)
    case.validate_response(answer, checks=HOLD)


UNASKED = """
import sys
from morningdeck.web.application import make_api
from morningdeck.web.description import DescribedRoute
made = make_api()
ours = [route for route in made.routes if isinstance(route, DescribedRoute)]
assert len(ours) > 30 and not any(route.response_field for route in ours)
assert "items" in str(made.openapi()) and sum(bool(route.response_field) for route in ours) > 30
assert sys.modules["pydantic.v1"] is None
"""


def test_what_describes_answers_is_built_when_somebody_asks() -> None:
    """Nor is the old kind of models there, which nobody has: 5 MB of each daemon."""
    subprocess.run([sys.executable, "-c", UNASKED], check=True)


def test_every_operation_is_described_in_full() -> None:
    whole = make_api().openapi()
    for path, operations in whole["paths"].items():
        for method, operation in operations.items():
            name = f"{method} {path}"
            answers = operation["responses"]
            good = [code for code in answers if code.startswith("2")]
            assert len(good) == 1, name
            assert operation["description"], name
            assert good == ["204"] or answers[good[0]]["content"], name
            wrong = [of for code, of in answers.items() if code >= "400"]
            assert all("application/problem+json" in one["content"] for one in wrong), name
    assert "HTTPValidationError" not in whole["components"]["schemas"]


def test_every_answer_has_an_example_that_fits_its_schema() -> None:
    whole = make_api().openapi()
    for path, operations in whole["paths"].items():
        for method, operation in operations.items():
            for code, response in operation["responses"].items():
                for kind, content in response.get("content", {}).items():
                    if kind.startswith("image/"):
                        continue
                    name = f"{method} {path} {code} {kind}"
                    assert "example" in content, name
                    schema = {**content["schema"], "components": whole["components"]}
                    jsonschema_rs.validate(schema, content["example"])


def test_limits_are_described_where_they_are() -> None:
    operations = make_api().openapi()["paths"]["/api/v1/items"]
    for operation in operations.values():
        for code in ("429", "503"):
            assert "Retry-After" in operation["responses"][code]["headers"]
        for code in ("403", "404", "429"):
            assert "RateLimit-Remaining" in operation["responses"][code]["headers"]
