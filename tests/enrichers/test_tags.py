"""Topics, names, category, intent and sentiment of an article."""

from __future__ import annotations

import pytest

from morningdeck.enrichers.offline import OfflineEnricher
from morningdeck.model.making import Article, Enrichment

STORAGE = Article(
    title="Grid storage auction ends at a record low price",
    text="""\
Grid operator Nordgate has awarded contracts for grid storage at a record low price.
The grid storage auction drew 41 bids, said Nordgate's head of procurement, Ilya Fenn.
Tesla Inc. and Norrvind Energy won most of the contracts on Tuesday.
President Maria Lopez praised the result. Lopez said the batteries run on lithium-ion cells.
Fenn said that a second auction will follow. The software was written in Python and Rust.
""",
    source_topics=("Energy", "storage"),
)


@pytest.fixture(scope="module")
def storage(enricher: OfflineEnricher) -> Enrichment:
    return enricher.enrich(STORAGE, [])


def test_topics_are_few_and_readable(storage: Enrichment) -> None:
    topics = storage.tags.topics

    assert 3 <= len(topics) <= 6
    assert any("auction" in topic for topic in topics)
    assert all(topic == topic.lower() for topic in topics)
    assert not {"said", "tuesday", "41", "follow"} & set(" ".join(topics).split())


def test_a_source_topic_that_fits_comes_first(storage: Enrichment) -> None:
    assert storage.tags.topics[0] == "energy"
    assert "storage" in " ".join(storage.tags.topics)


def test_each_person_is_named_once_and_in_full(storage: Enrichment) -> None:
    assert set(storage.tags.people) == {"Maria Lopez", "Ilya Fenn"}


def test_companies_are_known_by_name_or_legal_form(storage: Enrichment) -> None:
    assert set(storage.tags.companies) == {"Tesla", "Norrvind Energy"}


def test_technologies_are_found_by_name(storage: Enrichment) -> None:
    assert set(storage.tags.technologies) == {"lithium-ion", "Python", "Rust"}


def test_german_nouns_are_nobody(enricher: OfflineEnricher) -> None:
    text = (
        "Die Deutsche Bahn sagte am Montag, der Neue Fahrplan gelte ab Dezember. "
        "Bundeskanzler Friedrich Merz begrüßte den Plan. Merz' Sprecherin Julia Weber sagte, "
        "das Große Ziel sei die Pünktlichkeit."
    )

    tags = enricher.enrich(Article("Bahn: Neuer Fahrplan", text), []).tags

    assert set(tags.people) == {"Friedrich Merz", "Julia Weber"}
    assert tags.companies == ("Deutsche Bahn",)


def test_who_tells_an_article_is_not_what_it_is_about(enricher: OfflineEnricher) -> None:
    text = (
        "The Verge has learned that Nordgate will sell its batteries. Ida Moss reports from Emden. "
        "Batteries of Nordgate are in most ships, The Verge found. Ida Moss asked for the price."
    )
    article = Article(
        "Nordgate sells its batteries", text, author="By Ida Moss", source_title="The Verge - News"
    )

    tags = enricher.enrich(article, []).tags

    assert tags.people == ()
    assert "verge" not in " ".join(tags.topics)
    assert {"nordgate", "batteries"} <= set(tags.topics)


def test_common_words_are_no_topics(enricher: OfflineEnricher) -> None:
    text = (
        "In the third quarter the table lost its legs, and in the next quarter http and click. "
        "Its legs were sold in the quarter, so click on http for legs in January and on Monday. "
    )

    assert enricher.enrich(Article("Quarter of the legs: click http", text), []).tags.topics == ()


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Koncesjonowana opozycja", "Jednak opozycja będzie jeszcze jednak opozycja. " * 4),
        ("日本銀行が利上げ", "日本銀行は利上げを決めた。日本銀行は物価を見る。"),
        ("ธนาคารกลาง", "ธนาคารกลางขึ้นดอกเบี้ย ธนาคารกลางขึ้นดอกเบี้ย"),
    ],
)
def test_where_filler_words_are_unknown_nothing_is_guessed(
    enricher: OfflineEnricher, title: str, text: str
) -> None:
    assert enricher.enrich(Article(title, text), []).tags.topics == ()


