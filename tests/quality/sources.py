"""Scores where one source brings half of all: what it always writes must teach nothing.

Small windows of newswire. Half of the items are given to a regional portal, which speaks of its
region in each of them; the others to seven sources without a style of their own.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from morningdeck.enrichers.embedding import WordEmbedder
from morningdeck.enrichers.relevance import Relevance
from morningdeck.model.making import Article, Criteria, Profile
from morningdeck.model.refining import KeptProfile
from tests.quality.figures import Figures
from tests.quality.ranking import average_precision, mean, ranked
from tests.quality.relevance import newswire

REGION = """
    Rhineland Cologne Aachen Bonn Ruhr municipal borough councillors quarter pedestrian tramline
    cathedral riverside suburb neighbourhood residents mayor district regional broadcaster
    Westphalia Dortmund Essen carnival Lower Sauerland Eifel parish volunteer brigade clubhouse
"""
PORTAL, SOURCES, WINDOW, WINDOWS, READER = 1, 8, 200, 12, 1
READERS: dict[int | None, frozenset[int]] = {READER: frozenset(range(SOURCES + 1))}


def run(figures: Figures) -> None:
    news, relevance = newswire(), Relevance(WordEmbedder())
    plain = {key: relevance.profile(article) for key, article in news.articles.items()}
    regional = {key: relevance.profile(_regional(a, key)) for key, a in news.articles.items()}
    criteria = [
        Criteria(at, 1, wish, user_id=READER) for at, wish in enumerate(news.wishes.values())
    ]
    precisions, ahead = [], []
    for number in range(WINDOWS):
        chance = Random(number)
        window = chance.sample(list(news.articles), WINDOW)
        of_portal = {key for key in window if chance.random() < 0.5}
        kept = [_kept(key, key in of_portal, plain, regional, chance) for key in window]
        lessons = relevance.anew().learn(kept, {}, criteria, READERS, {})
        for relevant, (_, better) in zip(news.relevant.values(), lessons, strict=True):
            scores = {one.item_id: one.value for one in better([(key, -1) for key in window])}
            if relevant.intersection(window):
                precisions.append(average_precision(ranked(scores), relevant & set(window)))
            off = [key for key in window if key not in relevant]
            of_others = mean([scores[key] for key in off if key not in of_portal])
            ahead.append(mean([scores[key] for key in off if key in of_portal]) - of_others)
    figures.at_least("sources, one with half of all: mean average precision", mean(precisions), 0.8)
    figures.at_most("sources: points of its items off the subject above others'", mean(ahead), 0.5)


def _regional(article: Article, seed: int) -> Article:
    chance = Random(seed)
    told = (" ".join(chance.sample(REGION.split(), 6)).capitalize() for _ in range(5))
    return replace(article, text=f"{article.text}\n{'. '.join(told)}.")


def _kept(
    key: int,
    of_portal: bool,
    plain: dict[int, Profile],
    regional: dict[int, Profile],
    chance: Random,
) -> KeptProfile:
    if of_portal:
        return KeptProfile(key, PORTAL, regional[key])
    return KeptProfile(key, chance.randrange(PORTAL + 1, SOURCES + 1), plain[key])
