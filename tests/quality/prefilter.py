"""What a model is spared by the scores without one, and what of the relevant news that costs."""

from __future__ import annotations

from itertools import combinations

from morningdeck.settings.sections import EnricherSettings
from tests.quality.figures import Figures
from tests.quality.relevance import newswire, our_scores

TOGETHER = 3
"""Wishes of a reader with several briefings: whatever one of them may want is asked about."""


def run(figures: Figures) -> None:
    news, below = newswire(), EnricherSettings().prefilter_below
    scores = our_scores(news.articles, news.wishes).arrived
    low = {wish: {key for key, value in of.items() if value < below} for wish, of in scores.items()}
    spared = sum(map(len, low.values())) / (len(low) * len(news.articles))
    lost = sum(len(low[wish] & relevant) for wish, relevant in news.relevant.items())
    of_several = [low[a] & low[b] & low[c] for a, b, c in combinations(low, TOGETHER)]
    total = sum(map(len, news.relevant.values()))
    figures.at_least(f"prefilter below {below}: calls spared, one wish", spared, 0.3)
    figures.beside(
        f"prefilter below {below}: calls spared, {TOGETHER} wishes",
        sum(map(len, of_several)) / (len(of_several) * len(news.articles)),
    )
    figures.at_most(f"prefilter below {below}: relevant items lost", lost / total, 0.03)
