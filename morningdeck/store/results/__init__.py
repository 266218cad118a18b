"""What settlements save of what their jobs have found."""

from __future__ import annotations

from collections.abc import Mapping

from morningdeck.model.making import Enriched
from morningdeck.model.reading import Fetched, FetchTrouble, ParsedPage, Spaced
from morningdeck.model.sending import Receipt, Written
from morningdeck.store.queue.protocol import Saver
from morningdeck.store.results.enriched import save_enriched, save_parsed_page
from morningdeck.store.results.fetched import save_fetched, save_spaced, save_trouble
from morningdeck.store.results.written import save_receipt, save_written

SAVERS: Mapping[type, Saver] = {
    Fetched: save_fetched,
    FetchTrouble: save_trouble,
    Spaced: save_spaced,
    ParsedPage: save_parsed_page,
    Enriched: save_enriched,
    Written: save_written,
    Receipt: save_receipt,
}
"""How each kind of result is stored, inside the transaction that settles its job."""
