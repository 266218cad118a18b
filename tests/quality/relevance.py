"""Scores without a model: 700 newswire items, ten wishes that they serve and ten that none does."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from morningdeck.enrichers.embedding import WordEmbedder
from morningdeck.enrichers.relevance import Relevance
from morningdeck.model.making import Article, Criteria
from morningdeck.model.refining import KeptProfile
from morningdeck.model.wanting import ON_THE_SUBJECT
from tests.conftest import CORPORA
from tests.quality.bm25 import PlainBM25
from tests.quality.figures import Figures
from tests.quality.ranking import average_precision, mean, precision_at, ranked

SURELY = 60
UNSERVED = (
    "Chess tournaments, grandmasters and world championship matches.",
    "Video games and consoles.",
    "Astronomy: telescopes, exoplanets and black holes.",
    "Knitting and crochet patterns.",
    "Football: the Champions League, transfers and results.",
    "Machine learning and large language models.",
    "Baking bread, sourdough and pastry recipes.",
    "Dinosaurs and other fossils.",
    "Opera, ballet and classical concerts.",
    "Hiking, climbing and camping in the mountains.",
)
"""Wishes of readers whom the newswire has nothing for."""

NAMES = {
    "coffee": "coffee",
    "crude": "crude oil",
    "ship": "shipping",
    "trade": "trade disputes",
    "gold": "gold",
    "jobs": "unemployment",
    "iron-steel": "steel",
    "cotton": "cotton",
    "money-supply": "money supply",
    "livestock": "livestock",
}
"""What a reader would call the subjects in a wish for several."""
SUBJECTS_LISTED = 3

SOURCE = 1
A_ROUND = 50
"""So many items arrive until scores are refined."""

Scores = dict[int, float]


@dataclass(frozen=True, slots=True)
class Scored:
    arrived: dict[str, Scores]
    refined: dict[str, Scores]


@dataclass(frozen=True, slots=True)
class Newswire:
    articles: Mapping[int, Article]
    """In the order of their arrival."""
    wishes: Mapping[str, str]
    relevant: Mapping[str, frozenset[int]]


def newswire() -> Newswire:
    folder = CORPORA / "relevance-dev"
    with gzip.open(folder / "items.jsonl.gz", "rt", encoding="utf-8") as lines:
        items = [json.loads(line) for line in lines]
    wishes = json.loads((folder / "wishes.json").read_text(encoding="utf-8"))
    return Newswire(
        {item["id"]: Article(item["title"], item["body"]) for item in items},
        {name: one["wish"] for name, one in wishes.items()},
        {name: frozenset(one["relevant"]) for name, one in wishes.items()},
    )


def run(figures: Figures) -> None:
    news = newswire()
    asked = {**news.wishes, **{f"unserved {n}": wish for n, wish in enumerate(UNSERVED)}}
    scored = our_scores(news.articles, asked)
    ours, plain = scored.refined, plain_scores(news.articles, asked)
    _tell_order(figures, news, ours, plain)
    cut = _same_share(news, ours, plain)
    _tell_promise(figures, news, ours, plain, cut)
    _tell_unserved(figures, news, ours, plain, cut)
    figures.beside(
        "relevance: mean average precision at arrival", _mean_precision(news, scored.arrived)
    )
    _tell_lists(figures, lists(news))


def lists(news: Newswire) -> Newswire:
    """Wishes such as "gold, shipping and unemployment": each subject with its two neighbours."""
    names = list(NAMES)
    chosen = [
        [names[(first + step * step) % len(names)] for step in range(SUBJECTS_LISTED)]
        for first in range(len(names))
    ]
    wishes, relevant = {}, {}
    for those in chosen:
        *others, last = (NAMES[name] for name in those)
        name = "+".join(those)
        wishes[name] = f"{', '.join(others)} and {last}".capitalize()
        relevant[name] = frozenset[int]().union(*(news.relevant[one] for one in those))
    return Newswire(news.articles, wishes, relevant)


def _tell_lists(figures: Figures, news: Newswire) -> None:
    ours = our_scores(news.articles, news.wishes).refined
    plain = plain_scores(news.articles, news.wishes)
    figures.at_least(
        "relevance: wishes of three subjects, mean average precision",
        *(_mean_precision(news, ours), 0.86),
        rival=_mean_precision(news, plain),
        name="plain BM25",
    )
    wanted = {(name, key) for name, keys in news.relevant.items() for key in keys}
    found = {*_passing(news.wishes, ours, SURELY)}
    right, share = len(found & wanted) / max(1, len(found)), len(found & wanted) / len(wanted)
    figures.at_least("relevance: of those of three scored 60, on a subject", right, 0.85)
    figures.at_least("relevance: of what is on them, 60", share, 0.65)


def our_scores(articles: Mapping[int, Article], wishes: Mapping[str, str]) -> Scored:
    """From an empty installation, in the order of arrival, refined now and then and at the end."""
    relevance = Relevance(WordEmbedder())
    criteria = [Criteria(number, 1, wish) for number, wish in enumerate(wishes.values())]
    arrived: dict[str, Scores] = {name: {} for name in wishes}
    refined: dict[str, Scores] = {name: {} for name in wishes}
    kept: list[KeptProfile] = []
    for key, article in articles.items():
        profile = relevance.profile(article)
        for name, score in zip(wishes, relevance.scores(profile, criteria), strict=True):
            arrived[name][key] = score.value
        kept.append(KeptProfile(key, SOURCE, profile))
        if len(kept) % A_ROUND == 0:
            _refine(relevance, kept, criteria)
    for name, scores in zip(wishes, _refine(relevance, kept, criteria), strict=True):
        refined[name] = {key: scores.get(key, arrived[name][key]) for key in articles}
    return Scored(arrived, refined)


def _refine(
    relevance: Relevance, kept: Sequence[KeptProfile], criteria: Sequence[Criteria]
) -> list[Scores]:
    unknown = [(one.item_id, -1) for one in kept]
    lessons = relevance.learn(kept, {}, criteria, {None: frozenset({SOURCE})}, {})
    return [{one.item_id: one.value for one in better(unknown)} for _, better in lessons]


def plain_scores(articles: Mapping[int, Article], wishes: Mapping[str, str]) -> dict[str, Scores]:
    plain = PlainBM25([f"{article.title}\n{article.text}" for article in articles.values()])
    return {
        name: dict(zip(articles, plain.scores(wish), strict=True)) for name, wish in wishes.items()
    }


def _tell_order(
    figures: Figures, news: Newswire, ours: Mapping[str, Scores], plain: Mapping[str, Scores]
) -> None:
    for name, relevant in news.relevant.items():
        one, other = (average_precision(ranked(of[name]), relevant) for of in (ours, plain))
        figures.say(f"{name:14} average precision {one:.3f}, plain BM25 {other:.3f}")
    figures.at_least(
        "relevance: mean average precision",
        *(_mean_precision(news, ours), 0.83),
        rival=_mean_precision(news, plain),
        name="plain BM25",
    )
    figures.at_least(
        "relevance: of the first ten on the subject",
        *(_first_ten(news, ours), 0.93),
        rival=_first_ten(news, plain),
        name="plain BM25",
    )


def _mean_precision(news: Newswire, scores: Mapping[str, Scores]) -> float:
    return mean([average_precision(ranked(scores[n]), r) for n, r in news.relevant.items()])


def _first_ten(news: Newswire, scores: Mapping[str, Scores]) -> float:
    return mean([precision_at(10, ranked(scores[n]), r) for n, r in news.relevant.items()])


def _same_share(
    news: Newswire, ours: Mapping[str, Scores], plain: Mapping[str, Scores]
) -> dict[int, float]:
    """Plain BM25 has no scale: its cut is where as many pass over all wishes as pass ours."""
    values = sorted((value for name in news.wishes for value in plain[name].values()), reverse=True)
    counts = {cut: len(_passing(news.wishes, ours, cut)) for cut in (ON_THE_SUBJECT, SURELY)}
    return {cut: values[max(0, count - 1)] for cut, count in counts.items()}


def _passing(
    names: Sequence[str] | Mapping[str, str], scores: Mapping[str, Scores], cut: float
) -> list[tuple[str, int]]:
    return [(name, key) for name in names for key, value in scores[name].items() if value >= cut]


def _tell_promise(
    figures: Figures,
    news: Newswire,
    ours: Mapping[str, Scores],
    plain: Mapping[str, Scores],
    cut: Mapping[int, float],
) -> None:
    """What is scored so high: how much of it is on the subject, how much of that is found."""
    wanted = {(name, key) for name, keys in news.relevant.items() for key in keys}
    found = {
        (who, at): {*_passing(news.wishes, scores, of)}
        for at in cut
        for who, scores, of in (("ours", ours, at), ("plain", plain, cut[at]))
    }
    right = {one: len(keys & wanted) / max(1, len(keys)) for one, keys in found.items()}
    share = {one: len(keys & wanted) / len(wanted) for one, keys in found.items()}
    name = "plain BM25, as many"
    of, among = "relevance: of those scored {}, on the subject", "relevance: of what is on it, {}"
    for at in cut:
        plain_right, plain_share = right["plain", at], share["plain", at]
        if at == SURELY:
            figures.at_least(of.format(at), right["ours", at], 0.82, rival=plain_right, name=name)
            figures.at_least(
                among.format(at), share["ours", at], 0.55, rival=plain_share, name=name
            )
        else:
            figures.beside(of.format(at), right["ours", at], rival=plain_right, name=name)
            figures.beside(among.format(at), share["ours", at], rival=plain_share, name=name)


def _tell_unserved(
    figures: Figures,
    news: Newswire,
    ours: Mapping[str, Scores],
    plain: Mapping[str, Scores],
    cut: Mapping[int, float],
) -> None:
    names = [name for name in ours if name not in news.wishes]
    pairs = len(names) * len(news.articles)
    figures.at_most(
        "relevance: unserved wishes, scored 40",
        len(_passing(names, ours, ON_THE_SUBJECT)) / pairs,
        0.01,
        rival=len(_passing(names, plain, cut[ON_THE_SUBJECT])) / pairs,
        name="plain BM25",
    )
    figures.at_most(
        "relevance: unserved wishes, scored 60",
        len(_passing(names, ours, SURELY)),
        0,
        rival=len(_passing(names, plain, cut[SURELY])),
        name="plain BM25",
    )
