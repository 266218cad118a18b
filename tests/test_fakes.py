"""The fakes of these tests hold the contracts of the ports that they stand for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from morningdeck.model.kinds import SourceType
from morningdeck.model.making import StoryRole
from morningdeck.model.reading import Entry, Page, ParsedPage, Reading, Source
from tests.contracts.channel import Arrived, ChannelContract
from tests.contracts.embedder import EmbedderContract
from tests.contracts.enricher import EnricherContract
from tests.contracts.full_text import WORDS, FullTextContract
from tests.contracts.http import HttpContract, Says
from tests.contracts.pace import PaceContract
from tests.contracts.profiler import ProfilerContract
from tests.contracts.raw_mail import RawMailContract
from tests.contracts.rows import (
    BriefingRowsContract,
    ItemRowsContract,
    SourceRowsContract,
    StoryRowsContract,
)
from tests.contracts.similarity import SimilarityContract
from tests.contracts.source_reader import SourceReaderContract
from tests.contracts.story_window import StoryWindowContract
from tests.contracts.summariser import SummariserContract
from tests.fakes import (
    CountingModel,
    Letterbox,
    MailInMemory,
    OneItem,
    OnePage,
    OneReading,
    OneSource,
    OneStory,
    ScriptedHttp,
    TitleSimilarity,
    TitleWindow,
)
from tests.faults.postbox import Postbox
from tests.net.conftest import NoPace
from tests.test_brief import BRIEFING, ShelfOfBriefings
from tests.test_process import ITEM

SOURCE = Source(17, SourceType.RSS, "https://news.example/feed")
URL = "https://news.example/harbour"


class TestLetterbox(ChannelContract):
    @pytest.fixture
    def channel(self) -> Letterbox:
        return Letterbox()

    @pytest.fixture
    def arrived(self, channel: Letterbox) -> Arrived:
        return lambda: len(channel.letters)


class TestPostbox(ChannelContract):
    @pytest.fixture
    def channel(self, tmp_path: Path) -> Postbox:
        return Postbox(tmp_path, "")

    @pytest.fixture
    def arrived(self, tmp_path: Path) -> Arrived:
        mails = tmp_path / "mails"
        return lambda: len(mails.read_text().splitlines()) if mails.exists() else 0


class TestCountingModel(EnricherContract, EmbedderContract, ProfilerContract):
    @pytest.fixture
    def enricher(self) -> CountingModel:
        return CountingModel()

    @pytest.fixture
    def profiler(self) -> CountingModel:
        return CountingModel()

    @pytest.fixture
    def embedder(self) -> CountingModel:
        return CountingModel()


class TestCountingSummaries(SummariserContract):
    @pytest.fixture
    def summariser(self) -> CountingModel:
        return CountingModel()


class TestTitleWindow(StoryWindowContract):
    @pytest.fixture
    def window(self) -> TitleWindow:
        return TitleWindow()


class TestTitleSimilarity(SimilarityContract):
    @pytest.fixture
    def similarity(self) -> TitleSimilarity:
        return TitleSimilarity()


class TestScriptedHttp(HttpContract):
    @pytest.fixture
    def http(self) -> ScriptedHttp:
        return ScriptedHttp()

    @pytest.fixture
    def says(self, http: ScriptedHttp) -> Says:
        def says(status: int, body: bytes, **headers: str) -> str:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            http.will_say(Page(URL, status, named, body))
            return URL

        return says


class TestOnePage(FullTextContract):
    @pytest.fixture
    def pages(self) -> OnePage:
        return OnePage(URL, ParsedPage(text=WORDS))

    @pytest.fixture
    def article_url(self) -> str:
        return URL

    @pytest.fixture
    def missing_url(self) -> str:
        return f"{URL}/missing"


class TestOneReading(SourceReaderContract):
    @pytest.fixture
    def reader(self) -> OneReading:
        return OneReading(SOURCE.id, Reading((Entry("1", None, "One"),)))

    @pytest.fixture
    def source(self) -> Source:
        return SOURCE

    @pytest.fixture
    def absent(self) -> Source:
        return replace(SOURCE, id=18)


class TestMailInMemory(RawMailContract):
    @pytest.fixture
    def raw_mail(self) -> MailInMemory:
        return MailInMemory()

    @pytest.fixture
    def mailboxes(self) -> tuple[int, int]:
        return 1, 2


class TestNoPace(PaceContract):
    @pytest.fixture
    def pace(self) -> NoPace:
        return NoPace()


class TestOneSource(SourceRowsContract):
    @pytest.fixture
    def source_rows(self) -> OneSource:
        return OneSource(SOURCE)

    @pytest.fixture
    def source_id(self) -> int:
        return SOURCE.id


class TestOneItem(ItemRowsContract):
    @pytest.fixture
    def item_rows(self) -> OneItem:
        return OneItem(ITEM)

    @pytest.fixture
    def item_id(self) -> int:
        return ITEM.id


class TestOneStory(StoryRowsContract):
    @pytest.fixture
    def story_rows(self) -> OneStory:
        return OneStory(StoryRole(9, ITEM.id, enriched=False))

    @pytest.fixture
    def item_id(self) -> int:
        return ITEM.id


class TestShelfOfBriefings(BriefingRowsContract):
    @pytest.fixture
    def briefing_rows(self) -> ShelfOfBriefings:
        return ShelfOfBriefings(BRIEFING)

    @pytest.fixture
    def briefing_id(self) -> int:
        return BRIEFING.id
