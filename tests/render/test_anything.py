"""Whatever comes in, a mail of it is small, whole and ready for the wire."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from morningdeck.model.sending import (
    Movement,
    Report,
    ReportItem,
    Teller,
    Undelivered,
    Untold,
    WhyNot,
)
from morningdeck.wording import worded
from tests.mailcheck import read
from tests.render.editions import SEVEN_O_CLOCK, daily, with_stories
from tests.render.mails import mail

any_text = some.one_of(
    some.text(max_size=40),
    some.sampled_from(["", "<&\"'>", "漢字", "\u202e", "=?utf-8?q?a?=", "\r\nBcc: x", "{{ 7*7 }}"]),
    some.builds(lambda text, often: text * often, some.text(max_size=9), some.integers(0, 900)),
)
a_count = some.integers(0, 2**63)
any_time = some.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1), timezones=some.just(UTC))
any_item = some.builds(
    ReportItem,
    position=some.integers(1, 40),
    item_id=some.integers(),
    title=any_text,
    url=some.one_of(some.none(), any_text, any_text.map("https://news.example/{}".format)),
    summary=any_text,
    score=some.integers(),
    reason=any_text,
    source_title=any_text,
    also_in=some.lists(some.builds(Teller, any_text, any_text), max_size=9).map(tuple),
    section=any_text,
    language=some.one_of(some.none(), any_text),
    minutes=a_count,
    told=some.booleans(),
    missed=some.booleans(),
    update=any_text,
    update_since=some.one_of(some.none(), any_time),
)


@some.composite
def any_report(draw: Any) -> Report:
    changes = {
        "briefing_title": draw(any_text),
        "language": draw(some.sampled_from([None, "de", "fr-CA", "he", "zh", "xx", "\r\n"])),
        "items": tuple(draw(some.lists(any_item, max_size=30))),
        "weekly": draw(some.booleans()),
        "broken_sources": tuple(draw(some.lists(any_text, max_size=20))),
        "moved": tuple(draw(some.lists(some.builds(Movement, any_text, a_count, a_count)))),
        "left_out": draw(some.dictionaries(some.sampled_from(WhyNot), a_count)),
        "undelivered": (Undelivered(8, "2026-11-17", draw(any_text)),),
        "weighed": draw(a_count),
        "is_first": draw(some.booleans()),
        "untold": tuple(Untold(n, draw(any_text)) for n in range(draw(some.integers(0, 5)))),
    }
    report = worded(replace(daily(), **changes))
    return replace(report, overview=f"{draw(any_text)}\n{report.overview}")


@settings(max_examples=60, deadline=None)
@given(any_report())
def test_any_report_makes_a_mail(report: Report) -> None:
    message = read(mail(report))
    assert len(str(message["Subject"])) <= 160
    assert message["To"] == "Jane <jane@example.org>"


def test_ten_million_characters_take_no_longer_than_a_cup_of_tea() -> None:
    """They are cut before anything looks at them."""
    long = "x" * 10_000_000
    change: dict[str, Any] = dict.fromkeys(("title", "summary", "reason", "source_title"), long)
    change |= {"url": f"https://x.example/{long}", "also_in": (Teller(long, long),) * 5}
    report = replace(with_stories(daily(), *([change] * 8)), briefing_title=long)
    before = datetime.now(UTC)
    read(mail(report))
    assert (datetime.now(UTC) - before).total_seconds() < 10


@pytest.mark.parametrize("stories", [25, 500, 5000])
def test_as_many_stories_as_fit_are_kept(stories: int) -> None:
    first = daily().items[0]
    items = tuple(replace(first, position=number) for number in range(1, stories + 1))
    content = mail(worded(replace(daily(), items=items, generated_at=SEVEN_O_CLOCK)))
    read(content)
    assert len(content) > 25_000
