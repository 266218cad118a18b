"""How often the decision is right, on texts that people have labelled."""

from __future__ import annotations

import gzip
import json
import random
from collections import defaultdict
from itertools import combinations
from pathlib import Path

from morningdeck.enrichers.embedding import WordEmbedder
from morningdeck.model.making import Likeness
from morningdeck.stories.similar import StorySimilarity

SIMILAR = StorySimilarity()


def labelled_headlines(corpora: Path) -> list[tuple[str, Likeness]]:
    """Headlines with the story they belong to; labels that share a headline are one story."""
    lines = (corpora / "clusters-uci-dev" / "headlines.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    label: dict[str, str] = {}
    first_with: dict[str, str] = {}

    def root(story: str) -> str:
        while label.get(story, story) != story:
            story = label[story]
        return story

    for row in rows:
        title = " ".join(row["title"].casefold().split())
        label[root(row["story"])] = root(first_with.setdefault(title, row["story"]))
    titles = [row["title"] for row in rows]
    vectors = WordEmbedder().embed(titles)
    return [
        (root(row["story"]), SIMILAR.likeness(row["title"], "", None, vector))
        for row, vector in zip(rows, vectors, strict=True)
    ]


def test_headlines_that_are_joined_belong_together(corpora: Path) -> None:
    headlines = labelled_headlines(corpora)
    sample = random.Random(1).sample(headlines, 1_000)
    joined = right = together = 0

    for (story, one), (other_story, other) in combinations(sample, 2):
        together += story == other_story
        if SIMILAR.same_story(one, other):
            joined += 1
            right += story == other_story

    print(f"precision {right / joined:.4f}, recall {right / together:.4f}, {joined} pairs joined")
    assert right / joined > 0.99
    assert right / together > 0.10


def test_of_a_hundred_articles_hardly_any_pair_is_wrong(corpora: Path) -> None:
    """One headline a story: whatever is joined here is an error."""
    by_story = defaultdict(list)
    for story, headline in labelled_headlines(corpora):
        by_story[story].append(headline)
    chance = random.Random(2)

    wrong = 0
    for _ in range(30):
        different = [chance.choice(of_story) for of_story in by_story.values()]
        wrong += sum(SIMILAR.same_story(*pair) for pair in combinations(different, 2))

    print(f"{wrong} wrong pairs in 30 samples of {len(by_story)} different stories")
    assert wrong <= 3


def test_all_near_duplicates_are_found_and_nothing_else(corpora: Path) -> None:
    folder = corpora / "neardup-minhash-1000"
    with gzip.open(folder / "articles_1000.train.gz", "rt") as file:
        texts = dict(line.split(" ", 1) for line in file)
    truths = (folder / "articles_1000.truth").read_text().splitlines()
    truth = {frozenset(line.split()) for line in truths}
    found = {name: SIMILAR.likeness("", text, None, b"") for name, text in texts.items()}

    joined = {
        frozenset(pair)
        for pair in combinations(found, 2)
        if SIMILAR.same_story(found[pair[0]], found[pair[1]])
    }

    assert joined == truth
