"""The port `Similarity`: one article is one story, two subjects are two, in either order."""

from __future__ import annotations

from morningdeck.model.making import Likeness
from morningdeck.ports.verbs import Similarity

TEXT = " ".join(f"The {n}th ship of the year took {n * 7} containers aboard." for n in range(40))


class SimilarityContract:
    """Give it the fixture `similarity`."""

    def like(self, similarity: Similarity, title: str, text: str = "") -> Likeness:
        return similarity.likeness(title, text, None, b"")

    def test_what_is_told_twice_is_one_story(self, similarity: Similarity) -> None:
        once, again = (self.like(similarity, "Ships of the year", TEXT) for _ in range(2))

        assert similarity.same_story(once, again)

    def test_two_subjects_are_two_stories(self, similarity: Similarity) -> None:
        ships = self.like(similarity, "Ships of the year", TEXT)
        chess = self.like(similarity, "Chess world cup begins", "The first round is played today.")

        assert not similarity.same_story(ships, chess)
        assert not similarity.same_story(chess, ships)

    def test_a_likeness_keeps_what_it_was_made_of(self, similarity: Similarity) -> None:
        likeness = similarity.likeness("Ships", TEXT, "https://news.example/1", b"\0\0\x80\x3f")

        assert (likeness.title, likeness.canonical_url) == ("Ships", "https://news.example/1")
        assert likeness.vector == b"\0\0\x80\x3f"
