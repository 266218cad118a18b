"""Meilisearch, as searches and whoever fills the index use it: guarded by the breaker."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from html import escape
from typing import Any

from morningdeck.asked.stems import stemmed_language
from morningdeck.model.finding import SearchDocument, SearchQuery
from morningdeck.model.indexing import IndexState, Reach, Refusal
from morningdeck.search.documents import MARK_OFF, MARK_ON, digest_of, pack, with_signs
from morningdeck.search.guard import Guard
from morningdeck.search.index_settings import COUNTED_BY_SERVER, FACET_VALUES, KEY
from morningdeck.search.meilisearch import Answered
from morningdeck.search.phrasing import NotSayableError
from morningdeck.search.server import MeilisearchServer
from morningdeck.search.translation import ServerQuery, order_of, translated
from morningdeck.search.wire import RejectedError, making_sense
from morningdeck.stemming import STEMMED

_SHOWN = ("title", "summary", "content")
CROPPED_WORDS = 25
SPOKEN_SECONDS = 600.0
UNKNOWN_FIELD = "invalid_search_attributes_to_search_on"
_NOTHING = Answered((), {}, 0, {})


class MeilisearchService:
    def __init__(
        self,
        server: MeilisearchServer,
        guard: Guard,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._server = server
        self._guard = guard
        self._now = now
        self._spoken: Collection[str] = ()
        self._spoken_until = -math.inf

    @property
    def index_name(self) -> str:
        return self._server.live

    # ---- searching

    def find(self, query: SearchQuery, reach: Reach) -> Answered | None:
        """None where it cannot be asked that; TransientError where it does not answer."""
        if self._spoken_known() is None:
            with self._guard.asked(), self._making_sense():
                self._ask_spoken()
        try:
            askings = translated(query, reach, self._spoken_known())
        except NotSayableError:
            return None
        if not askings:
            return _NOTHING
        with self._guard.asked(), self._making_sense():
            wire = self._server.searching
            try:
                return _found(wire.post(*request(self._server.live, askings, query)))
            except RejectedError as error:
                if error.code == UNKNOWN_FIELD and self._is_empty():
                    return _NOTHING
                raise

    def _is_empty(self) -> bool:
        """The server learns the names of fields from the first document."""
        asked = {"q": "", "limit": 0}
        found = self._server.searching.post(f"indexes/{self._server.live}/search", asked)
        return bool(found["estimatedTotalHits"] == 0)

    def _spoken_known(self) -> Collection[str] | None:
        """The languages that documents are in, if they were asked for lately."""
        return self._spoken if self._now() < self._spoken_until else None

    def _ask_spoken(self) -> None:
        """A word has a stem in each of a dozen languages, of which a deck has one or two."""
        asked = {"q": "", "limit": 0, "facets": ["language"]}
        found = self._server.searching.post(f"indexes/{self._server.live}/search", asked)
        codes = found["facetDistribution"].get("language", ())
        if not codes:
            return  # what comes first may come at once
        cut = len(codes) >= FACET_VALUES
        self._spoken = STEMMED.keys() if cut else {stemmed_language(code) for code in codes}
        self._spoken_until = self._now() + SPOKEN_SECONDS

    # ---- filling

    def asked(self) -> AbstractContextManager[None]:
        return self._guard.asked()

    def _making_sense(self) -> AbstractContextManager[None]:
        """Not around the caller's own work, whose faults are no server's."""
        return making_sense(self._guard.host)

    def state(self) -> IndexState:
        with self._making_sense():
            return self._server.state()

    def begin(self) -> None:
        with self._making_sense():
            self._server.begin()

    def swap(self) -> None:
        with self._making_sense():
            self._server.swap()

    def reached(self) -> int:
        with self._making_sense():
            return self._server.reached()

    def highest(self) -> int:
        with self._making_sense():
            return self._server.highest()

    def count(self) -> int:
        with self._making_sense():
            return self._server.count()

    def put(
        self, documents: Sequence[SearchDocument], gone: Sequence[int] = (), *, new: bool = False
    ) -> Sequence[Refusal]:
        packed = [pack(one) for one in documents]
        with self._making_sense():
            return self._server.put(packed, gone, new=new)

    def digests(self, first: int, last: int) -> Mapping[int, str]:
        with self._making_sense():
            return self._server.digests(first, last)

    def digest(self, document: SearchDocument) -> str:
        return digest_of(document)

    def close(self) -> None:
        self._server.close()


def request(
    index: str, askings: Sequence[ServerQuery], query: SearchQuery
) -> tuple[str, dict[str, Any]]:
    """Where to send what. What is found by several is found once."""
    if len(askings) == 1:
        body = {**_asked(askings[0], query), **_page(query), "facets": COUNTED_BY_SERVER}
        return f"indexes/{index}/search", body
    counted = {"facetsByIndex": {index: COUNTED_BY_SERVER}, "mergeFacets": {}}
    return "multi-search", {
        "federation": {**_page(query), **counted},
        "queries": [{"indexUid": index, **_asked(one, query)} for one in askings],
    }


def _asked(asking: ServerQuery, query: SearchQuery) -> dict[str, Any]:
    asked: dict[str, Any] = {
        "q": asking.text,
        "filter": asking.filter,
        "matchingStrategy": "all",
        "attributesToRetrieve": [KEY],
    }
    if asking.within:
        asked["attributesToSearchOn"] = asking.within
    if order := order_of(query):
        asked["sort"] = order
    if asking.text.strip():
        asked |= {
            "attributesToHighlight": _SHOWN,
            "attributesToCrop": _SHOWN[1:],
            "cropLength": CROPPED_WORDS,
            "cropMarker": "…",
            "highlightPreTag": MARK_ON,
            "highlightPostTag": MARK_OFF,
        }
    return asked


def _page(query: SearchQuery) -> dict[str, int]:
    return {"offset": query.offset, "limit": query.limit}


def _found(said: Mapping[str, Any]) -> Answered:
    hits = said["hits"]
    return Answered(
        tuple(int(hit[KEY]) for hit in hits),
        {int(hit[KEY]): piece for hit in hits if (piece := _piece(hit.get("_formatted", {})))},
        int(said["estimatedTotalHits"]),
        said.get("facetDistribution") or {},
    )


def _piece(formatted: Mapping[str, Any]) -> str:
    """The first text that has a match, safe as HTML; empty where none has one."""
    texts = (str(formatted.get(name) or "") for name in _SHOWN)
    marked = next((text for text in texts if MARK_ON in text), "")
    safe = escape(with_signs(marked), quote=False)
    return safe.replace(MARK_ON, "<mark>").replace(MARK_OFF, "</mark>")
