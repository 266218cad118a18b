"""How well stories are found: on labelled headlines, near-duplicates, and planted copies.

Headlines come in the order of their time, as they would to a daemon; whoever read one before
keeps to what they thought unless a later one joins two stories. The rival is the simplest that
does the same: a single pass over TF-IDF vectors, compared with the centroids of the clusters.
"""

from __future__ import annotations

import gzip
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from morningdeck.enrichers.embedding import DIMENSIONS, WordEmbedder
from morningdeck.model.making import Likeness
from morningdeck.noting import LEAD_CHARACTERS
from morningdeck.stories import likeness as likenesses
from morningdeck.stories.window import RecentStories
from tests.conftest import CORPORA
from tests.quality.copies import Planted, plant
from tests.quality.figures import Figures

NOON = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)
ORIGINALS, COPIES = 60, 10
"""Of each kind of copy: 100 articles."""
SEEDS = (1, 2, 3)
RIVAL_NEAR = 0.09
"""The cosine at which the rival does best on the headlines themselves."""
_EMBEDDER = WordEmbedder()


@dataclass(frozen=True, slots=True)
class BCubed:
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        return 2 * self.precision * self.recall / ((self.precision + self.recall) or 1)

    def __str__(self) -> str:
        return f"P {self.precision:.3f} R {self.recall:.3f} F1 {self.f1:.3f}"


def bcubed(found: Sequence[int], truth: Sequence[object]) -> BCubed:
    both = Counter(zip(found, truth, strict=True))
    clusters, labels = Counter(found), Counter(truth)
    pairs = list(zip(found, truth, strict=True))
    return BCubed(
        sum(both[pair] / clusters[pair[0]] for pair in pairs) / len(pairs),
        sum(both[pair] / labels[pair[1]] for pair in pairs) / len(pairs),
    )


class Desk:
    """Places items as `SqlStoryRows` does, with numbers for stories instead of rows."""

    def __init__(self) -> None:
        self._window = RecentStories(dimensions=DIMENSIONS)
        self.stories: list[int] = []
        self.subjects: list[int] = []

    def place(self, likeness: Likeness) -> int:
        match = self._window.match(likeness)
        new = len(self.stories) + 1
        story, *twins = match.stories or (new,)
        subject, *others = match.subjects or (new,)
        self._window.add(story, subject, NOON, likeness)
        self.stories.append(story)
        self.subjects.append(subject)
        for twin in twins:
            self._window.merge(twin, story)
            self.stories = [story if one == twin else one for one in self.stories]
        for other in others:
            self._window.merge_subjects(other, subject)
            self.subjects = [subject if one == other else one for one in self.subjects]
        return story


def likeness_of(title: str, text: str = "", url: str | None = None) -> Likeness:
    """As processing makes it."""
    lead = text[:LEAD_CHARACTERS] if likenesses.speaks_of(text, title) else ""
    (vector,) = _EMBEDDER.embed((f"{title}\n{lead}",))
    return likenesses.likeness(title, text, url, vector)


# ---- headlines


def headlines(corpora: Path) -> list[dict[str, str]]:
    lines = (corpora / "clusters-uci-dev" / "headlines.jsonl").read_text().splitlines()
    return sorted(map(json.loads, lines), key=lambda row: int(row["ts"]))


def placed(titles: Iterable[str]) -> Desk:
    desk = Desk()
    for title in titles:
        desk.place(likeness_of(title))
    return desk


def centroids(titles: Iterable[str], near: float) -> list[int]:
    """The rival."""
    seen: Counter[str] = Counter()
    sums: list[Counter[str]] = []
    found = []
    for count, title in enumerate(titles, start=1):
        words = set(re.findall(r"\w\w+", title.casefold()))
        seen.update(words)
        vector = {word: 1 + math.log((count + 1) / (seen[word] + 1)) for word in words}
        cosines = [_cosine(vector, one) for one in sums]
        best = max(range(len(sums)), key=cosines.__getitem__, default=-1)
        if best < 0 or cosines[best] < near:
            best = len(sums)
            sums.append(Counter())
        length = math.sqrt(sum(weight * weight for weight in vector.values())) or 1.0
        sums[best].update({word: weight / length for word, weight in vector.items()})
        found.append(best)
    return found


def _cosine(one: dict[str, float], other: Counter[str]) -> float:
    dot = sum(weight * other[word] for word, weight in one.items() if word in other)
    if not dot:
        return 0.0
    lengths = (math.sqrt(sum(w * w for w in each.values())) for each in (one, other))
    return dot / (math.prod(lengths) or 1.0)


