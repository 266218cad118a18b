from __future__ import annotations

from dataclasses import replace

import pytest

from morningdeck.model.sending import Report, ReportItem, Teller
from tests.render.editions import daily


@pytest.fixture
def report() -> Report:
    """A Wednesday's briefing with eight stories."""
    return daily()


def long_stories(report: Report, text: str, *, most: int, address: int) -> tuple[ReportItem, ...]:
    """25 whose every text is very long, with so many tellers and such an address each."""
    long = text * 5000
    url = "https://x.example/" + "a" * address
    story = replace(
        report.items[0],
        title=long,
        summary=long,
        reason=long,
        source_title=long,
        also_in=(Teller(long, url),) * most,
        url=url,
    )
    return tuple(replace(story, position=number) for number in range(1, 26))
