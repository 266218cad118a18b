"""Scores against a reader's criteria, and the reasons given for them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from morningdeck.enrichers.criteria import phrases_of
from morningdeck.enrichers.embedding import DIMENSIONS, WordEmbedder
from morningdeck.enrichers.offline import OfflineEnricher
from morningdeck.enrichers.wishes import alternatives, wish_of
from morningdeck.model.making import Article, Criteria, Score

Scorer = Callable[[Article, str], Score]

WIND = Article(
    title="Britain approves two offshore wind farms",
    text="The farms in the North Sea will power two million homes. Each has 74 turbines. "
    "A cable of 71 kilometres carries the electricity ashore. Critics doubt the price.",
)
CUP = Article(
    title="Ribera win the cup with a goal in the last minute",
    text="The striker scored in front of 40,000 fans. The coach praised his players and the "
    "whole team after the final. It is the first trophy of the season for the club.",
)
MOON = Article(
    title="Halcyon-2 lands upright near the lunar pole",
    text="The lander touched down this morning after a flight of nine days. Its seismometer "
    "will listen to the Moon for two weeks. The agency plans a second spacecraft.",
)


def test_a_wish_met_in_the_title_is_on_topic(score: Scorer) -> None:
    found = score(WIND, "Offshore wind and grid storage")

    assert found.value >= 60
    assert found.reason == "matches 'offshore wind' in the title"
    assert found.by == "offline"


def test_an_article_about_something_else_is_off_topic(score: Scorer) -> None:
    found = score(CUP, "Offshore wind and grid storage")

    assert found.value <= 25
    assert found.reason == "off topic: nothing about 'offshore wind' or 'grid storage'"


def test_other_words_for_the_same_thing_count_by_their_meaning(score: Scorer) -> None:
    found = score(MOON, "space missions and astronomy")

    assert found.value >= 35
    assert score(CUP, "space missions and astronomy").value <= 15


def test_plurals_and_endings_do_not_matter(score: Scorer) -> None:
    assert score(WIND, "a farm").reason == "matches 'farm' in the title"
    assert score(WIND, "homes and a turbine").reason == "mentions 'homes' and 'turbine' in the lead"


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        ("Er kommt natürlich aus Köln, und die Band spielt heute in Bonn.", "Natur"),
        ("He naturally comes from Leeds, and the band plays in York tonight.", "Nature"),
    ],
)
def test_what_goes_without_saying_is_no_word_of_nature(score: Scorer, said: str, wish: str) -> None:
    interview = Article(title="The singer" if wish == "Nature" else "Der Sänger", text=said * 3)

    assert score(interview, wish).value < 40


def test_one_wish_of_many_is_enough(score: Scorer) -> None:
    criteria = "Chess. Medieval music. Cheese making! Also offshore wind; and Esperanto."

    assert score(WIND, criteria).value >= 60


@pytest.mark.parametrize("article", [WIND, MOON])
def test_each_of_subjects_that_have_nothing_in_common_is_all_that_was_asked_for(
    score: Scorer, article: Article
) -> None:
    listed = score(article, "Offshore wind, lunar landers and football. No horses")

    alone = {WIND: "Offshore wind", MOON: "lunar landers"}[article]
    assert listed.value == score(article, alone).value >= 60
    assert listed.reason == score(article, alone).reason


@pytest.mark.parametrize(
    "wish",
    [
        "Smartphones, apps and the companies behind them",
        "Smartphones, Apps und die Companies dahinter",
        "Smartphones, apps et leurs companies",
    ],
)
def test_what_leans_on_the_rest_of_a_list_is_no_wish_of_its_own(score: Scorer, wish: str) -> None:
    merger = Article("Two fruit traders merge to create the world's largest banana company", "")

    assert score(merger, wish).value < 40
    assert phrases_of(wish).listed == ()


def test_what_a_reader_wants_to_be_spared_holds_for_each_of_several_subjects(score: Scorer) -> None:
    listed = "Offshore wind, lunar landers and football"

    assert score(CUP, f"{listed}. No goals").value < score(CUP, listed).value / 2


@pytest.mark.parametrize(
    "criteria",
    [
        "Anything from Ribera, but no sports",
        "Ribera. I am not interested in football.",
        "Ribera news, except cup finals and goals",
        "Ribera, aber kein Sport",
        "Ribera, mais pas de sport",
    ],
)
def test_what_a_reader_wants_to_be_spared_pulls_the_score_down(
    score: Scorer, criteria: str
) -> None:
    found = score(CUP, criteria)

    assert found.value <= 30
    assert found.value < score(CUP, "Ribera").value / 2
    assert found.reason.startswith("you asked for nothing about")


def test_who_wants_no_celebrity_news_still_gets_museums(score: Scorer) -> None:
    criteria = "Culture, museums and music. Not interested in celebrity news."
    gossip = Article("Actress and singer splits from husband after music awards", "")
    museum = Article("Museum shows paintings of a forgotten artist", "")

    assert score(gossip, criteria).value <= 25
    assert score(museum, criteria).value >= 60


def test_being_spared_one_thing_does_not_hurt_the_rest(score: Scorer) -> None:
    alone = score(WIND, "Offshore wind")
    spared = score(WIND, "Offshore wind. No sports, not interested in celebrity news.")

    assert spared.value == alone.value


def test_a_reader_who_only_wants_to_be_spared_gets_everything_else(score: Scorer) -> None:
    assert score(WIND, "Everything except sports").value >= 50
    assert score(CUP, "Everything except sports").value <= 25


@pytest.mark.parametrize("criteria", ["", "everything", "news, please", "🎉"])
def test_criteria_that_name_no_subject_weigh_all_the_same(score: Scorer, criteria: str) -> None:
    assert score(WIND, criteria).value == score(CUP, criteria).value == 50


def test_names_are_found_across_languages(score: Scorer) -> None:
    german = Article("Windpark Skerry Bank liefert ersten Strom", "Norrvind hat den Park gebaut.")

    assert score(german, "news on Skerry Bank and Norrvind").value >= 60


def test_scores_of_many_articles_are_spread(score: Scorer) -> None:
    values = [
        score(article, criteria).value
        for article in (WIND, CUP, MOON)
        for criteria in ("wind power", "football", "the Moon", "electricity cables", "coaches")
    ]

    assert len(set(values)) >= 9
    assert all(0 <= value <= 100 for value in values)


def test_criteria_are_read_as_wanted_and_unwanted_phrases() -> None:
    asked = phrases_of("Offshore wind and grid storage, also ports. No sports or celebrity news.")

    assert asked.wanted == (("offshore", "wind"), ("grid", "storage"), ("ports",))
    assert asked.unwanted == (("sports",), ("celebrity",))


def test_a_but_turns_the_wish_around_again() -> None:
    asked = phrases_of("I like cycling, not football, but chess is fine")

    assert ("cycling",) in asked.wanted
    assert ("football",) in asked.unwanted
    assert ("chess",) in asked.wanted


@pytest.mark.parametrize(
    "criteria",
    ["not only football", "I don't want to miss any football", "football, no matter who"],
)
def test_some_negations_refuse_nothing(criteria: str) -> None:
    assert ("football",) in phrases_of(criteria).wanted
    assert phrases_of(criteria).unwanted == ()


@pytest.mark.parametrize(
    ("criteria", "language", "reason"),
    [
        ("Die Politik vor den Wahlen", "de", "„Politik“ und „Wahlen“ im Titel"),
        ("Wahlen und Fußball", "de", "„Wahlen“ im Titel"),
        ("Something about Wahlen", "en", "matches 'Wahlen' in the title"),
        ("Politik", "fr", "« politik » dans le titre"),
        ("Edward Snowden and others", "en", "mentions 'Edward Snowden' in the lead"),
    ],
)
def test_a_reason_quotes_the_wish_as_it_is_written(
    enricher: OfflineEnricher, criteria: str, language: str, reason: str
) -> None:
    article = Article(
        "Die Wahlen entscheiden über die Politik", "Gewählt wird, sagt Edward Snowden."
    )
    asked = Criteria(briefing_id=1, version=1, text=criteria, language=language)

    assert enricher.score(article, [asked])[0].reason == reason


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ("Stocks and interest rates", {"stocks", "interest", "rates"}),
        ("I have an interest in trams", {"trams"}),
        ("My interests are trams", {"trams"}),
    ],
)
def test_a_reader_s_interest_is_no_rate_of_interest(wish: str, words: set[str]) -> None:
    assert {word for phrase in phrases_of(wish).wanted for word in phrase} == words


def test_no_word_of_a_wish_weighs_less_by_a_language_that_the_vectors_hardly_know(
    embedder: WordEmbedder,
) -> None:
    wish = wish_of("Netzpolitik, Datenschutz und die Überwachung", embedder, DIMENSIONS)

    assert min(wish.parts[0].weights.values()) >= 0.5


@pytest.mark.parametrize(
    ("wish", "listed"),
    [
        ("Gold, shipping and jobs", 3),
        ("Politics and the economy in France", 0),
        ("Politik, Wirtschaft und Kultur in der Schweiz", 0),
        ("La politique et l'économie en France", 0),
    ],
)
def test_what_is_listed_of_a_place_is_no_wish_without_it(wish: str, listed: int) -> None:
    assert len(phrases_of(wish).listed) == listed


def test_a_part_of_a_wish_is_in_the_language_of_the_whole(embedder: WordEmbedder) -> None:
    wish = wish_of("La politique, la musique et les trains", embedder, DIMENSIONS)
    (first, *_) = alternatives(wish, embedder, DIMENSIONS)

    assert first.asked.wanted == (("politique",),)
