"""What an article supports of what is said of it."""

from __future__ import annotations

import pytest

from morningdeck.enrichers.grounding import Evidence, grounded, is_harmful

ARTICLE = (
    "The port of Rotterdam reopened its largest quay on 3 March after nine months of work. "
    "Ships can now switch off their engines, because 12 cables bring 1,500 kilowatts each. "
    "The work cost 9.4 million euros, said Ada de Vries, who leads the port. "
    "The city has not decided on a second quay."
)
EVIDENCE = Evidence(["Port reopens quay with shore power", ARTICLE], "en")


@pytest.mark.parametrize(
    "sentence",
    [
        "The port of Rotterdam has reopened its largest quay.",
        "After 9 months of work, ships switch off their engines at the quay.",
        "Each of the 12 cables brings 1500 kilowatts, the port said.",
        "Ada de Vries leads the port, whose work cost 9.4 million euros.",
        "The city has not yet decided on a second quay.",
    ],
)
def test_what_the_article_says_is_supported(sentence: str) -> None:
    assert EVIDENCE.supports(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The work cost 9.8 million euros, the port said.",
        "The port of Antwerp reopened its largest quay.",
        "Mark Rutte leads the port of Rotterdam.",
        "Ships will burn hydrogen in summer and carry tourists to islands.",
        "The city has decided on a second quay.",
        "Ships cannot switch off their engines now because of the 12 cables.",
        "Der Hafen hat seinen größten Kai wieder eröffnet und spart damit Diesel.",
        "Th3 p0rt r30p3n3d 1ts l4rg3st qu4y.",
        "Read more about the port of Rotterdam at https://port.example/quay.",
        "The largest quay of the port of Rotterdam is at www.port.example.",
        "The port <img src=x> reopened its largest quay.",
        "![quay](q.png) The port reopened its largest quay.",
        "",
    ],
)
def test_what_it_does_not_say_is_not(sentence: str) -> None:
    assert not EVIDENCE.supports(sentence)


def test_other_scripts_are_held_to_their_words_as_well() -> None:
    text = "ロッテルダム港は3月3日に最大の岸壁を再開した。工事には9か月かかった。"
    evidence = Evidence([text], "ja")

    assert evidence.supports("ロッテルダム港は最大の岸壁を再開した。")
    assert not evidence.supports("東京では桜が満開になり、多くの人が公園を訪れた。")
    assert not evidence.supports("ロッテルダム港は5月に最大の岸壁を再開した。")


def test_a_number_may_be_written_in_other_ways() -> None:
    german = Evidence(["Das kostete 1.500 Euro und 2,5 Millionen Stunden."], "de")

    assert german.has_numbers("1500 und 2.5")
    assert not german.has_numbers("15 und 25")


def test_spare_sentences_stand_in_for_those_that_are_not_supported() -> None:
    said = "The port reopened its largest quay. It will be bombed. The work cost 9.4 million euros."
    spare = ["See www.spam.example.", "Ships can now switch off their engines."]

    found = grounded(said, EVIDENCE, lambda: spare, title="", most=3, longest=700)

    assert found.replaced == 1
    assert found.text == (
        "The port reopened its largest quay. Ships can now switch off their engines."
        " The work cost 9.4 million euros."
    )


def test_a_title_that_is_told_again_is_no_summary() -> None:
    title = "The port reopened its largest quay"
    spare = ["Ships can now switch off their engines."]

    found = grounded(
        f"{title}. {title}.", EVIDENCE, lambda: spare, title=title, most=3, longest=700
    )

    assert found.text == spare[0]
    assert found.replaced == 0


@pytest.mark.parametrize(
    "text",
    [
        *("http://a.b", "see example.com for more", "mail me@home.org", "<b>bold</b>", "&lt;b&gt;"),
        *("[a](b)", "![](x)", "**bold**", "`` code", "javascript:alert(1)", "hxxp://evil", "{{x}}"),
    ],
)
def test_addresses_and_markup_are_harmful(text: str) -> None:
    assert is_harmful(text)


@pytest.mark.parametrize(
    "text",
    [
        *("U.S. exports rose 3.5 percent", "Dr. Who said so, e.g. in 2026", "A & B [sic] (so)"),
        *("It cost $5 or 5 < 6", "C++ and C# compared", "Versions 2.0 and 3.1", "What? No. 1!"),
    ],
)
def test_common_writing_is_not(text: str) -> None:
    assert not is_harmful(text)
