"""The port `Embedder`: a vector of unit length for every text that has a meaning."""

from __future__ import annotations

import math
import struct

from morningdeck.ports.verbs import Embedder


def length_of(vector: bytes) -> float:
    numbers = struct.unpack(f"<{len(vector) // 4}f", vector)
    return math.sqrt(sum(number * number for number in numbers))


class EmbedderContract:
    """Give it the fixture `embedder`."""

    def test_every_text_has_its_vector_in_order(self, embedder: Embedder) -> None:
        first, second = embedder.embed(["wind farms at sea", "a chess tournament"])

        assert embedder.embed(["a chess tournament", "wind farms at sea"]) == (second, first)
        assert first != second

    def test_vectors_have_unit_length_and_one_size(self, embedder: Embedder) -> None:
        vectors = embedder.embed(["wind farms at sea", "chess"])

        assert {len(vector) for vector in vectors} == {len(vectors[0])}
        assert all(math.isclose(length_of(vector), 1, abs_tol=1e-5) for vector in vectors)

    def test_what_says_nothing_has_no_vector(self, embedder: Embedder) -> None:
        assert embedder.embed(["", " \n"]) == (b"", b"")

    def test_nothing_is_made_of_nothing(self, embedder: Embedder) -> None:
        assert embedder.embed([]) == ()
