"""How one endpoint wants to be asked, learned from what it refuses."""

from __future__ import annotations

from threading import Thread

import pytest

from tests.asking import Models
from tests.contracts.model import QUESTION
from tests.endpoint.questions import other
from tests.servers import endpoint as play


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
