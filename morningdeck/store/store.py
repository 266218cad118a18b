"""The whole store of one process: one object for each noun, over one database."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from morningdeck.model import Briefed, Fetched, FetchTrouble, ParsedPage, Processed, Receipt, Spaced
from morningdeck.store.briefed import BriefingTable, save_briefed
from morningdeck.store.briefings import Briefings
from morningdeck.store.connect import Database
from morningdeck.store.dead import DeadLetters
from morningdeck.store.delivered import DeliveryTable, save_receipt
from morningdeck.store.expected import Expected
from morningdeck.store.fetched import (
    SOURCE_COLUMNS,
    SourceTable,
    save_fetched,
    save_spaced,
    save_trouble,
)
from morningdeck.store.fulltext import FulltextIndex
from morningdeck.store.items import Items
from morningdeck.store.mail import RawMails
from morningdeck.store.outbox import SearchOutbox
from morningdeck.store.overview import Overview
from morningdeck.store.processed import ItemTable, save_page, save_processed
from morningdeck.store.processes import Processes
from morningdeck.store.reports import Reports
from morningdeck.store.retention import Retention
from morningdeck.store.saved import SavedPages
from morningdeck.store.stories import StoryTable, StoryWindow
from morningdeck.store.subscriptions import Subscriptions
from morningdeck.store.users import Users
from morningdeck.store.work import Saver, SqlWorkStore
from morningdeck.work import Stage

SAVERS: Mapping[type, Saver] = {
    Fetched: save_fetched,
    FetchTrouble: save_trouble,
    Spaced: save_spaced,
    ParsedPage: save_page,
    Processed: save_processed,
    Briefed: save_briefed,
    Receipt: save_receipt,
}
"""How each kind of result is stored, inside the transaction that settles its job."""
BRINGS = {Stage.FETCH: SOURCE_COLUMNS}
"""What a start reads along: one query less for the work that there is most of."""


class Store:
    def __init__(
        self,
        database: Database,
        *,
        lease: timedelta,
        refresh: timedelta,
        window: StoryWindow,
        resend: tuple[timedelta, ...] = (),
    ) -> None:
        self.database = database
        # what the engine and the verbs need
        self.work = SqlWorkStore(database, SAVERS, lease=lease, brings=BRINGS, resend=resend)
        self.processes = Processes(database, lease=lease)
        self.source_rows = SourceTable(database)
        self.item_rows = ItemTable(database)
        self.raw_mail = RawMails(database)
        self.story_rows = StoryTable(database, window)
        self.briefing_rows = BriefingTable(database)
        self.delivery_rows = DeliveryTable(database)
        self.expected = Expected(database)
        self.outbox = SearchOutbox(database)
        self.fulltext = FulltextIndex(database)
        # what users see and set
        self.users = Users(database)
        self.subscriptions = Subscriptions(database, refresh=refresh)
        self.briefings = Briefings(database)
        self.items = Items(database)
        self.saved_pages = SavedPages(database, self.subscriptions, self.items)
        self.reports = Reports(database)
        self.retention = Retention(database)
        self.overview = Overview(database)
        self.dead_letters = DeadLetters(database)
