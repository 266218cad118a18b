"""The enricher that asks a model; what that does not answer well is the offline enricher's.

    offline --off topic for all?--> done
       |
       +--> one question for each user whose briefings the item serves --> held against the text

The first question is about everything, the others are only for scores: nobody's wishes stand
beside another's. An endpoint that is held is for whoever asks to wait for (EndpointHeldError).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import groupby
from threading import Lock

from morningdeck.enrichers import EnricherMeans, offline
from morningdeck.enrichers.answers import Judge, Plain, everything, scores_alone
from morningdeck.enrichers.orders import without_orders
from morningdeck.errors import (
    BudgetSpentError,
    ConfigError,
    EndpointHeldError,
    EndpointTroubleError,
    MorningDeckError,
    NoCreditError,
    UnusableAnswerError,
)
from morningdeck.model.asking import ModelAnswer, Purpose, Question, Tally
from morningdeck.model.making import Article, Criteria, Enrichment, Score
from morningdeck.plaintext import one_line, shorten
from morningdeck.ports.asking import Model, Tallies
from morningdeck.ports.verbs import Enricher
from morningdeck.prompts import PromptText

MOST_WISHES = 10
LONGEST_WISH = 2_000
FEWEST_LETTERS = 20
"""An article with fewer says nothing that a model could tell more of."""
TROUBLES = 2
"""So often an article may meet an endpoint that fails; perhaps it is what breaks it."""
ARTICLES_REMEMBERED = 10_000
TOKENS_OF_ALL, TOKENS_OF_SCORE = 500, 90


class OpenAIEnricher:
    def __init__(
        self,
        model: Model,
        offline: Enricher,
        prompts: Mapping[str, PromptText],
        tallies: Tallies,
        prefilter: int,
    ) -> None:
        self._model = model
        self._offline = offline
        self._prompts = prompts
        self._tallies = tallies
        self._prefilter = prefilter
        self._troubles: OrderedDict[str, int] = OrderedDict()
        self._counting = Lock()

    @property
    def name(self) -> str:
        return self._model.name()

    def enrich(self, article: Article, criteria: Sequence[Criteria]) -> Enrichment:
        article = _without_orders(article)
        plain = Plain(self._offline, article, criteria)
        if not self._is_for_the_model(article, plain):
            return replace(plain.enrichment, scores=plain.scores)
        judge = Judge(article, plain, self._tallies)
        found: Enrichment | None = None
        scores: list[Score] = []
        for wishes in _of_one_user(criteria) if criteria else iter([()]):
            told = replace(article, language=plain.language or None)
            answer = self._ask(told, wishes, alone=found is not None)
            if answer is not None and found is None:
                found = judge.enrichment(answer)
            scores += judge.scores(answer, wishes)
        return replace(found or plain.enrichment, scores=tuple(scores))

    def score(self, article: Article, criteria: Sequence[Criteria]) -> tuple[Score, ...]:
        article = _without_orders(article)
        plain = Plain(self._offline, article, criteria)
        if not criteria or not self._is_for_the_model(article, plain):
            return plain.scores
        judge = Judge(article, plain, self._tallies)
        found: list[Score] = []
        for wishes in _of_one_user(criteria):
            found += judge.scores(self._ask(article, wishes, alone=True), wishes)
        return tuple(found)

    def _is_for_the_model(self, article: Article, plain: Plain) -> bool:
        if sum(map(str.isalnum, f"{article.title} {article.text[:200]}")) < FEWEST_LETTERS:
            return False
        if self._prefilter and _all_below(self._prefilter, plain.scores):
            self._tallies.add(Tally.SPARED)
            return False
        return True

    def _ask(
        self, article: Article, wishes: Sequence[Criteria], *, alone: bool
    ) -> ModelAnswer | None:
        """None where the offline enricher's has to do, which is counted."""
        question = self._question(article, wishes, alone=alone)
        try:
            return self._model.ask(question)
        except EndpointTroubleError as error:
            if self._met_trouble(article) <= TROUBLES:
                raise
            self._tallies.add(instead_of(error))
        except (BudgetSpentError, UnusableAnswerError) as error:
            self._tallies.add(instead_of(error))
        return None

    def _met_trouble(self, article: Article) -> int:
        """How often this article has, as far as this process remembers."""
        key = _mark(article)
        with self._counting:
            count = self._troubles.pop(key, 0) + 1
            self._troubles[key] = count
            if len(self._troubles) > ARTICLES_REMEMBERED:
                self._troubles.popitem(last=False)
            return count

    def _question(self, article: Article, wishes: Sequence[Criteria], *, alone: bool) -> Question:
        said = {
            "language": article.language or "as the article's",
            "source": shorten(article.source_title, 100),
            "author": shorten(article.author or "", 100),
            "title": shorten(article.title, 300),
            "wishes": _written(wishes),
        }
        instructions, around = self._prompts["score" if alone else "enrich"].around(said, "text")
        mark = _mark(article)
        schema = scores_alone(len(wishes)) if alone else everything(len(wishes))
        return Question(
            purpose=Purpose.ENRICH,
            instructions=instructions,
            around=(f"<article-{mark}>\n{around[0]}", f"{around[1]}\n</article-{mark}>"),
            text=article.text,
            focus=" ".join(wish.text for wish in wishes),
            schema=schema,
            tokens_out=(0 if alone else TOKENS_OF_ALL) + TOKENS_OF_SCORE * (len(wishes) + 1),
            user_id=wishes[0].user_id if wishes else None,
            item_id=article.item_id,
        )


