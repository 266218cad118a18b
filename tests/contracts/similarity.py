"""The port `Similarity`: the same of the same, and what a text must say to be a title's."""

from __future__ import annotations

from morningdeck.ports.verbs import Similarity

TEXT = " ".join(f"The {n}th ship of the year took {n * 7} containers aboard." for n in range(40))


class SimilarityContract:
    """Give it the fixture `similarity`."""

    def test_what_is_told_twice_has_one_likeness(self, similarity: Similarity) -> None:
        once, again = (similarity.likeness("Ships of the year", TEXT, None, b"") for _ in range(2))

        assert once == again

    def test_two_subjects_are_not_alike(self, similarity: Similarity) -> None:
        ships = similarity.likeness("Ships of the year", TEXT, None, b"")
        chess = similarity.likeness("Chess world cup begins", "Round one is today.", None, b"")

        assert ships != chess
        assert ships.text_hash != chess.text_hash

    def test_a_likeness_says_what_it_was_made_of(self, similarity: Similarity) -> None:
        likeness = similarity.likeness("Ships", TEXT, "https://news.example/1", b"")

        assert (likeness.title, likeness.canonical_url) == ("Ships", "https://news.example/1")

    def test_a_text_speaks_of_its_own_title(self, similarity: Similarity) -> None:
        assert similarity.speaks_of(TEXT, "Ships of the year")
        assert not similarity.speaks_of("We value your privacy.", "Ships of the year")
