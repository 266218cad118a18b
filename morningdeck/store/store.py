"""The whole store of one process: one object for each noun, over one database."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

from morningdeck.model import Enriched, Fetched, FetchTrouble, ParsedPage, Receipt, Spaced, Written
from morningdeck.ports import StoryWindow
from morningdeck.store.database.connect import Database
from morningdeck.store.queue.incarnations import Incarnations
from morningdeck.store.queue.protocol import Saver, SqlJobStore
from morningdeck.store.results.enriched import save_enriched, save_parsed_page
from morningdeck.store.results.fetched import save_fetched, save_spaced, save_trouble
from morningdeck.store.results.written import save_receipt, save_written
from morningdeck.store.rows.briefings import SqlBriefingRows
from morningdeck.store.rows.deliveries import SqlDeliveryRows
from morningdeck.store.rows.expected import Expected
from morningdeck.store.rows.items import SqlItemRows
from morningdeck.store.rows.search_outbox import SearchOutbox
from morningdeck.store.rows.sources import RawMails, SqlSourceRows
from morningdeck.store.rows.stories import SqlStoryRows
from morningdeck.store.views.briefings import Briefings
from morningdeck.store.views.dead_letters import DeadLetters
from morningdeck.store.views.items import Items
from morningdeck.store.views.overview import Overview
from morningdeck.store.views.reports import Reports
from morningdeck.store.views.retention import Retention
from morningdeck.store.views.saved_pages import SavedPages
from morningdeck.store.views.search_index import FulltextIndex
from morningdeck.store.views.spending import Spending
from morningdeck.store.views.subscriptions import Subscriptions
from morningdeck.store.views.users import Users

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


class Store:
    def __init__(
        self,
        database: Database,
        *,
        lease: timedelta,
        refresh: timedelta,
        window: Callable[[], StoryWindow],
        resend: tuple[timedelta, ...] = (),
    ) -> None:
        self.database = database
        # what the engine and the verbs need
        self.jobs = SqlJobStore(database, SAVERS, lease=lease, resend=resend)
        self.incarnations = Incarnations(database, lease=lease)
        self.source_rows = SqlSourceRows(database)
        self.item_rows = SqlItemRows(database)
        self.raw_mail = RawMails(database)
        self.story_rows = SqlStoryRows(database, window)
        self.briefing_rows = SqlBriefingRows(database)
        self.delivery_rows = SqlDeliveryRows(database)
        self.expected = Expected(database)
        self.search_outbox = SearchOutbox(database)
        self.search_index = FulltextIndex(database)
        # what users see and set
        self.users = Users(database)
        self.subscriptions = Subscriptions(database, refresh=refresh)
        self.briefings = Briefings(database)
        self.items = Items(database)
        self.saved_pages = SavedPages(database, self.subscriptions, self.items)
        self.reports = Reports(database)
        self.retention = Retention(database)
        self.overview = Overview(database)
        self.spending = Spending(database)
        self.dead_letters = DeadLetters(database)
