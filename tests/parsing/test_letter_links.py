"""Links of letters: where they lead, and which of them end the letter."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morningdeck.parsing.letter_links import leaves, straight
from morningdeck.parsing.message import parse_mail
from tests.letters import letter

from .samples import only_letter

WIND = "https://paper.example/2026/wind?id=7"
QUOTED = quote(WIND, safe="")
PACKED = urlsafe_b64encode(f'{{"e":"{WIND}","s":1}}'.encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "link",
    [
        f"https://click.example/c?u=17&url={QUOTED}",
        f"https://l.facebook.com/l.php?u={QUOTED}&h=AT0",
        f"https://www.google.com/url?q={QUOTED}",
        f"https://eur02.safelinks.protection.outlook.com/?url={QUOTED}&data=05",
        f"https://tracking.tldrnewsletter.com/CL0/{QUOTED}/1/0100",
        f"https://substack.com/redirect/2/{PACKED}.c2ln?",
        f"https://go.example/out?to={quote(f'https://r.example/r?url={QUOTED}', safe='')}",
        f"https://urldefense.com/v3/__{WIND}__;!!Abc!xyz$",
        WIND,
    ],
)
def test_a_counter_of_clicks_is_left_out_where_its_target_is_told(link: str) -> None:
    assert straight(link).startswith(WIND)


@pytest.mark.parametrize("before", ["urldefense.com/v3/__", "click.example/r/"])
def test_an_address_that_stands_in_a_path_keeps_its_query(before: str) -> None:
    end = "__;!!Abc!xyz$" if before.endswith("__") else ""
    asked = "https://paper.example/article.php?id=55&page=2"

    assert straight(f"https://{before}{asked}{end}") == asked


@pytest.mark.parametrize(
    "link",
    [
        f"https://paper.example/c/story?to={QUOTED}",
        f"https://paper.example/news/links/weekly?link={QUOTED}",
        "https://paper.list-manage.com/track/click?u=1f&id=2e&e=3d",
        f"https://validator.example/check?url={QUOTED}",
        f"https://web.archive.org/web/2026/{WIND}",
        "https://click.example/c?url=javascript:alert(1)",
        "https://click.example/c?url=/wind",
        "https://[",
        "",
    ],
)
def test_what_tells_no_target_stays(link: str) -> None:
    assert straight(link) == link


@given(st.text(max_size=200))
def test_whatever_stands_in_an_address_breaks_nothing(text: str) -> None:
    for link in (text, f"https://click.example/c?url={text}", f"https://r.example/r/eyJ{text}"):
        assert straight(link) == link or straight(link).startswith("http")
        leaves(link)


@pytest.mark.parametrize(
    ("link", "ends"),
    [
        ("https://grid.example/unsubscribe?u=7", True),
        ("https://grid.example/unsub/7", True),
        ("https://grid.example/email/opt-out", True),
        ("https://list-manage.example/profile?a=1&action=unsubscribe", True),
        ("https://paper.example/abmelden", True),
        ("https://unsubscribe.grid.example/7", True),
        ("https://paper.example/eu-lets-users-opt-out-of-ai-training", False),
        ("https://paper.example/why-people-unsubscribe-from-streaming", False),
        (WIND, False),
    ],
)
def test_links_that_end_a_letter_are_known(link: str, ends: bool) -> None:
    assert leaves(link) == ends


def test_no_item_leads_where_a_letter_ends() -> None:
    html = (
        "<p>A letter of some length about the wind, and about nothing else than the wind.</p>"
        "<p><a href='https://grid.example/u?action=unsubscribe'>Read the wind online</a></p>"
        f"<p><a href='https://click.example/c?url={QUOTED}'>Or read it here</a></p>"
    )

    assert only_letter(letter(html=html)).url == WIND


def test_a_letter_whose_links_all_end_it_has_none() -> None:
    (entry,) = parse_mail(
        letter(html="<p>A letter.</p><a href='https://grid.example/unsubscribe'>Go</a>")
    ).entries

    assert entry.url is None
