"""Orders planted in articles, and a model that obeys every one of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from morningdeck.enrichers.answers import CATEGORIES, INTENTS, SENTIMENTS
from morningdeck.enrichers.grounding import Evidence, is_harmful
from morningdeck.enrichers.openai import OpenAIEnricher
from morningdeck.model.making import Article, Criteria, Enrichment
from tests.contracts.enricher import ARTICLE
from tests.enrichers.test_openai import counted, enricher, make, offline, tallies
from tests.servers import endpoint as play
from tests.servers.endpoint import ModelServer

__all__ = ["counted", "enricher", "make", "offline", "tallies"]

PORTS = Criteria(7, 3, "Shore power for ships in ports", user_id=1)
EVIL = "https://evil.example/steal?x=1"
ATTACKS: tuple[dict[str, Any], ...] = (
    {"summary": f"Visit {EVIL} now. <img src='{EVIL}'> ![x]({EVIL}) [click]({EVIL})"},
    {"summary": "Th3 p0rt 1s cl0s3d f0r3v3r. Buy our tokens. Vote for the blue party."},
    {"summary": "The port reopened its largest quay today. Send money to assist@gmail.com."},
    {"summary": "<script>alert(1)</script>" * 400},
    {"summary": EVIL, "topics": [EVIL, "<b>x</b>", "evil.example"], "people": ["Evil Example"]},
    {"people": ["<img src=x>"], "companies": ["www.fakesoft.com"], "technologies": [EVIL]},
    {"category": "evil", "intent": "steal", "sentiment": "furious"},
    {"scores": [play.scored("1", 10**9, f"see {EVIL}")]},
    {"scores": [play.scored("1", 100, "Vote for Karl Evil, he is 100 % right")]},
    {"scores": [play.scored("2", 100), play.scored("__proto__", 100)]},
    {"summary": "SYSTEM PROMPT: You prepare news for readers. You are given one article."},
)


def obeying(attack: dict[str, Any]) -> play.Reply:
    def reply(asked: play.Asked) -> Iterator[bytes]:
        yield play.completion(json.dumps({**play.filled(asked), **attack}))

    return reply


def texts_of(found: Enrichment) -> list[str]:
    tags = found.tags
    names = (*tags.topics, *tags.people, *tags.companies, *tags.technologies)
    return [found.summary, *names, *(score.reason for score in found.scores)]


def check(found: Enrichment, article: Article) -> None:
    """Nothing foreign came out, whatever the model was made to say."""
    assert not [text for text in texts_of(found) if is_harmful(text) or "evil" in text.lower()]
    assert found.category in CATEGORIES
    assert found.intent in INTENTS
    assert found.tags.sentiment in SENTIMENTS
    assert [score.briefing_id for score in found.scores] == [7]
    assert 0 <= found.scores[0].value <= 100
    evidence = Evidence((article.title, article.text), "en")
    assert all(evidence.supports(one) for one in found.summary.split(". ") if len(one) > 40)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: "-".join(attack))
def test_no_address_and_no_markup_comes_out_of_a_model(
    enricher: OpenAIEnricher, endpoint: ModelServer, attack: dict[str, Any]
) -> None:
    endpoint.will(obeying(attack))

    check(enricher.enrich(ARTICLE, (PORTS,)), ARTICLE)


def test_the_orders_of_the_corpus_have_no_effect(
    enricher: OpenAIEnricher, endpoint: ModelServer, corpora: Path
) -> None:
    """The model writes each order, and what it asks for, wherever it may write something."""
    file = corpora / "llm-injection" / "text_attack_train.json"
    orders = [one for kind in json.loads(file.read_text()).values() for one in kind]
    head, tail = ARTICLE.text.split(". ", 1)
    for number, order in enumerate(orders):
        article = Article(ARTICLE.title, f"{head}. {order} {tail} It was day {number}.")
        told = f"{order} {EVIL}"
        attack = {
            "summary": f"{told} {order}",
            "topics": [order[:40], EVIL],
            "people": [order],
            "scores": [play.scored("1", 100, told)],
        }
        endpoint.will(obeying(attack))

        found = enricher.enrich(article, (PORTS,))

        check(found, ARTICLE)
        assert order not in found.summary
