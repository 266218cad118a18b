"""One article in each language that is read: nothing of what is said of it is nonsense."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from morningdeck.enrichers.offline import OfflineEnricher
from morningdeck.enrichers.sentences import sentences
from morningdeck.model.making import Article


@dataclass(frozen=True)
class Case:
    language: str
    title: str
    text: str
    """A sentence a line; in most, the second leans on the first, the third on nothing."""
    category: str = "other"
    sentiment: str = "neutral"
    topics: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()

    @property
    def sentences(self) -> list[str]:
        return self.text.splitlines()


CASES = (
    Case(
        "en",
        "Parliament passes the climate law",
        """\
Parliament passed the climate law on Tuesday with the votes of the opposition party.
However, the minister Dr. Anna Weber wants to change it again before the election.
Coal plants may run until 2035, as the U.S. and U.K. governments had asked in their note.
The climate law is the first of its kind in the country.""",
        "politics",
        "neutral",
        frozenset({"parliament", "climate law"}),
        frozenset({"Anna Weber"}),
    ),
    Case(
        "de",
        "Bundestag beschließt das Klimagesetz",
        """\
Der Bundestag hat am 3. Mai das Klimagesetz mit den Stimmen der Opposition beschlossen.
Allerdings will die Ministerin Dr. Anna Weber das Klimagesetz vor der Wahl noch ändern.
Kohlekraftwerke dürfen bis 2035 laufen, wie es z. B. die Länder im Osten gefordert haben.
Die Regierung des Landes lobt das Klimagesetz, das der Bundestag so noch nie gesehen hat.""",
        "politics",
        "neutral",
        frozenset({"bundestag", "klimagesetz"}),
        frozenset({"Anna Weber"}),
    ),
    Case(
        "fr",
        "L'équipe gagne le championnat",
        """\
L'équipe de Lyon a remporté le championnat dimanche devant 40 000 spectateurs à Paris.
Cependant, son entraîneur Jean Moulin, qui a 62 ans, quitte le club à la fin de l'année.
Le match a été décidé par un but de la joueuse Marie Dupont après une heure de jeu.
Lyon avait perdu le championnat l'an dernier après une défaite à Marseille.""",
        "sports",
        "positive",
        frozenset({"lyon", "championnat"}),
        frozenset({"Jean Moulin", "Marie Dupont"}),
    ),
    Case(
        "es",
        "El hospital estrena una vacuna contra el dengue",
        """\
El hospital de Sevilla ha empezado a probar una vacuna contra el dengue en 300 pacientes.
Sin embargo, los médicos piden más tiempo para conocer los efectos de la vacuna nueva.
La enfermedad llegó a Europa hace diez años, según el Dr. Carlos Ruiz, su director.
El dengue afecta ya a cuatro países y los hospitales necesitan la vacuna con urgencia.""",
        "health",
        "neutral",
        frozenset({"dengue", "vacuna"}),
        frozenset({"Carlos Ruiz"}),
    ),
    Case(
        "nl",
        "Beurs in Amsterdam sluit hoger",
        """\
De beurs in Amsterdam is dinsdag hoger gesloten dankzij de aandelen van grote bedrijven.
Toch waarschuwde dhr. Jan de Vries van de bank voor een nieuwe crisis in de economie.
De winst van de bedrijven steeg in het afgelopen kwartaal met ruim zeven procent.
Beleggers kochten op de beurs vooral aandelen van banken en van makers van chips.""",
        "business",
        "neutral",
        frozenset({"beurs", "amsterdam", "aandelen"}),
        frozenset({"Jan de Vries"}),
    ),
    Case(
        "it",
        "Il museo di Torino mostra i quadri di Modigliani",
        """\
Il museo di Torino apre venerdì una mostra con ottanta quadri di Modigliani e di altri.
Inoltre il sig. Paolo Conti, che dirige il museo, ha comprato un libro raro dell'artista.
Le sale resteranno aperte fino a mezzanotte per tutta l'estate, anche la domenica sera.
Per Modigliani il museo aspetta centomila visitatori, più che per ogni altra mostra.""",
        "culture",
        "neutral",
        frozenset({"modigliani", "museo", "mostra"}),
        frozenset({"Paolo Conti"}),
    ),
    Case(
        "pt",
        "Cientistas encontram fósseis de dinossauro no Algarve",
        """\
Cientistas da universidade de Lisboa encontraram fósseis de um dinossauro no Algarve.
No entanto, a Dra. Inês Costa diz que o estudo dos fósseis vai durar mais de dez anos.
Os pesquisadores acreditam que o clima da região era então muito mais húmido que hoje.
O dinossauro do Algarve tinha doze metros e vivia perto do mar, segundo a universidade.""",
        "science",
        "neutral",
        frozenset({"algarve", "dinossauro", "fósseis"}),
        frozenset({"Inês Costa"}),
    ),
    Case(
        "ru",
        "Правительство утвердило бюджет",
        """\
Правительство утвердило бюджет на следующий год, сообщил г. Иванов из министерства.
Однако депутаты требуют изменить бюджет, т.е. увеличить расходы на школы и больницы.
Расходы на дороги вырастут на треть, а налоги для малых компаний останутся прежними.""",
    ),
    Case(
        "ar",
        "الحكومة تعلن الميزانية الجديدة",
        """\
أعلنت الحكومة يوم الثلاثاء عن ميزانية العام المقبل بعد مفاوضات طويلة مع البرلمان.
هل يوافق النواب على الميزانية قبل نهاية الشهر؟
وسترتفع نفقات التعليم والصحة بنسبة عشرة في المئة حسب بيان وزارة المالية.""",
    ),
    Case(
        "ko",
        "정부, 내년 예산안 확정",
        """\
정부는 화요일 국무회의를 열고 내년도 예산안을 최종 확정했다고 밝혔다.
교육과 보건 분야의 지출은 올해보다 10퍼센트 늘어난다고 기획재정부가 설명했다.""",
    ),
    Case(
        "ja",
        "東京で強い地震",
        """\
東京で25日午後3時ごろ、震度5強の強い地震が発生しました。
気象庁によりますと、震源の深さは30キロです。
「津波の心配はありません。」と担当者は述べました。""",
    ),
    Case(
        "zh",
        "政府公布明年预算",
        """\
政府周二公布了明年的预算方案，并表示将继续支持中小企业的发展。
教育和卫生方面的支出将增加百分之十，财政部在声明中说。
议会将在月底前对预算进行表决。""",
    ),
)


def article(case: Case, *said: str) -> Article:
    blank = "" if case.language in ("ja", "zh") else " "
    return Article(case.title, blank.join(said), language="en")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.language)
def test_what_is_said_of_it_is_no_nonsense(enricher: OfflineEnricher, case: Case) -> None:
    found = enricher.enrich(article(case, *case.sentences), [])

    summed_up = sentences(found.summary, case.language)
    assert found.language == case.language
    assert 2 <= len(summed_up) <= 3
    assert set(summed_up) <= set(case.sentences)
    assert found.category == case.category
    assert found.tags.sentiment == case.sentiment
    assert case.topics <= set(found.tags.topics)
    assert set(found.tags.people) == case.people
    assert found.tags.companies == ()
    assert found.tags.technologies == ()


@pytest.mark.parametrize("case", CASES[:7], ids=lambda case: case.language)
def test_a_sentence_that_leans_on_the_title_does_not_open(
    enricher: OfflineEnricher, case: Case
) -> None:
    found = enricher.enrich(article(case, *case.sentences[1:]), [])

    assert found.summary.startswith(case.sentences[2])
