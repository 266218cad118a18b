"""What a wish learns from what was read, on small collections that can be looked through."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from morningdeck.enrichers.calibration import Belief, Evidence, calibrated
from morningdeck.enrichers.columns import columns_of
from morningdeck.enrichers.embedding import DIMENSIONS, WordEmbedder
from morningdeck.enrichers.profiles import word_keys
from morningdeck.enrichers.relevance import Relevance
from morningdeck.enrichers.vocabulary import counted, vocabulary_of
from morningdeck.enrichers.wishes import alternatives, wish_of
from morningdeck.model.making import Article, Criteria
from morningdeck.model.refining import KeptProfile, RatedProfile, RefinedScore
from tests.conftest import NOW

PLACES = ("Brazil", "Kenya", "Peru", "Uganda", "India", "Vietnam")
COFFEE = [
    Article(f"{place} sells more coffee", f"Growers in {place} shipped arabica beans to roasters.")
    for place in PLACES
]
ARABICA = Article("Arabica beans cost more", "Roasters in Kenya and growers in Peru said so.")
REST = [
    Article(f"The {word} {verb} again", f"A speaker of the {word} said on Tuesday why it {verb}.")
    for word in ("bank", "bridge", "museum", "court", "airline", "school", "theatre")
    for verb in ("opens", "closes", "moves", "waits", "grows")
]
WISH = Criteria(1, 1, "Coffee harvests", user_id=7)
SOURCES: dict[int | None, frozenset[int]] = {7: frozenset({1})}


@pytest.fixture
def relevance(embedder: WordEmbedder) -> Relevance:
    return Relevance(embedder)


def read(relevance: Relevance, articles: list[Article]) -> list[KeptProfile]:
    profiles = [relevance.profile(article) for article in articles]
    return [KeptProfile(number, 1, one) for number, one in enumerate(profiles)]


def refined(
    relevance: Relevance,
    kept: list[KeptProfile],
    criteria: Criteria = WISH,
    rated: tuple[RatedProfile, ...] = (),
) -> dict[int, RefinedScore]:
    stored = [(one.item_id, -1) for one in kept]
    lessons = relevance.learn(kept, {}, [criteria], SOURCES, {1: rated} if rated else {})
    ((_, better),) = list(lessons)
    return {one.item_id: one for one in better(stored)}


def test_other_words_for_the_subject_are_learnt_from_what_is_surely_on_it(
    relevance: Relevance,
) -> None:
    few = read(relevance, [*COFFEE[:1], ARABICA, *REST[:4]])
    many = read(relevance, [*COFFEE, ARABICA, *REST])

    before, after = refined(relevance, few), refined(relevance, many)

    assert after[len(COFFEE)].value > before[1].value
    assert after[0].value >= 60 > after[len(COFFEE) + 1].value
    assert after[len(COFFEE)].value > max(after[n].value for n in range(7, len(many)))


def test_nothing_is_learnt_from_articles_with_none_of_its_words(relevance: Relevance) -> None:
    melting = Article(
        "Der Klimawandel lässt die Gletscher schmelzen",
        "Die Gletscher der Alpen verlieren jedes Jahr mehr Eis, sagen Forscher aus Innsbruck.",
    )
    wish = Criteria(1, 1, "Klimawandel, Energiewende und Umweltschutz", user_id=7)
    found = refined(relevance, read(relevance, [melting, *COFFEE, *REST]), wish)

    assert relevance._known.wishes[wish.text, 7, (), 0].best == (0,)
    assert found[0].value > 2 * max(found[n].value for n in range(1, len(found)))


def test_a_wish_that_nothing_serves_promises_nothing(relevance: Relevance) -> None:
    kept = read(relevance, [*COFFEE, *REST])
    chess = Criteria(1, 1, "Chess tournaments and grandmasters", user_id=7)

    assert max(one.value for one in refined(relevance, kept, chess).values()) < 40


def test_an_arrival_is_scored_by_the_last_lesson(relevance: Relevance) -> None:
    (before,) = relevance.scores(relevance.profile(ARABICA), [WISH])
    refined(relevance, read(relevance, [*COFFEE, *REST]))

    (after,) = relevance.scores(relevance.profile(ARABICA), [WISH])

    assert after.value > before.value
    assert (after.briefing_id, after.version, after.by) == (1, 1, "offline")


def test_only_what_differs_is_told_and_much_is_shown(relevance: Relevance) -> None:
    kept = read(relevance, [*COFFEE, *REST])
    values = {item: one.value for item, one in refined(relevance, kept).items()}
    stored = [
        (item, value - 5 if item == 0 else value - (item == 1)) for item, value in values.items()
    ]

    ((_, better),) = list(relevance.learn(kept, {}, [WISH], SOURCES, {}))

    assert [(one.item_id, one.shows) for one in better(stored)] == [(0, True), (1, False)]


def test_the_best_are_sought_among_the_readers_own_sources(relevance: Relevance) -> None:
    kept = [*read(relevance, [*COFFEE, ARABICA, *REST])]
    others = [KeptProfile(one.item_id, 2, one.profile) for one in kept]

    own, foreign = refined(relevance, kept), refined(relevance, others)

    assert own[len(COFFEE)].value > foreign[len(COFFEE)].value


@pytest.mark.parametrize(("feedback", "verb"), [(1, "gefiel"), (-1, "nicht gefiel")])
def test_a_thumb_moves_what_is_near_and_says_so(
    relevance: Relevance, feedback: int, verb: str
) -> None:
    kept = read(relevance, [ARABICA, *REST])
    tea = Criteria(1, 1, "Tea", user_id=7, language="de")
    rated = RatedProfile(0, ARABICA.title, feedback, kept[0].profile)

    plain, moved = refined(relevance, kept, tea), refined(relevance, kept, tea, (rated,))

    assert (moved[0].value - plain[0].value) * feedback > 0 or plain[0].value == 0
    assert moved[0].reason.endswith(verb)
    assert refined(relevance, kept, tea) == plain


REGION = (
    "Cologne councillors in the cathedral borough of the Rhineland",
    "Residents of the Rhineland borough, near Cologne cathedral",
    "The Cologne borough by the cathedral of the Rhineland, its councillors",
)
FOUND = [
    Article(f"Scientists in {place} study {what}", f"Research on {what} was told of by scientists.")
    for place, what in (("Kenya", "glaciers"), ("Peru", "volcanoes"), ("India", "corals"))
]


def of_the_region(articles: list[Article]) -> list[Article]:
    return [
        replace(one, text=f"{one.text} {REGION[at % len(REGION)]} said so.")
        for at, one in enumerate(articles)
    ]


def test_what_a_source_writes_whatever_it_speaks_of_teaches_nothing(relevance: Relevance) -> None:
    regional = read(relevance, of_the_region([*FOUND[:2], *REST[:15]]))
    elsewhere = read(relevance, [FOUND[2], *REST[15:]])
    kept = [KeptProfile(at, 1, one.profile) for at, one in enumerate(regional)]
    kept += [KeptProfile(len(kept) + at, 2, one.profile) for at, one in enumerate(elsewhere)]
    wish = Criteria(1, 1, "Science and research", user_id=7)

    lessons = relevance.learn(kept, {}, [wish], {7: frozenset({1, 2})}, {})
    ((_, better),) = list(lessons)
    found = {one.item_id: one.value for one in better([(one.item_id, -1) for one in kept])}

    of_region, of_others = range(2, 17), range(18, len(kept))
    assert max(found[at] for at in of_region) <= max(found[at] for at in of_others) + 5
    assert min(found[0], found[1], found[17]) > 2 * max(found[at] for at in of_region)


def test_what_belongs_to_the_subject_weighs_more(embedder: WordEmbedder) -> None:
    whole, *sentences = wish_of(
        "How fast the money supply (M1, M2) grows.", embedder, DIMENSIONS
    ).parts

    assert whole.weights["m1"] > whole.weights["grows"]
    assert sentences == []
    assert wish_of("Coffee: growing", embedder, DIMENSIONS).parts[0].weights["coffee"] >= 0.5


def test_a_word_that_was_read_often_is_less_rare(relevance: Relevance) -> None:
    kept = read(relevance, [*COFFEE, *REST])
    columns = columns_of([one.profile for one in kept], dimensions=DIMENSIONS)
    words = vocabulary_of(columns, {})
    (coffee,), (chess,) = word_keys("coffee", "en"), word_keys("chess", "en")

    assert words.count(coffee) == len(COFFEE)
    assert words.rarity({"en": words.count(chess)}, "en") > words.rarity(
        {"en": words.count(coffee)}, "en"
    )


def test_what_left_the_window_still_counts_and_fades(relevance: Relevance) -> None:
    kept = read(relevance, COFFEE)
    (first,) = counted(kept, {}, NOW)
    (second,) = counted(kept[:1], {"en": first}, NOW + timedelta(weeks=3))
    columns = columns_of([], dimensions=DIMENSIONS)
    (coffee,) = word_keys("coffee", "en")

    words = vocabulary_of(columns, {"en": second})

    assert first.articles == len(COFFEE)
    assert second.articles == pytest.approx(len(COFFEE) / 2 + 1)
    assert words.count(coffee) == pytest.approx(len(COFFEE) / 2 + 1)


def test_more_evidence_never_lowers_the_points() -> None:
    steps = np.linspace(0, 1, 50, dtype=np.float32)
    nothing = np.zeros(50, np.float32)

    for learnt in (Belief(), Belief.taught(0.5, 10, 0.0, 1.0)):
        points = calibrated(Evidence(steps, nothing, steps, nothing), learnt)
        assert (np.diff(points) >= 0).all()
        assert 0 <= points.min() <= points.max() <= 100


def test_good_articles_that_share_nothing_teach_nothing() -> None:
    """Any article that has a word of one of them would be like them."""
    wish = Belief.taught(own=0.6, good=2, middle=1.6, head=0.0)
    other = Evidence(*(np.array([value]) for value in (0.0, 30.0, 0.05, 0.3)))
    one_of_them = Evidence(*(np.array([value]) for value in (0.6, 0.0, 0.15, 0.0)))

    assert calibrated(other, wish)[0] < 20
    assert calibrated(one_of_them, wish)[0] >= 60


def test_a_word_in_passing_is_no_subject_and_teaches_none(relevance: Relevance) -> None:
    filler = " ".join(f"The meters of row {row} count what flows there." for row in "abcdefgh")
    passing = [
        Article(f"{name} meters for plants", f"{filler} {name} ones allow remote surveillance.")
        for name in ("Electric", "Thermal", "Acoustic")
    ]
    about = Article("Police extend surveillance of squares", "Cameras will film two more of them.")
    kept = read(relevance, [*passing, about, *REST])

    scores = refined(relevance, kept, Criteria(1, 1, "Surveillance", user_id=7))

    assert scores[3].value >= 40
    assert all(scores[number].value < 40 for number in (*range(3), *range(4, len(kept))))


def test_a_sport_is_not_met_by_every_other(relevance: Relevance) -> None:
    sports = [
        Article(f"Tennis final won by {name}", f"{name} won the match after a long tournament.")
        for name in ("Alcott", "Berisha", "Castell", "Dumont")
    ]
    kept = read(relevance, [*sports, *REST])

    football = refined(relevance, kept, Criteria(1, 1, "Football", user_id=7))
    every = refined(relevance, kept, Criteria(1, 1, "Sports", user_id=7))

    assert all(football[number].value < 40 <= every[number].value for number in range(4))


@pytest.mark.parametrize("arrived", [False, True])
def test_half_a_name_is_another(relevance: Relevance, arrived: bool) -> None:
    """Of two things with "federal" in their names only one was asked for."""
    bank = Article("Federal Reserve holds rates", "The Federal Reserve left them where they were.")
    court = Article("Federal court hears airline", "A federal court hears what the airline says.")
    criteria = Criteria(1, 1, "Federal Reserve", user_id=7)

    if arrived:
        scores = [relevance.scores(relevance.profile(one), [criteria])[0] for one in (bank, court)]
        values = [one.value for one in scores]
    else:
        found = refined(relevance, read(relevance, [bank, court, *REST]), criteria)
        values = [found[0].value, found[1].value]

    assert values[0] >= 60
    assert values[1] < 40


def test_neighbouring_subjects_in_a_plain_list_are_wishes_of_their_own(
    embedder: WordEmbedder,
) -> None:
    plain = wish_of("Stocks, the Federal Reserve and interest rates", embedder, DIMENSIONS)
    sentence = wish_of("Gold mining and the gold price", embedder, DIMENSIONS)

    assert len(alternatives(plain, embedder, DIMENSIONS)) == 3
    assert alternatives(sentence, embedder, DIMENSIONS) == ()
