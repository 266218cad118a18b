"""Where sentences end, in the languages that are read."""

from __future__ import annotations

import pytest

from morningdeck.enrichers.sentences import sentences


def test_lines_that_were_broken_at_one_width_are_whole_again() -> None:
    text = (
        "The port of Emden reopened its largest quay on\nTuesday, after a year of work that cost\n"
        "nine million euros. Ships can now switch off\ntheir engines while they lie there.\n"
    )

    assert sentences(text) == [
        "The port of Emden reopened its largest quay on Tuesday, after a year of work that cost"
        " nine million euros.",
        "Ships can now switch off their engines while they lie there.",
    ]


@pytest.mark.parametrize(
    ("language", "text", "count"),
    [
        ("en", "Dr. Smith met J. R. Jones in the U.S. Senate. It was late.", 2),
        ("en", "He lives in the U.S. The firm, Foo Inc. Bar, closes at 5 p.m. It is new.", 3),
        ("en", "He is 42. She is not. No. 5 is alive.", 3),
        ("de", "Am 3. Mai kam Frau Dr. Weber z.B. nach Wien. Es regnete.", 2),
        ("es", "¿Quién ganó? Nadie lo sabe. ¡Increíble!", 3),
        ("it", "È finita. Il sig. Rossi, 42 anni, ha vinto 3.5 milioni.", 2),
        ("fr", "M. Martin a dit «\xa0Non.\xa0» Puis il est parti à l'est. Il dort.", 3),
        ("nl", "Dhr. Jansen kwam o.a. naar dr. De Vries. Het was laat.", 2),
        ("pt", "O Sr. Silva chegou às 15h. A sra. Costa, não.", 2),
        ("ru", "Об этом сообщил г. Иванов. Это важно, т.е. нужно.", 2),
        ("ar", "قال الرئيس إنه سيسافر. هل سيعود؟ نعم سيعود.", 3),
        ("ko", "정부는 발표했다. 그러나 반대가 있다.", 2),
        ("ja", "地震が発生しました。「津波の心配はありません。」と述べた。", 2),
        ("zh", "他说：“我们走吧。”然后离开了。第二天下雨。", 3),
        ("hi", "यह एक वाक्य है। यह दूसरा है।", 2),
        ("de", "Das sagte die Bahn.In dieser Folge fuhr Node.js nach example.com weiter.", 2),
        ("en", "no stop at all", 1),
        ("en", "", 0),
    ],
)
def test_abbreviations_and_numbers_end_no_sentence(language: str, text: str, count: int) -> None:
    assert len(sentences(text, language)) == count
