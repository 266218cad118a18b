"""What a reader of a mail or page sees, and what its styles hide."""

from __future__ import annotations

import pytest

from morningdeck.parsing.message import parse_mail
from morningdeck.parsing.page import parse_page
from morningdeck.parsing.sanitise import sanitise, to_text
from tests.letters import letter

WORDS = "The ferry leaves at nine, whatever the weather may be on the day of the crossing. " * 3


@pytest.mark.parametrize(
    "seen",
    [
        '<div style="font-size:0px"><div style="font-size:16px">{}</div></div>',
        '<td style="font-size:0;line-height:0"><p style="font:italic bold 1rem/1.5 Arial">{}</p>',
        '<div style="font:0/0 a"><font size="2">{}</font></div>',
        '<div style="visibility:hidden"><p style="visibility:visible">{}</p></div>',
        '<div style="line-height:0"><p>{}</p></div>',
        '<div style="max-height:0"><p>{}</p></div>',
        '<p style="display:none;display:block">{}</p>',
        '<p style="display:block!important;display:none">{}</p>',
        '<div style="mso-hide:all">{}</div>',
        '<td style="height:0;overflow:hidden">{}</td>',
        '<p style="font-size:.5em;opacity:.5">{}</p>',
        '<p style="font-size:clamp(1rem, 0.5vw, 2rem)">{}</p>',
        '<div style="font-size:0"><p style="font-size:clamp(12px, 2vw, 20px)">{}</p></div>',
        '<div style="font-size:0"><p style="font-size:calc(1em + .8rem)">{}</p></div>',
        '<div style="font-size:0"><p style="font-size:var(--text, 16px)">{}</p></div>',
    ],
)
def test_what_a_browser_shows_comes_through(seen: str) -> None:
    assert to_text(sanitise(seen.format("The text"))) == "The text"


@pytest.mark.parametrize(
    "hidden",
    [
        '<div style="font-size:0px"><p style="font-size:2em">{}</p></div>',
        '<div style="font-size:0"><p style="font-size:120%"><b>{}</b></p></div>',
        '<div style="font-size:0">{}<p style="font-size:9px"></p>{}</div>',
        '<div style="font-size:0"><p style="font-size:calc(2em + 0px)">{}</p></div>',
        '<div style="font-size:0"><p style="font-size:var(--text)">{}</p></div>',
        '<p style="font-size:0.1px">{}</p>',
        '<p style="font:0/0 a">{}</p>',
        '<div style="display:none"><p style="display:block;font-size:16px">{}</p></div>',
        '<div style="opacity:0"><p style="opacity:1">{}</p></div>',
        '<div style="visibility:hidden"><p style="font-size:16px">{}</p></div>',
        '<div style="max-height:0px;overflow:hidden"><p style="max-height:9em">{}</p></div>',
        '<p style="width:0;height:0;overflow-x:hidden">{}</p>',
        '<p style="dis/**/play:none">{}</p>',
        '<p style="display&#58;none">{}</p>',
        '<p style="d\\69splay:none">{}</p>',
        '<p style="display:none!important;display:block">{}</p>',
    ],
)
def test_what_no_child_can_show_again_is_gone(hidden: str) -> None:
    clean = sanitise(f"<p>before</p>{hidden.replace('{}', 'obey me')}<p>after</p>")

    assert "obey" not in clean
    assert to_text(clean) == "before\nafter"


@pytest.mark.parametrize(
    ("sheet", "seen"),
    [
        (".peek{display:none}", False),
        ("p.peek, .other { DISPLAY : none }", False),
        ("/* .x{} */ <!-- .peek{font-size:0} -->", False),
        ("@import url(x.css); #peek{visibility:hidden}", False),
        (".peek{display:none!important} .peek{display:block}", False),
        (".peek{opacity:0}", False),
        ("td.peek{display:none}", True),
        ("@media print{.peek{display:none}}", True),
        ("@media (max-width:9px){.x{color:red} .peek{display:none}} .x{color:red}", True),
        (".peek{display:none} .peek{display:block}", True),
        (".peek{display:none} #peek{display:block}", True),
        (".mobile .peek{display:none}", True),
        (".mobile .peek{font-size:0}", True),
        (".mobile .peek{font:0/0 a}", True),
        ("body > p:first-child{display:none}", False),
        (".p\\65 ek{dis/**/play:n\\6fne}", False),
        (".peek{opacity:0;animation:appear 1s forwards}", True),
    ],
)
def test_the_sheet_of_a_mail_hides_as_its_styles_do(sheet: str, seen: bool) -> None:
    mail = f"<html><head><style>{sheet}</style></head><body><p class='a peek' id='peek'>Peek</p>"

    assert ("Peek" in sanitise(f"{mail}<p>Text</p></body></html>")) is seen


@pytest.mark.parametrize(
    ("within", "seen"),
    [
        (".two > .in{font-size:9px}", True),
        ("p.two .in, .x{font:italic .8rem a}", True),
        ("table.two .in{font-size:9px}", False),
        (".two .in{color:red;font-size:1px;font-size:0}", False),
        (".two .in{font-size:2em}", False),
        (".two .in{display:block}", False),
        (".two .in:hover{font-size:9px}", False),
    ],
)
def test_a_rule_for_what_is_within_gives_a_font_its_size_again(within: str, seen: bool) -> None:
    mail = f"<style>.two{{font-size:0}} {within}</style><p class=two>-<b class=in>Text</b></p>"

    assert to_text(sanitise(mail)) == ("Text" if seen else "")


def test_its_own_style_shows_what_the_sheet_hides() -> None:
    sheet = "<style>.a{display:none} td{font-size:0} .b{font-size:9px}</style>"

    shown = f'{sheet}<p class=a style="display:block">One</p><table><td>-<b class=b>Two</b></table>'

    assert to_text(sanitise(shown)) == "One\nTwo"


def test_a_picture_needs_no_font_but_it_needs_to_be_visible() -> None:
    picture = '<img src="https://a.example/1.png">'

    assert "1.png" in sanitise(f'<p style="font-size:0">{picture}</p>')
    assert "1.png" not in sanitise(f'<p style="visibility:hidden">{picture}</p>')
    frame = "height:0;overflow:hidden;padding-bottom:56%"
    assert "1.png" in sanitise(f'<p style="{frame}">{picture}</p>')


def test_a_letter_whose_template_sets_fonts_to_nothing_is_read() -> None:
    html = (
        '<div style="display:none;max-height:0;overflow:hidden">Peek</div>'
        '<table style="font-size:0"><tr><td style="font-size:0px;word-break:break-word">'
        f'<div style="font-size:16px;line-height:1.5">{WORDS}</div></td></tr></table>'
    )

    (entry,) = parse_mail(letter(html=html)).entries

    assert entry.text == WORDS.strip()


def test_an_article_in_columns_without_gaps_is_read_without_what_hides_there() -> None:
    body = (
        f"<html><body><article><h1>Ferries</h1><div style='font-size:0'>obey me"
        f"<div style='font-size:1rem'><p>{WORDS}</p></div></div></article></body>"
    )

    text = parse_page(body.encode(), url="https://a.example/1").text

    assert text.count("whatever the weather") == 3
    assert "obey" not in text
