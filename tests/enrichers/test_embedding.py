"""The local embedder: meaning as vectors, without the network."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from morningdeck.enrichers.embedding import DIMENSIONS, WordEmbedder
from tests.contracts.embedder import EmbedderContract


class TestWordEmbedder(EmbedderContract):
    """Its fixture is everybody's here."""


def vectors(embedder: WordEmbedder, *texts: str) -> NDArray[np.float32]:
    return np.stack([np.frombuffer(one, dtype="<f4") for one in embedder.embed(texts)])


def test_vectors_have_unit_length(embedder: WordEmbedder) -> None:
    found = vectors(embedder, "wind farms in the North Sea", "ein Satz", "一")

    assert found.shape == (3, DIMENSIONS)
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)


def test_texts_of_one_meaning_are_closer_than_others(embedder: WordEmbedder) -> None:
    shares, stocks, football = vectors(
        embedder,
        "Shares fell on Wall Street",
        "Stocks decline in New York trading",
        "The striker scored twice in the cup final",
    )

    assert shares @ stocks > 0.4
    assert shares @ football < 0.2


def test_two_german_texts_are_not_alike_for_being_german(embedder: WordEmbedder) -> None:
    bridge, garden = vectors(
        embedder,
        "Die Klappbrücke im Hafen ist wieder offen, die Züge fahren ab sofort durch.",
        "Das Hochbeet wird im Herbst gefüllt, damit man im März den ersten Salat erntet.",
    )

    assert bridge @ garden < 0.5


def test_any_text_can_be_embedded(embedder: WordEmbedder, corpora: Path) -> None:
    naughty = json.loads((corpora / "naughty-strings" / "blns.json").read_text())

    found = embedder.embed([*naughty, "half a pair \ud83d", "long " * 200_000])

    assert all(np.isfinite(np.frombuffer(one, dtype="<f4")).all() for one in found)


def test_nothing_that_could_download_is_imported() -> None:
    program = (
        "import sys\n"
        "from morningdeck.enrichers.embedding import WordEmbedder\n"
        "from morningdeck.enrichers.language import detect_language\n"
        "WordEmbedder().embed(['a text']); detect_language('A text in English it is')\n"
        "loaded = {'requests', 'huggingface_hub', 'wordllama', 'robust_downloader'}\n"
        "print(*loaded & set(sys.modules), end='')"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_was_not_used_for_a_while_is_let_go_and_comes_back() -> None:
    embedder = WordEmbedder()
    before = embedder.embed(["The ferry is late."])
    embedder.end_idle(60)
    kept = {"_tokenizer", "_weights"} & vars(embedder).keys()
    embedder.end_idle(0)

    assert len(kept) == 2
    assert not kept & vars(embedder).keys()
    assert embedder.embed(["The ferry is late."]) == before
