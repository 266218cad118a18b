"""Every kind of mail that there is, through one checker."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from morningdeck.model.sending import Report, Teller
from morningdeck.wording import worded
from tests.mailcheck import MOST_SPAM, MailChecker, mail_checker, need, spam_points
from tests.render.editions import EVERY
from tests.render.mails import mail

pytestmark = pytest.mark.xdist_group("mailcheck")


@pytest.fixture(scope="module")
def checker() -> Iterator[MailChecker]:
    with mail_checker() as checker:
        yield checker


@pytest.mark.parametrize("name", EVERY)
def test_a_mail_is_right_everywhere(checker: MailChecker, name: str) -> None:
    checker.check(mail(EVERY[name]))


def test_no_mail_is_spam() -> None:
    points = spam_points({name: mail(report) for name, report in EVERY.items()})
    assert {name: point for name, point in points.items() if point > MOST_SPAM} == {}


def test_nothing_naughty_breaks_a_mail(checker: MailChecker, report: Report, corpora: Path) -> None:
    """As title, name, source, criteria, each of them in a mail."""
    texts = json.loads((corpora / "naughty-strings" / "blns.json").read_text())
    for start in range(0, len(texts), 8):
        some = texts[start : start + 8]
        items = tuple(
            replace(
                item,
                title=text,
                summary=text,
                source_title=text,
                reason=text,
                section=text,
                update=text,
                language=text,
                also_in=(Teller(text, text),),
            )
            for item, text in zip(report.items, some, strict=False)
        )
        named = replace(report, items=items, briefing_title=some[0], broken_sources=tuple(some))
        checker.check(mail(worded(named)))


def test_a_tool_that_is_missing_fails_where_all_were_promised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="make test installs it"):
        need("the mail checker", False)
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception):
        need("the mail checker", False)
