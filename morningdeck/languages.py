"""The phrases a briefing is written with: one table per language, English for all others.

A new language is one more entry; placeholders are filled by `wording` and `render`. Weekdays,
months and dates are ours too: Babel's say the same in these six languages, but it has no
pattern for a full date without its year, and costs 34 MB on disk, 12 MB in memory and 80 ms.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrases:
    """All that a briefing says of itself in one language."""

    weekdays: str
    months: str
    day: str
    full_day: str
    quoted: str
    both: str
    daily: str
    weekly: str
    week: str
    lead_of_day: str
    lead_of_week: str
    runners_up: str
    themes: str
    quiet_day: str
    quiet_week: str
    quiet_note: str
    relevance: str
    why: str
    also_in: str
    no_summary: str
    receipt: str
    weighed: str
    broken: str
    browser: str
    unsubscribe: str


_PHRASES = {
    "en": Phrases(
        weekdays="Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
        months="January February March April May June July August September October"
        " November December",
        day="{day} {month}",
        full_day="{weekday} {day} {month}",
        quoted="“{}”",
        both="{} and {}",
        daily="Daily briefing",
        weekly="Weekly briefing",
        week="the week",
        lead_of_day="Leading today: {}.",
        lead_of_week="Leading the week: {}.",
        runners_up="Close behind: {}.",
        themes="Recurring themes: {}.",
        quiet_day="a quiet day",
        quiet_week="a quiet week",
        quiet_note="Nothing new was relevant enough this time. Enjoy the silence.",
        relevance="Relevance",
        why="Why",
        also_in="Also in",
        no_summary="No summary: there is little more than this headline.",
        receipt="You get this because you are a recipient of the Morning Deck briefing {}.",
        weighed="New items weighed: {weighed}, chosen: {chosen}.",
        broken="Sources that could not be read:",
        browser="Open in browser",
        unsubscribe="Unsubscribe",
    ),
    "de": Phrases(
        weekdays="Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
        months="Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        day="{day}. {month}",
        full_day="{weekday}, {day}. {month}",
        quoted="„{}“",
        both="{} und {}",
        daily="Tägliches Briefing",
        weekly="Wöchentliches Briefing",
        week="die Woche",
        lead_of_day="Heute ganz vorn: {}.",
        lead_of_week="Ganz vorn in dieser Woche: {}.",
        runners_up="Gleich dahinter: {}.",
        themes="Wiederkehrende Themen: {}.",
        quiet_day="ein ruhiger Tag",
        quiet_week="eine ruhige Woche",
        quiet_note="Diesmal war nichts Neues wichtig genug. Genießen Sie die Ruhe.",
        relevance="Relevanz",
        why="Warum",
        also_in="Auch bei",
        no_summary="Ohne Zusammenfassung: Es gibt kaum mehr als diese Überschrift.",
        receipt="Sie erhalten diese Mail als Empfänger des Morning-Deck-Briefings {}.",
        weighed="Neue Meldungen geprüft: {weighed}, ausgewählt: {chosen}.",
        broken="Nicht lesbare Quellen:",
        browser="Im Browser öffnen",
        unsubscribe="Abbestellen",
    ),
    "fr": Phrases(
        weekdays="lundi mardi mercredi jeudi vendredi samedi dimanche",
        months="janvier février mars avril mai juin juillet août septembre octobre"
        " novembre décembre",
        day="{day} {month}",
        full_day="{weekday} {day} {month}",
        quoted="«\u00a0{}\u00a0»",
        both="{} et {}",
        daily="Briefing quotidien",
        weekly="Briefing hebdomadaire",
        week="la semaine",
        lead_of_day="À la une aujourd’hui\u00a0: {}.",
        lead_of_week="À la une cette semaine\u00a0: {}.",
        runners_up="Juste derrière\u00a0: {}.",
        themes="Thèmes récurrents\u00a0: {}.",
        quiet_day="une journée calme",
        quiet_week="une semaine calme",
        quiet_note="Rien de nouveau n’était assez important cette fois. Profitez du calme.",
        relevance="Pertinence",
        why="Pourquoi",
        also_in="Aussi dans",
        no_summary="Sans résumé\u00a0: il n’y a guère plus que ce titre.",
        receipt="Vous recevez ce message comme destinataire du briefing Morning Deck {}.",
        weighed="Nouveaux articles examinés\u00a0: {weighed}, retenus\u00a0: {chosen}.",
        broken="Sources illisibles\u00a0:",
        browser="Ouvrir dans le navigateur",
        unsubscribe="Se désabonner",
    ),
    "es": Phrases(
        weekdays="lunes martes miércoles jueves viernes sábado domingo",
        months="enero febrero marzo abril mayo junio julio agosto septiembre octubre"
        " noviembre diciembre",
        day="{day} de {month}",
        full_day="{weekday}, {day} de {month}",
        quoted="«{}»",
        both="{} y {}",
        daily="Resumen diario",
        weekly="Resumen semanal",
        week="la semana",
        lead_of_day="Lo más destacado de hoy: {}.",
        lead_of_week="Lo más destacado de la semana: {}.",
        runners_up="Justo detrás: {}.",
        themes="Temas recurrentes: {}.",
        quiet_day="un día tranquilo",
        quiet_week="una semana tranquila",
        quiet_note="Esta vez nada nuevo era lo bastante relevante. Disfrute de la calma.",
        relevance="Relevancia",
        why="Por qué",
        also_in="También en",
        no_summary="Sin resumen: hay poco más que este titular.",
        receipt="Recibe este mensaje como destinatario del resumen de Morning Deck {}.",
        weighed="Artículos nuevos evaluados: {weighed}, elegidos: {chosen}.",
        broken="Fuentes que no se pudieron leer:",
        browser="Abrir en el navegador",
        unsubscribe="Darse de baja",
    ),
    "it": Phrases(
        weekdays="lunedì martedì mercoledì giovedì venerdì sabato domenica",
        months="gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre"
        " novembre dicembre",
        day="{day} {month}",
        full_day="{weekday} {day} {month}",
        quoted="«{}»",
        both="{} e {}",
        daily="Rassegna quotidiana",
        weekly="Rassegna settimanale",
        week="la settimana",
        lead_of_day="In primo piano oggi: {}.",
        lead_of_week="In primo piano questa settimana: {}.",
        runners_up="Subito dopo: {}.",
        themes="Temi ricorrenti: {}.",
        quiet_day="una giornata tranquilla",
        quiet_week="una settimana tranquilla",
        quiet_note="Questa volta nulla di nuovo era abbastanza rilevante. Si goda la calma.",
        relevance="Rilevanza",
        why="Perché",
        also_in="Anche su",
        no_summary="Nessun riassunto: c’è poco più di questo titolo.",
        receipt="Riceve questo messaggio come destinatario della rassegna Morning Deck {}.",
        weighed="Articoli nuovi valutati: {weighed}, scelti: {chosen}.",
        broken="Fonti che non si sono potute leggere:",
        browser="Apri nel browser",
        unsubscribe="Annulla l’iscrizione",
    ),
    "nl": Phrases(
        weekdays="maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
        months="januari februari maart april mei juni juli augustus september oktober"
        " november december",
        day="{day} {month}",
        full_day="{weekday} {day} {month}",
        quoted="‘{}’",
        both="{} en {}",
        daily="Dagelijkse briefing",
        weekly="Wekelijkse briefing",
        week="de week",
        lead_of_day="Vandaag voorop: {}.",
        lead_of_week="Deze week voorop: {}.",
        runners_up="Vlak daarachter: {}.",
        themes="Terugkerende thema’s: {}.",
        quiet_day="een rustige dag",
        quiet_week="een rustige week",
        quiet_note="Deze keer was niets nieuws relevant genoeg. Geniet van de rust.",
        relevance="Relevantie",
        why="Waarom",
        also_in="Ook bij",
        no_summary="Geen samenvatting: er is weinig meer dan deze kop.",
        receipt="U krijgt dit bericht als ontvanger van de Morning Deck-briefing {}.",
        weighed="Nieuwe berichten beoordeeld: {weighed}, gekozen: {chosen}.",
        broken="Bronnen die niet te lezen waren:",
        browser="Openen in de browser",
        unsubscribe="Afmelden",
    ),
}

LANGUAGES = tuple(sorted(_PHRASES))


def primary_language(language: str | None) -> str:
    """`de` for `de-AT`; English when none is known."""
    primary = re.split(r"[-_]", language or "")[0].lower()
    return primary if re.fullmatch(r"[a-z]{2,3}", primary) else "en"


def phrases(language: str | None) -> Phrases:
    return _PHRASES.get(primary_language(language), _PHRASES["en"])
