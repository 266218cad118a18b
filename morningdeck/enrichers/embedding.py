"""Texts to vectors, locally: the static word vectors that the wordllama package carries.

The package itself is never imported: that costs half a second, 80 MB, a log handler on the
root logger, and code that knows how to download. Its weights and its tokenizer, read
directly, cost 50 ms and 17 MB: the weights are mapped, and only the rows in use are read.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from morningdeck.enrichers.stopwords import STOP_WORDS
from morningdeck.enrichers.word_list import passages
from morningdeck.errors import ConfigError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DIMENSIONS = 256
LONGEST_TEXT = 4_000
"""Characters. A mean over more words says less, not more."""


class WordEmbedder:
    """The mean of a text's word vectors; a text without known words has no vector (`b""`)."""

    def __init__(self) -> None:
        self._used_at = time.monotonic()

    def end_idle(self, seconds: float) -> None:
        """Let go of weights and tokenizer, 16 MB, that were not used for so long."""
        if time.monotonic() - self._used_at > seconds:
            for name in ("_tokenizer", "_weights"):
                self.__dict__.pop(name, None)

    def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        self._used_at = time.monotonic()
        return tuple(self._embed(text) for text in texts)

    def _embed(self, text: str) -> bytes:
        # A lone surrogate is no text to the tokenizer.
        clean = text[:LONGEST_TEXT].strip().encode("utf-8", "replace").decode()
        if not clean:
            return b""
        mean = self._mean(clean)
        meaning = mean - (mean @ self._languages) @ self._languages.T
        length = float(np.linalg.norm(meaning))
        return (meaning / length).astype("<f4").tobytes() if length else b""

    def _mean(self, text: str) -> NDArray[np.float32]:
        tokens = self._tokenizer.encode(text, add_special_tokens=False).ids
        mean: NDArray[np.float32] = self._weights[tokens].astype(np.float32).mean(axis=0)
        return mean

    @cached_property
    def _languages(self) -> NDArray[np.float32]:
        """The directions in which languages differ, as orthonormal columns.

        Left in, they make any two German texts more alike (a median of 0.66) than two English
        ones on one event; without them unrelated German texts are at 0.25, English at 0.09.
        """
        typical = [
            *passages("samples").values(),
            *(" ".join(sorted(words)) for words in STOP_WORDS.values()),
        ]
        means = [self._mean(" ".join(text.split())) for text in typical]
        return np.linalg.qr(np.stack(means, axis=1))[0]

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer  # 5 MB, which whoever only knows this module need not have

        path = _package_folder() / "tokenizers" / "l2_supercat_tokenizer_config.json"
        return Tokenizer.from_file(str(path))

    @cached_property
    def _weights(self) -> NDArray[np.float16]:
        return _map_weights(_package_folder() / "weights" / f"l2_supercat_{DIMENSIONS}.safetensors")


def _map_weights(path: Path) -> NDArray[np.float16]:
    """Map the one tensor of a safetensors file: length of header, JSON header, raw numbers."""
    with path.open("rb") as file:
        header_length = int.from_bytes(file.read(8), "little")
        tensor = json.loads(file.read(header_length))["embedding.weight"]
    shape = tuple(tensor["shape"])
    if tensor["dtype"] != "F16" or shape[1] != DIMENSIONS:
        raise ConfigError(f"embedding: unexpected weights in {path}, reinstall wordllama 0.4")
    start = 8 + header_length + tensor["data_offsets"][0]
    # a plain view: each use of a memmap makes another, which costs more than the few rows
    return np.asarray(np.memmap(path, dtype="<f2", mode="r", offset=start, shape=shape))


def _package_folder() -> Path:
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        raise ConfigError("embedding: the wordllama package is missing, reinstall morningdeck")
    return Path(spec.origin).parent
