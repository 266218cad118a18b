"""Search by meaning: the 60 judged queries, and the subjects of the newswire in other words.

The judged queries are those of `search`, most of which name what they look for; in the others
hardly an article has the words. The rival is plain FTS5, all words or any of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from morningdeck.actions.search import BATCH, ByMeaning
from morningdeck.enrichers.embedding import WordEmbedder
from morningdeck.model.finding import SearchAnswer, SearchDocument, SearchQuery
from morningdeck.store.database.connect import Database
from morningdeck.store.rows.search_outbox import SearchOutbox
from morningdeck.store.tables.news import item_likenesses, stories
from morningdeck.store.views.meant import MeantItems
from morningdeck.store.views.search_index import FulltextIndex
from morningdeck.stories.meaning import Meaning
from tests.conftest import NOW
from tests.factories import make
from tests.quality import search
from tests.quality.figures import Figures
from tests.quality.ranking import mean
from tests.quality.search import Corpus, Judged
from tests.quality.stories import likeness_of

IN_OTHER_WORDS = {
    "coffee": "caffeine beans from plantations",
    "crude": "petroleum drilling",
    "ship": "freighters at sea",
    "trade": "import duties quarrel between nations",
    "gold": "precious metal bullion",
    "jobs": "people out of work",
    "iron-steel": "metal mills and foundries",
    "cotton": "fibre crop for textiles",
    "money-supply": "monetary aggregates of central banks",
    "livestock": "pigs and cattle",
}
OTHER_WORDS_GOAL, NAMED_GOAL = 0.58, 0.88


class MeantIndex:
    """The port `SearchIndex`, whose documents are found by what they mean."""

    name = "meaning"

    def __init__(self, database: Database) -> None:
        self._outbox = SearchOutbox(database)
        self._database = database
        items, embedder = MeantItems(database), WordEmbedder()
        index = FulltextIndex(database)
        self._by_meaning = ByMeaning(items, index, lambda: embedder, Meaning)
        self._story = make(database, stories)

    @property
    def index(self) -> MeantIndex:
        return self

    def fill(self) -> None:
        last = 0
        while documents := self._outbox.after(last, BATCH):
            self.put(documents, ())
            last = documents[-1].id

    def put(self, documents: Sequence[SearchDocument], gone: Sequence[int]) -> None:
        shared = {"story_id": self._story, "first_seen_at": NOW}
        rows = [
            {"item_id": one.id, "vector": likeness_of(one.title, one.content).vector, **shared}
            for one in documents
        ]
        with self._database.write() as connection:
            connection.execute(item_likenesses.insert(), rows)

    def clear(self) -> None:
        """Nobody does."""

    def search(self, query: SearchQuery) -> SearchAnswer:
        return self._by_meaning.search(query)


def run(figures: Figures) -> None:
    corpora, judged = search.labelled_corpora(), search.judged_queries()
    others = [Judged("newswire", words, key) for key, words in IN_OTHER_WORDS.items()]
    _tell(figures, "60 judged queries", NAMED_GOAL, corpora, judged)
    _tell(figures, "in other words", OTHER_WORDS_GOAL, corpora, others)


def _tell(
    figures: Figures,
    name: str,
    goal: float,
    corpora: dict[str, Corpus],
    judged: Sequence[Judged],
) -> None:
    ours = search.found_by(corpora, judged, "sqlite", MeantIndex)
    words = search.found_by(corpora, judged, "sqlite", FulltextIndex)
    rivals = [search.plain_fts5(corpora, judged, joint) for joint in (" ", " OR ")]
    plain = max(mean(list(gains.values())) for gains in rivals)
    figures.at_least(
        f"search by meaning, {name}, nDCG@10",
        mean(list(ours.values())),
        goal,
        rival=plain,
        name="plain FTS5",
    )
    figures.beside(
        f"search by words, {name}, nDCG@10",
        mean(list(words.values())),
        rival=plain,
        name="plain FTS5",
    )