class StandIn:
    """The offline enricher where a model would have been asked, and cannot be: which is counted."""

    def __init__(self, offline: Enricher, tallies: Tallies) -> None:
        self._offline = offline
        self._tallies = tallies

    @property
    def name(self) -> str:
        return self._offline.name

    def enrich(self, article: Article, criteria: Sequence[Criteria]) -> Enrichment:
        self._tallies.add(Tally.NO_ENDPOINT)
        return self._offline.enrich(_without_orders(article), criteria)

    def score(self, article: Article, criteria: Sequence[Criteria]) -> tuple[Score, ...]:
        self._tallies.add(Tally.NO_ENDPOINT)
        return self._offline.score(_without_orders(article), criteria)


def open_enricher(means: EnricherMeans) -> OpenAIEnricher:
    if means.model is None or means.tallies is None:
        raise ConfigError("enricher.kind is openai, but there is no model")
    return OpenAIEnricher(
        means.model, offline.open_enricher(means), means.prompts, means.tallies, means.prefilter
    )


def open_stand_in(means: EnricherMeans) -> Enricher:
    if means.tallies is None:
        return offline.open_enricher(means)
    return StandIn(offline.open_enricher(means), means.tallies)


def _without_orders(article: Article) -> Article:
    title, text = without_orders(article.title), without_orders(article.text)
    if (title, text) == (article.title, article.text):
        return article
    return replace(article, title=title, text=text, told=None, read_as=None, in_short=None)


def _all_below(limit: int, scores: Sequence[Score]) -> bool:
    return bool(scores) and all(score.value < limit for score in scores)


def _of_one_user(criteria: Sequence[Criteria]) -> Iterator[tuple[Criteria, ...]]:
    """In the order they come, in which a user's stand together."""
    for _, theirs in groupby(criteria, lambda one: one.user_id):
        wishes = tuple(theirs)
        for at in range(0, len(wishes), MOST_WISHES):
            yield wishes[at : at + MOST_WISHES]


def _written(wishes: Sequence[Criteria]) -> str:
    if not wishes:
        return "There are no wishes: give no scores."
    lines = (
        f"Wish {n} (reasons in {wish.language or 'the language of the wish'}):"
        f" {one_line(wish.text[:LONGEST_WISH])}"
        for n, wish in enumerate(wishes, start=1)
    )
    return "The wishes:\n" + "\n".join(lines)


def _mark(article: Article) -> str:
    """What no article can know of itself."""
    said = f"{article.title}\0{article.text}".encode("utf-8", "replace")
    return sha256(said).hexdigest()[:12]


def instead_of(error: MorningDeckError) -> Tally:
    """As what it counts that a model has not answered."""
    match error:
        case EndpointHeldError():
            return Tally.NO_ENDPOINT
        case NoCreditError():
            return Tally.NO_CREDIT
        case BudgetSpentError():
            return Tally.NO_MONEY
        case _:
            return Tally.UNUSABLE
