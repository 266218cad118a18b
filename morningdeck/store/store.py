"""The whole store of one process: one object for each noun, over one database.

Each is imported and made where it is first asked for: a command that lists sources knows nothing
of deliveries.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from morningdeck.ports.verbs import StoryWindow
    from morningdeck.store.database.connect import Database
    from morningdeck.store.notices.broker import BrokerNotices
    from morningdeck.store.notices.web import WebNotices
    from morningdeck.store.queue.incarnations import Incarnations
    from morningdeck.store.queue.protocol import SqlJobStore
    from morningdeck.store.rows.alerts import SqlAlertRows
    from morningdeck.store.rows.bounces import SqlBounces
    from morningdeck.store.rows.briefings import SqlBriefingRows
    from morningdeck.store.rows.deliveries import SqlDeliveryRows
    from morningdeck.store.rows.expected import Expected
    from morningdeck.store.rows.hours import SqlHours
    from morningdeck.store.rows.items import SqlItemRows
    from morningdeck.store.rows.pings import SqlPings
    from morningdeck.store.rows.profiles import SqlProfileRows
    from morningdeck.store.rows.search_outbox import SearchOutbox
    from morningdeck.store.rows.sources import RawMails, SqlSourceRows
    from morningdeck.store.rows.stories import SqlStoryRows
    from morningdeck.store.rows.themes import SqlThemeRows
    from morningdeck.store.views.accounts import Accounts
    from morningdeck.store.views.api_tokens import ApiTokens
    from morningdeck.store.views.articles import ArticleTexts
    from morningdeck.store.views.briefings import Briefings
    from morningdeck.store.views.dead_letters import DeadLetters
    from morningdeck.store.views.departures import Departures
    from morningdeck.store.views.engine_room import EngineRoom
    from morningdeck.store.views.feeds import BriefingFeeds
    from morningdeck.store.views.items import Items
    from morningdeck.store.views.meant import MeantItems
    from morningdeck.store.views.names import Names
    from morningdeck.store.views.overview import Overview
    from morningdeck.store.views.recipients import Recipients
    from morningdeck.store.views.reports import Reports
    from morningdeck.store.views.retention import Retention
    from morningdeck.store.views.saved_pages import SavedPages
    from morningdeck.store.views.saved_searches import SavedSearches
    from morningdeck.store.views.search_index import FulltextIndex
    from morningdeck.store.views.search_reach import SearchReach
    from morningdeck.store.views.sessions import Sessions
    from morningdeck.store.views.signing_keys import SigningKeys
    from morningdeck.store.views.similar import SimilarItems
    from morningdeck.store.views.spending import Spending
    from morningdeck.store.views.streams import Streams
    from morningdeck.store.views.subscriptions import Subscriptions
    from morningdeck.store.views.themes import TopicTable
    from morningdeck.store.views.told_stories import ToldStories
    from morningdeck.store.views.users import Users


def _part(module: str, name: str) -> Any:
    """A part that is made of the database alone."""

    def make(store: Store) -> Any:
        return getattr(import_module(f"morningdeck.store.{module}"), name)(store.database)

    return cached_property(make)


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
        self._lease = lease
        self._refresh = refresh
        self._make_window = window
        self._resend = resend

    def close(self) -> None:
        """What was counted is written down first."""
        if "hours" in self.__dict__:
            self.hours.close()
        self.database.close()

    # ---- what the engine and the verbs need

    source_rows: SqlSourceRows = _part("rows.sources", "SqlSourceRows")
    item_rows: SqlItemRows = _part("rows.items", "SqlItemRows")
    profile_rows: SqlProfileRows = _part("rows.profiles", "SqlProfileRows")
    theme_rows: SqlThemeRows = _part("rows.themes", "SqlThemeRows")
    raw_mail: RawMails = _part("rows.sources", "RawMails")
    briefing_rows: SqlBriefingRows = _part("rows.briefings", "SqlBriefingRows")
    delivery_rows: SqlDeliveryRows = _part("rows.deliveries", "SqlDeliveryRows")
    alert_rows: SqlAlertRows = _part("rows.alerts", "SqlAlertRows")
    expected: Expected = _part("rows.expected", "Expected")
    bounces: SqlBounces = _part("rows.bounces", "SqlBounces")
    pings: SqlPings = _part("rows.pings", "SqlPings")
    hours: SqlHours = _part("rows.hours", "SqlHours")
    broker_notices: BrokerNotices = _part("notices.broker", "BrokerNotices")
    web_notices: WebNotices = _part("notices.web", "WebNotices")
    search_outbox: SearchOutbox = _part("rows.search_outbox", "SearchOutbox")
    search_reach: SearchReach = _part("views.search_reach", "SearchReach")
    search_index: FulltextIndex = _part("views.search_index", "FulltextIndex")

    @cached_property
    def jobs(self) -> SqlJobStore:
        from morningdeck.store.queue.protocol import SqlJobStore
        from morningdeck.store.results import SAVERS

        return SqlJobStore(self.database, SAVERS, lease=self._lease, resend=self._resend)

    @cached_property
    def incarnations(self) -> Incarnations:
        from morningdeck.store.queue.incarnations import Incarnations

        return Incarnations(self.database, lease=self._lease)

    @cached_property
    def story_rows(self) -> SqlStoryRows:
        from morningdeck.store.rows.stories import SqlStoryRows

        return SqlStoryRows(self.database, self._make_window)

    # ---- what users see and set

    users: Users = _part("views.users", "Users")
    signing_keys: SigningKeys = _part("views.signing_keys", "SigningKeys")
    feeds: BriefingFeeds = _part("views.feeds", "BriefingFeeds")
    recipients: Recipients = _part("views.recipients", "Recipients")
    accounts: Accounts = _part("views.accounts", "Accounts")
    sessions: Sessions = _part("views.sessions", "Sessions")
    api_tokens: ApiTokens = _part("views.api_tokens", "ApiTokens")
    briefings: Briefings = _part("views.briefings", "Briefings")
    names: Names = _part("views.names", "Names")
    items: Items = _part("views.items", "Items")
    streams: Streams = _part("views.streams", "Streams")
    articles: ArticleTexts = _part("views.articles", "ArticleTexts")
    similar_items: SimilarItems = _part("views.similar", "SimilarItems")
    saved_searches: SavedSearches = _part("views.saved_searches", "SavedSearches")
    meant_items: MeantItems = _part("views.meant", "MeantItems")
    told_stories: ToldStories = _part("views.told_stories", "ToldStories")
    topics: TopicTable = _part("views.themes", "TopicTable")
    reports: Reports = _part("views.reports", "Reports")
    retention: Retention = _part("views.retention", "Retention")
    overview: Overview = _part("views.overview", "Overview")
    dead_letters: DeadLetters = _part("views.dead_letters", "DeadLetters")
    spending: Spending = _part("views.spending", "Spending")
    engine_room: EngineRoom = _part("views.engine_room", "EngineRoom")

    @cached_property
    def subscriptions(self) -> Subscriptions:
        from morningdeck.store.views.subscriptions import Subscriptions

        return Subscriptions(self.database, refresh=self._refresh)

    @cached_property
    def departures(self) -> Departures:
        from morningdeck.store.views.departures import Departures

        return Departures(self.database, refresh=self._refresh)

    @cached_property
    def saved_pages(self) -> SavedPages:
        from morningdeck.store.views.saved_pages import SavedPages

        return SavedPages(self.database, self.subscriptions, self.items)
