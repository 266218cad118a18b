"""Answers of no use: asked for once more, then done without."""

from __future__ import annotations

import pytest

from morningdeck.endpoint.openai_model import OpenAIModel
from morningdeck.errors import UnusableAnswerError
from tests.contracts.model import QUESTION
from tests.endpoint.questions import other
from tests.servers import endpoint as play
from tests.servers.endpoint import ModelServer


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


@pytest.mark.parametrize("status", [400, 403])
def test_an_article_that_a_moderator_flags_keeps_nobody_else_from_asking(
    model: OpenAIModel, endpoint: ModelServer, status: int
) -> None:
    """What is quoted of it may look like any other refusal."""
    endpoint.will(play.refused(status, "requires moderation, your input was flagged: 'too long'"))
    with pytest.raises(UnusableAnswerError):
        model.ask(QUESTION)
    assert len(endpoint.asked) == 1

    endpoint.will(play.good)
    assert model.ask(other(1)).value["scores"]


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