# ---- near-duplicates


def near_duplicates(corpora: Path) -> tuple[int, int, int]:
    """How many pairs there are, how many of them were found, and how many others."""
    folder = corpora / "neardup-minhash-1000"
    with gzip.open(folder / "articles_1000.train.gz", "rt") as file:
        texts = dict(line.split(" ", 1) for line in file)
    truths = (folder / "articles_1000.truth").read_text().splitlines()
    truth = {frozenset(line.split()) for line in truths}
    desk = Desk()
    by_story = defaultdict(list)
    for name, text in texts.items():
        by_story[desk.place(likeness_of("", text))].append(name)
    found = {frozenset(those) for those in by_story.values() if len(those) > 1}
    return len(truth), len(found & truth), len(found - truth)


# ---- planted copies


@dataclass(frozen=True, slots=True)
class Told:
    """What became of the planted articles."""

    articles: int
    left: Counter[str]
    """Copies that stand beside their original, by their kind."""
    merged: int
    """Stories that hold more than one event."""


def planted(articles: Sequence[Planted]) -> Told:
    desk = Desk()
    placed = [(desk.place(likeness_of(one.title, one.text, one.url)), one) for one in articles]
    events, kinds = defaultdict(set), Counter[str]()
    homes: dict[int, set[int]] = defaultdict(set)
    for story, (_, one) in zip(desk.stories, placed, strict=True):
        events[story].add(one.event)
        homes[one.event].add(story)
    for _, one in placed:
        if one.kind != "original" and len(homes[one.event]) > 1:
            kinds[one.kind] += 1
    return Told(len(articles), kinds, sum(len(those) > 1 for those in events.values()))


def newswire(corpora: Path, chance: Random) -> list[Planted]:
    """Articles that have little in common in their titles: what the desk told twice is left out."""
    with gzip.open(corpora / "relevance-dev" / "items.jsonl.gz", "rt") as file:
        rows = [json.loads(line) for line in file]
    long = [row for row in rows if len(row["body"]) > 600]
    chosen: list[Planted] = []
    for row in chance.sample(long, len(long)):
        text = " ".join(row["body"].split())
        url = f"https://wire.example/{row['id']}"
        if not any(_share_words(row["title"], one.title) for one in chosen):
            chosen.append(Planted(row["title"], text, url, event=row["id"]))
    return chosen[:ORIGINALS]


def _share_words(one: str, other: str) -> bool:
    mine, theirs = ({word for word in title.split() if len(word) > 3} for title in (one, other))
    return len(mine & theirs) > 1


# ---- figures


def run(figures: Figures) -> None:
    rows = headlines(CORPORA)
    titles, labels = [row["title"] for row in rows], [row["story"] for row in rows]
    desk = placed(titles)
    rival = bcubed(centroids(titles, RIVAL_NEAR), labels)
    story, subject = bcubed(desk.stories, labels), bcubed(desk.subjects, labels)
    name = "TF-IDF centroids"
    figures.at_least(
        "same story, precision", story.precision, 0.93, rival=rival.precision, name=name
    )
    figures.at_least("same story, F1", story.f1, 0.66, rival=rival.f1, name=name)
    figures.at_least("same subject, F1", subject.f1, 0.82, rival=rival.f1, name=name)
    _by_parts(figures, rows)
    pairs, found, false = near_duplicates(CORPORA)
    figures.at_least("near-duplicates found", found, pairs)
    figures.at_most("near-duplicates that are none", false, 0)
    for seed in SEEDS:
        seen = planted(plant(newswire(CORPORA, Random(seed)), COPIES, Random(seed)))
        figures.say(f"planted copies, seed {seed}: left {dict(seen.left)}")
        figures.at_most("copies left of 100 articles", seen.left.total() / seen.articles, 0.03)
        figures.at_most("stories of two events among them", seen.merged, 0)


def _by_parts(figures: Figures, rows: Sequence[dict[str, str]]) -> None:
    """What holds for the whole only by chance does not hold for its parts."""
    half = len(rows) // 2
    parts = {"first half": rows[:half], "second half": rows[half:], "backwards": rows[::-1]}
    for letter in sorted({row["category"] for row in rows}):
        parts[f"category {letter}"] = [row for row in rows if row["category"] == letter]
    for part, those in parts.items():
        desk, labels = placed(row["title"] for row in those), [row["story"] for row in those]
        story, subject = bcubed(desk.stories, labels), bcubed(desk.subjects, labels)
        figures.say(f"{part}, {len(those)} headlines: story {story}; subject {subject}")
