"""The picture of a lead: had in a moment, or done without."""

from __future__ import annotations

from dataclasses import replace
from threading import Event
from typing import Any

import pytest

from morningdeck.errors import HostBusyError, PermanentError, TransientError
from morningdeck.model.pictures import Picture
from morningdeck.model.reading import Page
from morningdeck.model.sending import Report
from morningdeck.picturing import Pictures
from tests.conftest import NOW
from tests.fakes import ScriptedHttp
from tests.render.editions import daily, quiet, weekly, with_stories

SMALL = Picture("YQ==", 520, 300)
URL = "https://paper.example/wind.jpg"
LARGE = Page(URL, 200, {}, b"large")


class Hanging(ScriptedHttp):
    """Never answers until it is let go."""

    def __init__(self) -> None:
        super().__init__(LARGE)
        self.let_go = Event()

    def get(self, url: str, **how: Any) -> Page:
        self.let_go.wait()
        return super().get(url, **how)


def small(body: bytes) -> Picture:
    assert body == b"large"
    return SMALL


def pictured(report: Report, site: ScriptedHttp, **how: Any) -> Picture | None:
    url_of = how.pop("url_of", {report.lead.item_id: URL}.get if report.lead else {}.get)
    return Pictures(url_of, site, how.pop("shrink", small), **how)(report).picture


def test_a_lead_brings_its_picture_along() -> None:
    site = ScriptedHttp(LARGE)

    assert pictured(daily(), site) == SMALL
    assert [url for url, _ in site.asked] == [URL]


def test_who_has_no_lead_or_no_picture_asks_nobody() -> None:
    site = ScriptedHttp(LARGE)

    assert pictured(quiet(), site) is None
    assert pictured(daily(), site, url_of=lambda item: None) is None
    assert site.asked == []


def test_of_a_weekly_it_is_the_picture_of_what_no_daily_has_shown() -> None:
    report = with_stories(weekly(), {"told": True}, {"told": False, "item_id": 77})

    assert pictured(report, ScriptedHttp(LARGE), url_of={77: URL}.get) == SMALL


def test_nobody_learns_that_a_letter_was_read() -> None:
    site = ScriptedHttp(LARGE)

    assert pictured(with_stories(daily(), {"private": True}), site) is None
    assert site.asked == []


@pytest.mark.parametrize(
    "error",
    [
        PermanentError("404"),
        TransientError("away"),
        HostBusyError(NOW),
        ValueError("a bug"),
    ],
)
def test_a_picture_that_cannot_be_had_stops_nothing(error: Exception) -> None:
    def fails(*_: object) -> Any:
        raise error

    assert pictured(daily(), ScriptedHttp(error)) is None
    assert pictured(daily(), ScriptedHttp(LARGE), shrink=fails) is None
    assert pictured(daily(), ScriptedHttp(LARGE), url_of=fails) is None


def test_no_briefing_waits_for_a_picture() -> None:
    site = Hanging()

    assert pictured(daily(), site, seconds=0.05) is None
    site.let_go.set()


def test_a_report_is_the_same_but_for_its_picture() -> None:
    report = daily()

    found = Pictures(lambda item: URL, ScriptedHttp(LARGE), small)(report)

    assert replace(found, picture=None) == report
