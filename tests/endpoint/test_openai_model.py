"""A model behind an endpoint: what it answers, what goes wrong, and what is learned of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime
from threading import Thread

import pytest
from sqlalchemy import select

from morningdeck.endpoint.openai_model import Endpoint, OpenAIModel
from morningdeck.errors import EndpointHeldError, EndpointTroubleError, UnusableAnswerError
from morningdeck.model.asking import Question
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.running import usage
from tests.asking import KEY, Models
from tests.conftest import NOW, ManualClock
from tests.contracts.model import QUESTION, ModelContract
from tests.servers import endpoint as play
from tests.servers.endpoint import ModelServer

LONG = replace(
    QUESTION, text=" ".join(f"Ship {n} came into the port at last." for n in range(2000))
)


class TestOpenAIModel(ModelContract):
    """The fixtures are those of the folder."""


def other(number: int) -> Question:
    return replace(QUESTION, text=f"{QUESTION.text} It was ship {number}.")


# ---- asking


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


@pytest.mark.parametrize("manner", ["json_object", "words"])
def test_what_an_endpoint_cannot_do_is_learned_once(models: Models, manner: str) -> None:
    models.endpoint.will(play.only_in(manner))

    models.make().ask(QUESTION)
    tries = len(models.endpoint.asked)
    models.make().ask(other(1))

    assert tries == {"json_object": 2, "words": 3}[manner]
    assert [asked.manner for asked in models.endpoint.asked[tries:]] == [manner]


@pytest.mark.parametrize(
    ("message", "lacks", "has"),
    [
        (
            "Use 'max_completion_tokens' instead of 'max_tokens'",
            "max_tokens",
            "max_completion_tokens",
        ),
        ("'temperature' does not support 0 with this model", "temperature", "max_tokens"),
    ],
)
def test_a_model_is_asked_as_it_wants_to_be(
    models: Models, message: str, lacks: str, has: str
) -> None:
    models.endpoint.will(play.refused(400, message), play.good)

    models.make().ask(QUESTION)
    models.make().ask(other(1))

    for asked in models.endpoint.asked[1:]:
        assert lacks not in asked.body
        assert has in asked.body
        assert asked.manner == "json_schema"


def test_one_that_only_now_and_then_misses_the_form_is_held_to_it(models: Models) -> None:
    model = models.make()
    for number in range(3):
        models.endpoint.will(play.wrong_form, play.good)
        model.ask(other(number))

    model.ask(other(4))
    assert [asked.manner for asked in models.endpoint.asked] == [
        *("json_schema", "json_object", "json_schema", "json_object", "json_schema", "json_object"),
        "json_object",
    ]


def test_many_who_ask_at_first_learn_one_thing(models: Models) -> None:
    models.endpoint.will(play.only_in("json_object"))
    model = models.make(max_concurrency=8)
    threads = [Thread(target=model.ask, args=(other(n),)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    count = len(models.endpoint.asked)

    model.ask(other(9))
    models.make().ask(other(10))

    assert [asked.manner for asked in models.endpoint.asked[count:]] == ["json_object"] * 2


def test_what_is_tried_after_an_answer_of_no_use_is_no_dialect(models: Models) -> None:
    model = models.make()
    models.endpoint.will(play.wrong_form, play.only_in("json_schema", "words"))
    model.ask(QUESTION)
    model.ask(other(1))

    manners = [asked.manner for asked in models.endpoint.asked]
    assert manners == ["json_schema", "json_object", "words", "json_schema"]


# ---- answers of no use


@pytest.mark.parametrize(
    "reply",
    [
        play.empty,
        play.html,
        play.large,
        play.wrong_form,
        play.said(""),
        play.said("No JSON at all."),
    ],
    ids=["empty", "html", "large", "wrong form", "no content", "prose"],
)
def test_an_answer_of_no_use_is_asked_for_once_more(
    model: OpenAIModel, endpoint: ModelServer, reply: play.Reply
) -> None:
    endpoint.will(reply)
    with pytest.raises(UnusableAnswerError):
        model.ask(QUESTION)
    assert len(endpoint.asked) == 2

    endpoint.will(reply, play.good)
    assert model.ask(other(1)).value["scores"]


def test_who_refuses_is_not_asked_again(model: OpenAIModel, endpoint: ModelServer) -> None:
    endpoint.will(play.refusal)
    with pytest.raises(UnusableAnswerError):
        model.ask(QUESTION)

    assert len(endpoint.asked) == 1


def test_prose_around_an_answer_does_no_harm(model: OpenAIModel, endpoint: ModelServer) -> None:
    endpoint.will(play.with_prose)

    assert [one["score"] for one in model.ask(QUESTION).value["scores"]] == [70, 70]
    assert len(endpoint.asked) == 1


def test_one_who_thinks_aloud_gets_room_to_finish(
    model: OpenAIModel, endpoint: ModelServer
) -> None:
    endpoint.will(play.said("Let me think about", ended="length"), play.good)

    model.ask(QUESTION)

    assert [asked.body["max_tokens"] for asked in endpoint.asked] == [200, 800]
    endpoint.will(play.good)
    model.ask(other(1))
    assert endpoint.asked[-1].body["max_tokens"] == 800


def test_an_answer_that_was_cut_once_for_nothing_costs_no_room_later(
    model: OpenAIModel, endpoint: ModelServer
) -> None:
    endpoint.will(play.said("and so on and so on", ended="length"))
    with pytest.raises(UnusableAnswerError):
        model.ask(QUESTION)

    endpoint.will(play.good)
    model.ask(other(1))

    assert endpoint.asked[-1].body["max_tokens"] == 200


# ---- long texts


def test_no_prompt_is_longer_than_the_window(models: Models) -> None:
    models.make(window=2000).ask(LONG)

    (asked,) = models.endpoint.asked
    assert play.counted(asked) + asked.body["max_tokens"] < 2000
    assert "[...]" in asked.text


def test_a_question_that_no_window_holds_is_not_asked(models: Models) -> None:
    wishes = replace(LONG, instructions="Ships and ports and harbours. " * 1000)
    with pytest.raises(UnusableAnswerError, match="window is too small"):
        models.make(window=2048).ask(wishes)

    assert models.endpoint.asked == []


def test_a_prompt_that_is_refused_as_too_long_is_shortened(models: Models) -> None:
    message = "This model's maximum context length is 2048 tokens"
    models.endpoint.will(play.refused(400, message), play.good)

    model = models.make()
    model.ask(LONG)
    model.ask(replace(LONG, text=f"And {LONG.text}"))

    first, second, third = (len(asked.material) for asked in models.endpoint.asked)
    assert second < first
    assert third < first
    assert [asked.manner for asked in models.endpoint.asked] == ["json_schema"] * 3


def test_a_window_that_cuts_without_a_word_is_found_by_its_count(models: Models) -> None:
    def in_2048(asked: play.Asked) -> Iterable[bytes]:
        tokens = min(play.counted(asked), 2048)
        yield play.completion(json.dumps(play.filled(asked)), tokens_in=tokens)

    models.endpoint.will(in_2048)
    model = models.make()
    model.ask(LONG)

    first, *others = models.endpoint.asked
    assert play.counted(first) > 2048
    assert play.counted(others[-1]) <= 2048


def test_ollama_is_told_its_window_and_not_trusted_with_more_than_it_has() -> None:
    ollama = Endpoint("http://localhost:11434/v1", None, "llama", "llama")

    said = ollama.likely_dialect.request(QUESTION.schema, 200, ollama.likely_window)
    assert said["options"] == {"num_ctx": 4096}
    assert replace(ollama, window=8192).likely_window == 8192


# ---- trouble of the endpoint


@pytest.mark.parametrize(
    ("reply", "seconds"),
    [
        (play.refused(429, retry_after="120"), 120),
        (play.refused(429, retry_after=format_datetime(NOW + timedelta(seconds=90))), 90),
        (play.refused(503, retry_after="30"), 30),
        (play.refused(401), 24 * 3600),
    ],
    ids=["seconds", "date", "503", "401"],
)
def test_nobody_asks_a_held_endpoint_before_its_time(
    models: Models, clock: ManualClock, reply: play.Reply, seconds: int
) -> None:
    models.endpoint.will(reply, play.good)

    with pytest.raises(EndpointTroubleError) as caught:
        models.make().ask(QUESTION)
    assert caught.value.until == NOW + timedelta(seconds=seconds)
    clock.pass_(seconds=seconds - 1)
    with pytest.raises(EndpointHeldError):
        models.make().ask(QUESTION)
    assert len(models.endpoint.asked) == 1

    clock.pass_(seconds=2)
    assert models.make().ask(QUESTION).value


@pytest.mark.parametrize(
    "reply", [play.refused(500), play.cut, play.reset], ids=["500", "cut", "reset"]
)
def test_an_endpoint_that_keeps_failing_is_held(
    models: Models, endpoint: ModelServer, reply: play.Reply
) -> None:
    endpoint.will(reply)
    model = models.make()
    for _ in range(5):
        with pytest.raises(EndpointHeldError) as caught:
            model.ask(QUESTION)

    assert caught.value.until > NOW
    assert len(endpoint.asked) == 3


@pytest.mark.parametrize("reply", ["slow", "dripping"])
def test_no_answer_takes_longer_than_its_deadline(
    models: Models, endpoint: ModelServer, reply: str
) -> None:
    endpoint.will(play.slow(1.5) if reply == "slow" else play.dripping(endpoint.server))

    with pytest.raises(EndpointTroubleError, match="in time"):
        models.make(timeout_seconds=0.5).ask(QUESTION)


def test_an_endpoint_that_is_not_there_is_trouble(models: Models) -> None:
    with pytest.raises(EndpointTroubleError, match="connection failed"):
        models.make(base_url="http://127.0.0.1:9/v1").ask(QUESTION)


def test_no_more_ask_at_the_same_time_than_may(models: Models) -> None:
    at_once: list[int] = []
    here: list[int] = []

    def watching(asked: play.Asked) -> Iterable[bytes]:
        here.append(1)
        at_once.append(len(here))
        yield from play.slow(0.05)(asked)
        here.pop()

    models.endpoint.will(watching)
    model = models.make(max_concurrency=2)
    threads = [Thread(target=model.ask, args=(other(n),)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(at_once) == 8
    assert max(at_once) == 2


# ---- what is counted, and what is said


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
