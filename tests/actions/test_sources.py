"""A look at an address, by readers that answer from memory."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from morningdeck.actions.sources import check, look, read_whole
from morningdeck.errors import NotFoundError, PermanentError, TransientError
from morningdeck.model.kinds import SourceType
from morningdeck.model.reading import Entry, Reading, Source

URL = "https://example.org/news"
NO_FEED = PermanentError("this is not a feed")


class Scripted:
    """The port `SourceReader`: gives one answer for each visit."""

    def __init__(self, *answers: Reading | Exception) -> None:
        self._answers = list(answers)
        self.asked: list[tuple[str, ...]] = []

    def read(self, source: Source) -> Reading:
        self.asked.append(source.to_ask)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def readers(rss: Scripted, web: Scripted | None = None) -> Mapping[str, Scripted]:
    return {"RSS": rss} if web is None else {"RSS": rss, "WEB": web}


def entries(*guids: str) -> tuple[Entry, ...]:
    return tuple(Entry(guid, None, f"News {guid}") for guid in guids)


def test_a_page_that_is_no_feed_is_proposed_by_the_number_of_its_links() -> None:
    with pytest.raises(PermanentError, match="has 2 links that can be read with --type web"):
        look(URL, "RSS", readers=readers(Scripted(NO_FEED), Scripted(Reading(entries("a", "b")))))


@pytest.mark.parametrize("web", [Reading(), TransientError("it is gone now")])
def test_a_page_without_links_is_only_said_to_be_no_feed(web: Reading | Exception) -> None:
    with pytest.raises(PermanentError, match=r"^this is not a feed$"):
        look(URL, "RSS", readers=readers(Scripted(NO_FEED), Scripted(web)))


def test_what_fails_otherwise_is_not_read_as_a_page() -> None:
    web = Scripted(Reading(entries("a")))

    with pytest.raises(PermanentError, match=r"^404$"):
        look(URL, "RSS", readers=readers(Scripted(PermanentError("404")), web))
    assert web.asked == []


def test_a_type_that_nobody_reads_is_said_to_be_none_yet() -> None:
    with pytest.raises(NotFoundError, match="of type web cannot be read yet"):
        look(URL, "WEB", readers=readers(Scripted()))


def test_all_visits_are_made_and_each_entry_is_counted_once() -> None:
    reader = Scripted(
        Reading(entries("a", "b"), to_ask=("/2",)), Reading(entries("b", "c"), title="News")
    )

    whole = read_whole(reader, Source(id=0, type=SourceType.REDDIT, url=URL))

    assert [entry.guid for entry in whole.entries] == ["a", "b", "c"]
    assert (reader.asked, whole.title) == ([(), ("/2",)], "News")


def test_a_check_names_the_newest_only() -> None:
    found = check(URL, "RSS", readers=readers(Scripted(Reading(entries(*"abcdefg")))))

    assert (found.type, found.entries) == ("rss", 7)
    assert found.newest == tuple(f"News {guid}" for guid in "abcde")
