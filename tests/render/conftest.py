from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from morningdeck.model.sending import Report, ReportItem

SEVEN_O_CLOCK = datetime(2026, 11, 18, 7, 0, tzinfo=UTC)


@pytest.fixture
def report() -> Report:
    """A Wednesday's briefing with three stories."""
    return Report(
        id=9,
        briefing_id=88,
        briefing_title="Energy & grid",
        slot="2026-11-18",
        subject="Energy & grid: Batteries carry Texas (+2)",
        overview="Texas held [1]. Brussels plans [2] and Spain pays [3].",
        generated_at=SEVEN_O_CLOCK,
        timezone="Europe/Berlin",
        language="en",
        weighed=214,
        items=(
            _story(1, "Batteries carry Texas", hours=2, topics=("Storage", "Texas")),
            _story(2, "Brussels plans power lines", hours=3, topics=("Policy",)),
            _story(3, "Negative prices in Spain", hours=20, topics=("Prices", "Storage")),
        ),
    )


def _story(position: int, title: str, hours: int, topics: tuple[str, ...]) -> ReportItem:
    return ReportItem(
        position=position,
        item_id=100 + position,
        title=title,
        url=f"https://news.example/{position}",
        summary=f"What happened in story {position}.",
        score=100 - position,
        reason="matches the grid",
        source_title="Reuters",
        published_at=SEVEN_O_CLOCK - timedelta(hours=hours),
        also_in=("Bloomberg", "Montel"),
        topics=topics,
    )


def long_stories(report: Report, text: str, *, most: int, address: int) -> tuple[ReportItem, ...]:
    """25 whose every text is very long, with so many topics and such an address each."""
    long = text * 5000
    story = replace(
        report.items[0],
        title=long,
        summary=long,
        reason=long,
        source_title=long,
        topics=(long,) * most,
        also_in=(long,) * most,
        url="https://x.example/" + "a" * address,
    )
    return tuple(replace(story, position=number) for number in range(1, 26))