def test_a_word_of_many_meanings_is_technical_beside_another(enricher: OfflineEnricher) -> None:
    island = Article("Rain on Java", "It rained on Java. The windows were closed.")
    language = Article("Java 26", "The new Java starts faster on Linux.")

    assert enricher.enrich(island, []).tags.technologies == ()
    assert set(enricher.enrich(language, []).tags.technologies) == {"Java", "Linux"}


def test_a_company_is_not_the_person_who_is_named_like_it(enricher: OfflineEnricher) -> None:
    text = (
        "Doug Ford met the owners of Ferrari. They spoke of Renewable Energy and renewable fuels."
    )

    tags = enricher.enrich(Article("Talks", text), []).tags

    assert tags.people == ("Doug Ford",)
    assert tags.companies == ("Ferrari",)


def test_people_are_named_without_their_titles(enricher: OfflineEnricher) -> None:
    text = (
        "Prime Minister Keir Starmer met Prof. Dr. Caja Thimm. Stephen King wrote about it. "
        "The General Agreement was signed at the Anna Freud School of Isuzu Motors India."
    )

    people = enricher.enrich(Article("Visit", text), []).tags.people

    assert set(people) == {"Keir Starmer", "Caja Thimm", "Stephen King"}


@pytest.mark.parametrize(
    ("title", "text", "category"),
    [
        ("Parliament votes on budget", "The minister lost the vote in parliament.", "politics"),
        ("Shares fall", "Investors sold stocks as inflation and bank rates rose.", "business"),
        ("Verstappen wins", "The driver won the race and leads the championship.", "sports"),
        ("New Game of Thrones season 4 trailer", "", "other"),
        ("New vaccine", "Doctors gave patients the vaccine against the virus.", "health"),
        (
            "Kabinett tagt",
            "Die Regierung und der Kanzler beraten das Gesetz im Bundestag.",
            "politics",
        ),
        (
            "Câmara vota",
            "O governo e os deputados discutem a lei no parlamento antes das eleições.",
            "politics",
        ),
        ("El partido", "El jugador marcó un gol y el equipo ganó la liga.", "sports"),
        ("La borsa", "Le azioni in borsa salgono e l'impresa raddoppia gli utili.", "business"),
        ("De ploeg", "De speler scoorde een doelpunt in de wedstrijd voor zijn ploeg.", "sports"),
        ("Le match", "L'équipe a marqué et son joueur offre la victoire à l'entraîneur.", "sports"),
        ("Something", "Nothing in here says anything about its kind.", "other"),
    ],
)
def test_the_category_follows_the_words(
    enricher: OfflineEnricher, title: str, text: str, category: str
) -> None:
    assert enricher.enrich(Article(title, text), []).category == category


@pytest.mark.parametrize(
    ("title", "intent"),
    [
        ("How to repair a bicycle tube", "how-to"),
        ("Review: the new folding bicycle", "review"),
        ("Opinion: cities should belong to cyclists", "opinion"),
        ("Why cycling is growing in Paris", "analysis"),
        ("Brompton unveils an electric bicycle", "announcement"),
        ("TernDB 4.2", "announcement"),
        ("Cyclist hurt in collision", "news"),
        ("", "news"),
    ],
)
def test_the_headline_gives_the_intent_away(
    enricher: OfflineEnricher, title: str, intent: str
) -> None:
    assert enricher.enrich(Article(title, "A text."), []).intent == intent


@pytest.mark.parametrize(
    ("title", "sentiment"),
    [
        ("Rescued crew celebrates wonderful success", "positive"),
        ("Dozens killed in violent attack", "negative"),
        ("Committee meets on Thursday", "neutral"),
        ("Die Stadt und die Schule und die Brücke", "neutral"),
        ("Viele Tote und Opfer nach Angriff", "negative"),
        ("Ataque na cidade deixa três mortos e dezenas de feridos", "negative"),
        ("Vitória e sucesso: equipa feliz", "positive"),
    ],
)
def test_the_tone_is_neutral_unless_words_outweigh(
    enricher: OfflineEnricher, title: str, sentiment: str
) -> None:
    assert enricher.enrich(Article(title, ""), []).tags.sentiment == sentiment
