"""A model behind an endpoint: what it is asked, what that costs, and what is said of it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
from sqlalchemy import select

from morningdeck.endpoint.openai_model import OpenAIModel
from morningdeck.errors import EndpointHeldError, UnusableAnswerError
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.running import usage
from tests.asking import KEY, Models
from tests.contracts.model import QUESTION, ModelContract
from tests.servers import endpoint as play
from tests.servers.endpoint import ModelServer


class TestOpenAIModel(ModelContract):
    """The fixtures are those of the folder."""


def test_the_form_is_asked_for_as_strictly_as_it_can_be(
    model: OpenAIModel, endpoint: ModelServer
) -> None:
    model.ask(QUESTION)

    (asked,) = endpoint.asked
    assert (asked.manner, asked.body["model"]) == ("json_schema", "small")
    assert asked.body["response_format"]["json_schema"]["strict"] is True
    assert (asked.body["max_tokens"], asked.body["temperature"]) == (200, 0)
    assert asked.headers["authorization"] == f"Bearer {KEY}"


def test_a_heavy_question_is_for_the_heavy_model(model: OpenAIModel, endpoint: ModelServer) -> None:
    assert model.ask(replace(QUESTION, heavy=True)).by == "large"
    assert endpoint.asked[0].body["model"] == "large"


def test_the_same_question_is_asked_once(model: OpenAIModel, models: Models) -> None:
    first = model.ask(QUESTION)

    assert models.make().ask(QUESTION) == first
    assert len(models.endpoint.asked) == 1


def test_every_call_is_counted_as_the_endpoint_counts_it(
    model: OpenAIModel, asked_database: Database, endpoint: ModelServer
) -> None:
    endpoint.will(play.refused(400, "no json_schema here"), play.good)
    model.ask(QUESTION)

    with asked_database.read() as connection:
        failed, good = connection.execute(select(usage).order_by(usage.c.id)).all()
    assert (failed.ok, failed.nanodollars) == (False, 0)
    assert (good.ok, good.tokens_in) == (True, play.counted(endpoint.asked[1]))


@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_a_key_that_an_endpoint_repeats_is_said_nowhere(
    model: OpenAIModel, endpoint: ModelServer, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    endpoint.will(play.refused(status))

    with pytest.raises((EndpointHeldError, UnusableAnswerError)) as caught:
        model.ask(QUESTION)

    assert KEY in endpoint.asked[0].headers["authorization"]
    assert KEY not in f"{caught.value} {caplog.text}"
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_nothing_heavy_is_imported_before_the_first_question() -> None:
    program = (
        "import sys\n"
        "from morningdeck.endpoint.openai_model import Endpoint, OpenAIModel\n"
        "endpoint = Endpoint('http://127.0.0.1:9/v1', None, 'small', 'large')\n"
        "OpenAIModel(endpoint, ledger=None, breaker=None, answers=None, clock=None).close()\n"
        "print({'openai', 'httpx2', 'json_repair'} & set(sys.modules))\n"
    )

    ended = subprocess.run((sys.executable, "-c", program), capture_output=True, text=True)

    assert (ended.stdout, ended.stderr) == ("set()\n", "")
