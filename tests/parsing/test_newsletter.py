"""Letters of every build taken apart: each story is an item, and no word is lost."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence

import pytest

from morningdeck.model.reading import ParsedMail
from morningdeck.parsing import mime
from morningdeck.parsing.mail_bodies import read_message
from morningdeck.parsing.mail_lines import TextLine, lines_of_html, lines_of_text
from morningdeck.parsing.message import parse_mail
from morningdeck.parsing.newsletter import FOOT, IN_BROWSER
from morningdeck.parsing.sanitise import sanitise
from tests.letters import STORIES, letter, newsletter

from .conftest import Corpus

Numbers = tuple[int, int, int | None]
FOOTER = (
    "<p><a href='https://grid.example/u'>Unsubscribe</a> here.</p><p>Grid Ltd, 5 Main Street</p>"
)
HEADLINES = [f"Harbour number {n} opens again for its {n} ferries" for n in range(32)]
TEASER = "The port authority let them in at nine, and at ten they left again for the islands."


def link(number: int, words: str) -> str:
    return f"<a href='https://grid.example/{number}'>{words}</a>"


def digest() -> str:
    """32 headlines, of which four have a teaser."""
    return "".join(
        f"<p>{link(n, title)}</p>" + (f"<p>{TEASER}</p>" if n % 8 == 0 else "")
        for n, title in enumerate(HEADLINES)
    )


def sections(linked: int) -> str:
    """Four headings with text, the first ones with a link below."""
    return "".join(
        f"<h2>{title}</h2><p>{body}</p>" + (f"<p>{link(n, 'Read on')}</p>" if n < linked else "")
        for n, (title, body) in enumerate(STORIES.items())
    )


def titles(mail: ParsedMail) -> list[str]:
    return [entry.title for entry in mail.entries]


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text))


def lost(body: bytes, chosen: Sequence[Numbers] = ()) -> tuple[Counter[str], int]:
    """The words of a mail that none of its items has, and how many it has in all.

    Left out are short lines that offer a browser or speak of unsubscribing and rights, and of
    links those that only lead on: to a story's own address, or by a name that three have.
    """
    mail = parse_mail(body, chosen)
    lines = [line for piece in mime.pieces(read_message(body)) for line in lines_of(piece)]
    names = Counter(line.text for line in lines if line.link)
    told = {entry.url for entry in mail.entries}
    read = [
        line.text
        for line in lines
        if not (len(line.text) <= 300 and (FOOT.search(line.text) or IN_BROWSER.search(line.text)))
        and not (line.link and (line.link in told or names[line.text] >= 3))
    ]
    kept = words(" ".join(f"{entry.title} {entry.text}" for entry in mail.entries))
    wanted = words(" ".join(read))
    return wanted - kept, wanted.total()


def lines_of(piece: mime.Piece) -> list[TextLine]:
    return lines_of_html(sanitise(piece.content)) if piece.is_html else lines_of_text(piece.content)


def test_sections_without_a_link_are_items_too() -> None:
    mail = parse_mail(letter(html=sections(linked=3)))

    assert titles(mail) == list(STORIES)
    assert [entry.text for entry in mail.entries] == list(STORIES.values())
    assert mail.entries[3].canonical_url is None


def test_a_letter_most_of_whose_sections_have_no_link_is_not_cut_up() -> None:
    essay = sections(linked=3) + sections(linked=0).replace("</h2>", " again</h2>")

    assert titles(parse_mail(letter(html=essay))) == ["Your morning grid"]


def test_headlines_need_no_teaser_beside_others_that_have_one() -> None:
    mail = parse_mail(letter(html=digest() + FOOTER))

    assert titles(mail) == HEADLINES
    assert [entry.url for entry in mail.entries][-1] == "https://grid.example/31"


@pytest.mark.parametrize("row", ["<h3>{}</h3>", "<li>{}</li>", "<p>{} (Reuters)</p>"])
def test_a_list_of_headlines_is_that_many_items(row: str) -> None:
    rows = "".join(row.format(link(n, title)) for n, title in enumerate(HEADLINES))

    assert titles(parse_mail(letter(html=f"{rows}{FOOTER}"))) == HEADLINES


def test_addresses_below_headlines_make_a_list_of_plain_text() -> None:
    text = "\n\n".join(f"{title}\nhttps://grid.example/{n}" for n, title in enumerate(HEADLINES))

    assert titles(parse_mail(letter(text=text))) == HEADLINES


@pytest.mark.parametrize("opening", ["{}: {}", "{} – {}", "<b>{}</b> {}", "• {}. {}"])
def test_a_headline_may_open_the_line_of_its_story(opening: str) -> None:
    rows = [
        f"<p>{opening.format(link(n, title), body)}</p>"
        if n % 2
        else f"<p>{link(n, title)}</p><p>{body}</p>"
        for n, (title, body) in enumerate(STORIES.items())
    ]

    mail = parse_mail(letter(html="".join(rows)))

    assert titles(mail) == list(STORIES)
    assert [entry.text for entry in mail.entries] == list(STORIES.values())


def test_a_sentence_that_begins_with_a_link_is_no_headline() -> None:
    rows = "".join(f"<p>{link(n, title)} said he, and left.</p>" for n, title in enumerate(STORIES))

    assert len(parse_mail(letter(html=rows)).entries) == 1


def test_a_few_links_below_an_essay_leave_it_whole() -> None:
    links = "".join(f"<li>{link(n, title)}</li>" for n, title in enumerate(STORIES))

    mail = parse_mail(letter(html=f"<p>{TEASER * 9}</p><p>What I read:</p>{links}"))

    assert titles(mail) == ["Your morning grid"]


def test_the_name_of_a_section_stands_with_the_story_below_it() -> None:
    rows = "".join(
        ("<h2>Money</h2>" if n == 2 else "") + f"<h3>{link(n, title)}</h3><p>{body}</p>"
        for n, (title, body) in enumerate(STORIES.items())
    )

    mail = parse_mail(letter(html=rows))

    assert mail.entries[1].text == list(STORIES.values())[1]
    assert mail.entries[2].text.startswith("Money\n")


def test_whatever_is_no_story_stays_as_an_item_of_its_own() -> None:
    lead = "<p>Dear reader, the grid was under load in the night.</p>"

    mail = parse_mail(letter(html=lead + sections(linked=4) + FOOTER))

    assert titles(mail) == ["Your morning grid", *STORIES]
    assert mail.entries[0].text == (
        "Dear reader, the grid was under load in the night.\nGrid Ltd, 5 Main Street"
    )


def test_ways_to_read_on_are_no_stories_though_each_has_its_own_address() -> None:
    rows = "".join(
        f"<p>{link(n, title)}</p><p>{body}</p><p>{link(n + 90, 'Den ganzen Artikel lesen')}</p>"
        for n, (title, body) in enumerate(STORIES.items())
    )

    mail = parse_mail(letter(html=rows + FOOTER))

    assert titles(mail) == list(STORIES)
    assert "ganzen" not in mail.entries[0].text


def test_two_places_that_lead_to_one_story_are_one_item() -> None:
    contents = "".join(f"<p>{link(n, title)}</p>" for n, title in enumerate(STORIES))
    rows = "".join(
        f"<h2>{link(n, title)}</h2><p>{body}</p>" for n, (title, body) in enumerate(STORIES.items())
    )

    assert titles(parse_mail(letter(html=contents + rows))) == list(STORIES)


@pytest.mark.parametrize(
    "html",
    [
        newsletter(),
        digest() + FOOTER,
        sections(linked=3) + FOOTER,
        sections(linked=2),
        f"<p>Hello.</p>{digest()}{sections(linked=4)}{FOOTER}",
        "".join(f"<h2>{link(n, f'Ship {n} is here')}</h2><p>{TEASER}</p>" for n in range(80)),
        "".join(f"<h2>{link(0, title)}</h2><p>{body}</p>" for title, body in STORIES.items()),
        f"{sections(linked=3)}<p>Sponsored, see the privacy policy.</p><p>{TEASER}</p>{digest()}",
    ],
)
def test_no_word_of_a_letter_is_lost(html: str) -> None:
    missing, total = lost(letter(html=html))

    assert not missing
    assert total > 20


BLOCKS = [
    "<h2>{name}</h2>",
    "<h2>{title}</h2><p>{body}</p>",
    "<h3>{link}</h3><p>{body}</p>",
    "<p>{link}</p><p>{body}</p><p><a href='https://grid.example/{n}'>Read on</a></p>",
    "<p>{link}</p>",
    "<ul><li>{link} ({name})</li><li>{link}: {body}</li></ul>",
    "<p><b>{title}.</b> {body}</p><p><a href='https://grid.example/{n}'>{name}</a></p>",
    "<p>{body}</p><p>{title}</p>",
    "<p>{body} Our privacy policy has changed, as {link} says. {body} {body} {body}</p>",
]


def at_random(chance: random.Random, *, least: int) -> bytes:
    """A letter of so many blocks or more."""
    blocks = [
        chance.choice(BLOCKS).format(
            n=chance.randrange(20),
            name=f"Name{number}",
            title=(title := f"Ship {number} has come to the harbour"),
            link=link(chance.randrange(20), title),
            body=f"{TEASER} It was number {number}.",
        )
        for number in range(chance.randint(least, 25))
    ]
    return letter(html="".join(blocks) + chance.choice(["", FOOTER]))


@pytest.mark.parametrize("seed", range(100))
def test_no_word_of_a_letter_built_at_random_is_lost(seed: int) -> None:
    missing, _ = lost(at_random(random.Random(seed), least=3))

    assert not missing


@pytest.mark.parametrize("name", ["mail-mikel", "mail-spamassassin"])
def test_no_word_of_a_collected_letter_is_lost(corpus: Corpus, name: str) -> None:
    found = {path: lost(body) for path, body in corpus(name).items() if parse_mail(body).entries}

    total = sum(number for _, number in found.values())
    missing = {path: words for path, (words, _) in found.items() if words}
    print(f"{name}: {total} words in {len(found)} letters, lost: {missing}")
    assert missing == {}
    assert total > 4_000
