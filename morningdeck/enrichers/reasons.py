"""Why a score is what it is, in its briefing's language: one table each, English for others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LONGEST_QUOTE = 60


@dataclass(frozen=True, slots=True)
class Reasons:
    """The sentences of one language; `{}` stands for the quoted words."""

    quoted: str
    both: str
    either: str
    in_title: str
    in_lead: str
    in_text: str
    meaning: str
    like_the_best: str
    liked: str
    disliked: str
    touches: str
    resembles: str
    off: str
    spared: str
    no_subject: str
    nothing_spared: str

    def quote(self, words: Sequence[str], joined: str | None = None) -> str:
        """One or two of them, in quotation marks."""
        shown = [self.quoted.format(_shortened(word)) for word in words[:2]]
        return (joined or self.both).format(*shown) if len(shown) > 1 else "".join(shown)


_REASONS = {
    "en": Reasons(
        quoted="'{}'",
        both="{} and {}",
        either="{} or {}",
        in_title="matches {} in the title",
        in_lead="mentions {} in the lead",
        in_text="mentions {} in the text",
        meaning="close in meaning to {}",
        like_the_best="much like the best that came for {}",
        liked="like {}, which you liked",
        disliked="like {}, which you disliked",
        touches="touches on {}",
        resembles="a little like {}",
        off="off topic: nothing about {}",
        spared="you asked for nothing about {}",
        no_subject="your criteria name no subject",
        nothing_spared="nothing you asked to be spared",
    ),
    "de": Reasons(
        quoted="„{}“",
        both="{} und {}",
        either="{} oder {}",
        in_title="{} steht im Titel",
        in_lead="{} steht am Anfang des Textes",
        in_text="{} kommt im Text vor",
        meaning="dem Sinn nach nahe an {}",
        like_the_best="ähnelt dem Besten, was zu {} kam",
        liked="ähnelt {}, was Ihnen gefiel",
        disliked="ähnelt {}, was Ihnen nicht gefiel",
        touches="streift {}",
        resembles="ein wenig wie {}",
        off="anderes Thema: nichts zu {}",
        spared="Sie wollten nichts über {}",
        no_subject="Ihre Kriterien nennen kein Thema",
        nothing_spared="nichts von dem, was Sie nicht wollten",
    ),
    "fr": Reasons(
        quoted="« {} »",
        both="{} et {}",
        either="{} ou {}",
        in_title="{} figure dans le titre",
        in_lead="{} figure au début du texte",
        in_text="{} figure dans le texte",
        meaning="proche par le sens de {}",
        like_the_best="ressemble au meilleur de ce qui est venu sur {}",
        liked="ressemble à {}, que vous avez aimé",
        disliked="ressemble à {}, que vous n’avez pas aimé",
        touches="effleure {}",
        resembles="rappelle un peu {}",
        off="hors sujet : rien sur {}",
        spared="vous ne vouliez rien sur {}",
        no_subject="vos critères ne nomment aucun sujet",
        nothing_spared="rien de ce que vous vouliez éviter",
    ),
    "es": Reasons(
        quoted="«{}»",
        both="{} y {}",
        either="{} o {}",
        in_title="{} aparece en el título",
        in_lead="{} aparece al principio del texto",
        in_text="{} aparece en el texto",
        meaning="cercano por su sentido a {}",
        like_the_best="se parece a lo mejor que llegó sobre {}",
        liked="se parece a {}, que le gustó",
        disliked="se parece a {}, que no le gustó",
        touches="roza {}",
        resembles="recuerda un poco a {}",
        off="otro tema: nada sobre {}",
        spared="no quería nada sobre {}",
        no_subject="sus criterios no nombran ningún tema",
        nothing_spared="nada de lo que quería evitar",
    ),
    "it": Reasons(
        quoted="«{}»",
        both="{} e {}",
        either="{} o {}",
        in_title="{} è nel titolo",
        in_lead="{} è all’inizio del testo",
        in_text="{} è nel testo",
        meaning="vicino per significato a {}",
        like_the_best="somiglia al meglio arrivato su {}",
        liked="somiglia a {}, che le è piaciuto",
        disliked="somiglia a {}, che non le è piaciuto",
        touches="sfiora {}",
        resembles="ricorda un poco {}",
        off="altro tema: niente su {}",
        spared="non voleva niente su {}",
        no_subject="i suoi criteri non nominano alcun tema",
        nothing_spared="niente di ciò che voleva evitare",
    ),
    "nl": Reasons(
        quoted="‘{}’",
        both="{} en {}",
        either="{} of {}",
        in_title="{} staat in de titel",
        in_lead="{} staat aan het begin van de tekst",
        in_text="{} komt in de tekst voor",
        meaning="qua betekenis dicht bij {}",
        like_the_best="lijkt op het beste dat over {} kwam",
        liked="lijkt op {}, dat u beviel",
        disliked="lijkt op {}, dat u niet beviel",
        touches="raakt even aan {}",
        resembles="een beetje als {}",
        off="ander onderwerp: niets over {}",
        spared="u wilde niets over {}",
        no_subject="uw criteria noemen geen onderwerp",
        nothing_spared="niets van wat u niet wilde",
    ),
}


def reasons(language: str | None) -> Reasons:
    return _REASONS.get((language or "en")[:2].lower(), _REASONS["en"])


def _shortened(words: str) -> str:
    words = words.strip(" .,;:")
    if len(words) <= LONGEST_QUOTE:
        return words
    return f"{words[: LONGEST_QUOTE - 1].rpartition(' ')[0]}…"
