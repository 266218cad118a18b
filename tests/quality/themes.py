"""Topics: do they hold what belongs together, how much do they hold, and can their names be read.

Headlines by the story that they were labelled with, newswire by the subject. The rival is the
simplest that does the same: a single pass over TF-IDF vectors of titles, and for a name the three
words of most TF-IDF weight in each cluster.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, date, datetime
from functools import partial

from morningdeck.enrichers.embedding import DIMENSIONS, WordEmbedder
from morningdeck.enrichers.offline import OfflineEnricher
from morningdeck.enrichers.stopwords import STOP_WORDS
from morningdeck.enrichers.theme_labels import ThemeLabels
from morningdeck.model.making import Article
from morningdeck.model.themes import KnownTheme, NamedTheme, ThemeItem, ThemeReader, ThemeText
from morningdeck.stories.themes import ThemeFinder
from morningdeck.theming import Theming
from tests.conftest import CORPORA
from tests.quality.figures import Figures
from tests.quality.relevance import newswire
from tests.quality.stories import (
    RIVAL_NEAR,
    BCubed,
    Desk,
    bcubed,
    centroids,
    headlines,
    likeness_of,
)

NIGHT = datetime(2026, 11, 19, 3, 0, tzinfo=UTC)
READER = ThemeReader(1, "UTC", None, None, 0)
SHOWN = 25
"""Of each set so many names are printed: somebody has to read them."""
FILLER = STOP_WORDS["en"] | {"pct", "mln", "dlrs", "says", "new"}


class Shelf:
    """What one reader has read, in the place of `SqlThemeRows`; keeps all of each theme."""

    def __init__(self, articles: Sequence[Article]) -> None:
        enricher, desk = OfflineEnricher(WordEmbedder()), Desk()
        likenesses = [likeness_of(one.title, one.text) for one in articles]
        for likeness in likenesses:
            desk.place(likeness)
        self.stories = desk.stories
        self._items = [
            ThemeItem(place, story, True, one.vector, one.title_words)
            for place, (story, one) in enumerate(zip(desk.stories, likenesses, strict=True))
        ]
        self._texts = [
            _text(place, desk.stories[place], one, enricher) for place, one in enumerate(articles)
        ]
        self.themes: Sequence[NamedTheme] = ()

    def alone(self) -> AbstractContextManager[bool]:
        return nullcontext(True)

    def readers(self) -> Sequence[ThemeReader]:
        return (READER,)

    def has_read(self, user_id: int, count: int) -> bool:
        return True

    def has_read_before(self, user_id: int, day: datetime) -> bool:
        return True

    def slices(
        self, user_id: int, since: datetime, recent: datetime
    ) -> Iterator[Sequence[ThemeItem]]:
        yield self._items[::-1]

    def texts(self, user_id: int, item_ids: Sequence[int]) -> Sequence[ThemeText]:
        return [self._texts[item] for item in item_ids]

    def before(self, user_id: int) -> Sequence[KnownTheme]:
        return ()

    def save(self, user_id: int, themes: Sequence[NamedTheme], day: date, now: datetime) -> None:
        self.themes = themes


def _text(place: int, story: int, article: Article, enricher: OfflineEnricher) -> ThemeText:
    found = enricher.enrich(article, ())
    tags = found.tags
    names = (*tags.topics, *tags.people, *tags.companies, *tags.technologies)
    return ThemeText(place, story, article.title, names, found.language or None)


def run(figures: Figures) -> None:
    rows = headlines(CORPORA)
    labels = {place: row["story"] for place, row in enumerate(rows)}
    _tell(figures, "headlines", [Article(row["title"], "") for row in rows], labels, 0.79, 0.75)
    news = newswire()
    places = {key: place for place, key in enumerate(news.articles)}
    subjects: dict[int, list[str]] = defaultdict(list)
    for name, relevant in news.relevant.items():
        for key in relevant:
            subjects[places[key]].append(name)
    single = {place: those[0] for place, those in subjects.items() if len(those) == 1}
    _tell(figures, "newswire", list(news.articles.values()), single, 0.45, 0.7)


def _tell(
    figures: Figures,
    name: str,
    articles: Sequence[Article],
    labels: Mapping[int, str],
    f1_goal: float,
    share_goal: float,
) -> None:
    shelf = Shelf(articles)
    finder = partial(ThemeFinder, dimensions=DIMENSIONS)
    Theming(shelf, finder, ThemeLabels, saved=0, busy=bool, clock=lambda: NIGHT).find(1)
    of = {item: number for number, theme in enumerate(shelf.themes) for item in theme.items}
    ours = _bcubed([of.get(place, -1 - place) for place in range(len(articles))], labels)
    plain = centroids([one.title for one in articles], RIVAL_NEAR)
    rival = _bcubed(plain, labels)
    what, by = f"topics, {name}: ", "TF-IDF centroids"
    figures.at_least(what + "B-cubed F1", ours.f1, f1_goal, rival=rival.f1, name=by)
    figures.beside(what + "B-cubed precision", ours.precision, rival=rival.precision, name=by)
    held = sum(theme.this_week for theme in shelf.themes) / len(set(shelf.stories))
    figures.at_least(what + "stories that have one, of all", held, share_goal)
    _tell_names(figures, what, shelf, [one.title for one in articles])


def _bcubed(found: Sequence[int], labels: Mapping[int, str]) -> BCubed:
    return bcubed([found[place] for place in labels], list(labels.values()))


def _tell_names(figures: Figures, what: str, shelf: Shelf, titles: Sequence[str]) -> None:
    plain = [_plain_name(theme, titles) for theme in shelf.themes]
    for theme, other in list(zip(shelf.themes, plain, strict=True))[:SHOWN]:
        figures.say(f"{theme.this_week:4} {theme.label:40} | {other}")
    share = _fillers([theme.label for theme in shelf.themes])
    figures.at_most(
        what + "names with a filler word", share, 0.1, rival=_fillers(plain), name="TF-IDF words"
    )


def _plain_name(theme: NamedTheme, titles: Sequence[str]) -> str:
    seen = Counter(word for title in titles for word in set(_words(title)))
    own = Counter(word for item in theme.items for word in _words(titles[item]))
    weight = {word: count * math.log(len(titles) / seen[word]) for word, count in own.items()}
    return ", ".join(sorted(weight, key=lambda word: -weight[word])[:3])


def _fillers(names: Sequence[str]) -> float:
    having = sum(any(word in FILLER or word.isdigit() for word in _words(name)) for name in names)
    return having / max(1, len(names))


def _words(text: str) -> list[str]:
    return re.findall(r"\w\w+", text.casefold())
