"""Letters taken apart by the numbers of their lines, whatever the numbers are."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from morningdeck.parsing.chosen_stories import MOST_OFFERED_LINES
from morningdeck.parsing.message import parse_mail
from tests.letters import STORIES, letter, newsletter

from .conftest import Corpus
from .test_newsletter import Numbers, at_random, link, lost, titles, words

ESSAY = "".join(
    f"<p>{title}</p><p>{body} See {link(n, 'the report')} of the ministry.</p>"
    for n, (title, body) in enumerate(STORIES.items())
)
"""What no look tells apart: headlines like any other line."""
FOUR: list[Numbers] = [(2 * n, 2 * n + 1, 2 * n + 1) for n in range(4)]
WHOLE = ["Your morning grid"]


def test_what_no_look_tells_apart_is_parted_by_its_numbers() -> None:
    body = letter(html=ESSAY)
    assert titles(parse_mail(body)) == WHOLE

    mail = parse_mail(body, FOUR)

    assert titles(mail) == list(STORIES)
    assert [entry.url for entry in mail.entries] == [f"https://grid.example/{n}" for n in range(4)]
    assert mail.entries[0].text.startswith(next(iter(STORIES.values())))


def test_the_lines_that_are_offered_say_what_each_is() -> None:
    lines = parse_mail(letter(html=f"<h2>Money</h2>{ESSAY}")).lines

    assert lines[0].text == "Money"
    assert [line.heading for line in lines] == [True] + [False] * 8
    assert [line.linked for line in lines[1:3]] == [False, True]
    assert parse_mail(letter(text="Hello. " * 30)).lines == ()
    assert parse_mail(letter(html=ESSAY * (MOST_OFFERED_LINES // 8 + 1))).lines == ()


def test_a_link_of_another_story_is_not_its_own() -> None:
    mail = parse_mail(letter(html=ESSAY), [(0, 1, 3), (2, 3, None)])

    assert titles(mail) == [*WHOLE, *list(STORIES)[:2]]
    assert "https://grid.example/1" not in [entry.url for entry in mail.entries]


@pytest.mark.parametrize(
    "chosen",
    [
        [(0, 1, 1)],
        [(0, 1, 1), (99, 100, 99)],
        [(-1, 3, 0), (4, 2, 0)],
        [(1, 1, None), (3, 10**9, None)],
    ],
)
def test_numbers_of_no_use_leave_a_letter_as_it_looks(chosen: list[Numbers]) -> None:
    assert titles(parse_mail(letter(html=ESSAY), chosen)) == WHOLE
    assert titles(parse_mail(letter(html=newsletter()), chosen)) == list(STORIES)


def test_a_table_of_contents_is_told_once() -> None:
    contents = "".join(f"<p>{link(n, title)}</p>" for n, title in enumerate(STORIES))

    below = [(title + 4, last + 4, last + 4) for title, last, _ in FOUR]
    mail = parse_mail(letter(html=contents + ESSAY), below)

    assert titles(mail) == list(STORIES)
    assert next(iter(STORIES)) not in mail.entries[3].text


@pytest.mark.parametrize("seed", range(60))
def test_no_word_of_a_letter_is_lost_whatever_is_chosen(seed: int) -> None:
    chance = random.Random(seed)
    body = at_random(chance, least=4)
    count = len(parse_mail(body).lines)
    starts = sorted(chance.sample(range(count), min(count, chance.randint(2, 9))))
    chosen: list[Numbers] = [
        (start, chance.randrange(start, following), chance.choice([None, start]))
        for start, following in pairwise([*starts, max(count, 1)])
    ]

    missing, _ = lost(body, chosen)

    told = words(" ".join(titles(parse_mail(body, chosen))))
    assert not missing.keys() - told.keys(), "but for a headline that stands there twice"


@pytest.mark.parametrize("name", ["mail-mikel", "mail-spamassassin"])
def test_a_collected_letter_is_parted_wherever_it_is_told_to_be(corpus: Corpus, name: str) -> None:
    """Headlines where looks have found them, and then at every fourth line."""
    offered = alike = 0
    for body in corpus(name).values():
        mail = parse_mail(body)
        if not mail.lines:
            continue
        offered += 1
        shown = {entry.title for entry in mail.entries} if len(mail.entries) > 1 else set()
        looks = [number for number, line in enumerate(mail.lines) if line.text in shown]
        for starts in (looks, range(0, len(mail.lines), 4)):
            ends = [*starts, len(mail.lines)][1:]
            chosen = [(start, end - 1, None) for start, end in zip(starts, ends, strict=True)]
            found = parse_mail(body, chosen)
            told = {entry.title for entry in found.entries}
            alike += starts is looks and shown <= told | {""}
            missing, _ = lost(body, chosen)
            assert not missing
    print(f"{name}: {offered} letters offered, {alike} parted as they look")
    assert alike == offered > 0
