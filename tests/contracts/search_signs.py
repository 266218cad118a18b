"""The port `SearchIndex`: phrases, and the signs in words, mean the same in every index."""

from __future__ import annotations

import pytest

from tests.contracts.search_language import Library, WithLibrary


class SearchSigns(WithLibrary):
    @pytest.mark.parametrize(
        ("title", "phrase"),
        [
            ("한국 경제 성장 전망", "경제 성장"),
            ("東京、大阪 と 京都", "大阪 と 京都"),
            ("Neue Straße nach Łódź", "Straße nach Łódź"),
            ("Ny vej i København og på Ærø", "i København og på Ærø"),
            ("Москва и Ёлка сегодня", "и ёлка"),
            ("Cold in St. Petersburg, U.S. Navy says", "St. Petersburg, U.S. Navy"),
            ("Ship sinks! Crew safe; 20°C", "sinks crew safe 20"),
        ],
    )
    def test_a_phrase_is_found_as_it_stands(
        self, library: Library, title: str, phrase: str
    ) -> None:
        item, _other = library.item(title), library.item("Harbour opens")

        assert library.found(f'"{phrase}"') == library.found(f'title:"{title}"') == [item]
        assert item not in library.found(f'-"{phrase}"')

    def test_a_phrase_of_two_scripts_is_found_only_as_it_stands(self, library: Library) -> None:
        item, _other = library.item("新型 iPhone 発売"), library.item("発売中の iPhone")

        assert library.found('"iPhone 発売"') == library.found('"新型 iphone"') == [item]

    def test_signs_that_are_part_of_no_word_hide_none(self, library: Library) -> None:
        item = library.item("Costs $5 billion", "The €700 bill; at 30°C, says Yahoo!")

        for text in ("5 ", "$5", '"5 billion"', "700 ", "€700", "30°C", '"bill at 30°c"', "yahoo "):
            assert library.found(text) == [item], text
        assert "<mark>" in (shown := library.search("bill says yahoo").hits[0].highlight)
        assert "€700" in shown
        assert "30°C, " in shown

    def test_an_emoji_parts_the_words_that_it_stands_at(self, library: Library) -> None:
        item, _other = library.item("Lift🚀off", "🎉party at the 🏝beach🏝"), library.item("Sea")

        for text in ("lift ", "off ", "🚀", "party ", "beach ", '"at the"', "-sea lift"):
            assert library.found(text) == [item], text
        assert library.found("-lift") == library.found("-party ") == [_other]
        assert "Lift🚀" in library.search("party off").hits[0].highlight.replace("<mark>", "")

    def test_a_number_is_found_beside_a_script_without_spaces(self, library: Library) -> None:
        item = library.item("价格8999元", "2026年11月20日的消息 1200億円", language="zh")
        other = library.item("งบประมาณปี2571", language="th")

        for text in ("8999 ", "8999元", "2026年", '"2026"', "1200億円", "11月20日"):
            assert library.found(text) == [item], text
        assert library.found("2571 ") == library.found("ปี2571") == [other]
        assert library.found("-8999") == [other]

    def test_a_name_is_not_met_by_its_stem_in_another_language(self, library: Library) -> None:
        ann, anna = (library.item(f"By {name}", author=f"{name} Lee") for name in ("Ann", "Anna"))

        assert library.found("author:anna ") == library.found("-author:ann") == [anna]
        assert library.found("-author:anna author:lee") == [ann]

    def test_a_topic_is_found_by_its_words_whatever_signs_it_has(self, library: Library) -> None:
        item = library.item("Harbour", tags={"topics": ["$5 bills", "Sea★ports"]})
        library.item("Other")

        for text in ("5 ", "$5", '"5 bills"', "ports ", "topic:$5", 'topic:"5 bills"'):
            assert library.found(text) == [item], text
        assert "$5 bills" in library.search("harbour").facets["topics"]

    def test_a_phrase_of_accented_words_is_not_met_by_one_of_them(self, library: Library) -> None:
        phrase = library.item("Häuser am Hafen", language="de")
        alone = library.item("Das Haus", language="de")

        assert library.found('"häuser am hafen"') == [phrase]
        assert library.found('-"häuser am hafen"') == [alone]

    def test_signs_of_a_word_count(self, library: Library) -> None:
        plus, sharp = library.item("C++ is old"), library.item("C# is younger")
        letter, and_so = library.item("Plan C is at T"), library.item("AT&T and R&D, .NET, #3")

        assert library.found("C++ ") == [plus]
        assert library.found("c# ") == [sharp]
        assert library.found("c ") == [plus, sharp, letter]
        assert library.found("AT&T ") == library.found(".net ") == library.found("#3 ") == [and_so]
        assert library.found("#4") == []

    def test_a_word_in_quotation_marks_is_none_of_its_forms(self, library: Library) -> None:
        one, many = library.item("A ship", language="en"), library.item("Ships", language="en")

        assert library.found("ship ") == library.found("title:ship ") == [one, many]
        assert library.found('"ship"') == library.found('title:"ship"') == [one]
        assert library.found('-"ship"') == [many]
