"""What the templates are given: a tidy report, told in its language. Templates decide nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from morningdeck import wording
from morningdeck.languages import Phrases, phrases, primary_language
from morningdeck.model.sending import Report, ReportItem, WhyNot
from morningdeck.plaintext import at_sentence, direction, shorten
from morningdeck.render.foreign import MOST_BROKEN, Lengths
from morningdeck.render.links import Action, Links, story_actions
from morningdeck.render.tiers import Tiers, shown_by_dailies, tiers

LONGEST_PREHEADER = 140
PICTURE_WIDTH = 520
RIGHT_TO_LEFT = frozenset(("ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"))

_CITATION = re.compile(r"(\[\d+\])")


@dataclass(frozen=True, slots=True)
class Linked:
    """A part of a line, with its link if it has one."""

    text: str
    url: str | None = None


Line = tuple[Linked, ...]


@dataclass(frozen=True)
class Paper:
    """`report` is as tidy as `lengths` says and has no more than fits; `whole` has everything."""

    report: Report
    links: Links
    whole: Report
    lengths: Lengths
    shortened: bool = False
    cut: int = 0

    # ---- the frame

    @cached_property
    def phrases(self) -> Phrases:
        return phrases(self.report.language)

    @cached_property
    def language(self) -> str:
        return primary_language(self.report.language)

    @cached_property
    def direction(self) -> str:
        return "rtl" if self.language in RIGHT_TO_LEFT else "ltr"

    def runs(self, text: str) -> str:
        """The direction of a text: mails cannot rely on `dir="auto"`."""
        return direction(text, self.direction)

    def spoken_in(self, item: ReportItem) -> str | None:
        """The language of a story, where it is known and another than the page's."""
        told = item.language is None or item.translated
        other = not told and primary_language(item.language) != self.language
        return primary_language(item.language) if other else None

    # ---- the head

    @cached_property
    def preheader(self) -> str:
        """What the inbox shows after the subject, which has told the first story already."""
        others = " · ".join(item.title for item in self.report.items[1:4])
        told = others or self.report.overview
        return shorten(f"{self.report.briefing_title}: {told}", LONGEST_PREHEADER)

    @cached_property
    def head(self) -> tuple[str, ...]:
        """The day, how many stories from how many papers, how long they take."""
        date = wording.long_date(self.whole)
        if not self.whole.items:
            return (date,)
        minutes = self.phrases.counted(self.phrases.minutes, wording.minutes_of(self.whole))
        return (date, wording.stories_from(self.whole), minutes)

    @cached_property
    def overview(self) -> tuple[Line, ...]:
        """What a model tells of the stories; each citation is the name of its source."""
        return tuple(self._cited(line) for line in self._said if _CITATION.search(line))

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """What is said of the whole: that the day is quiet, that this is a test."""
        return tuple(line for line in self._said if not _CITATION.search(line))

    @cached_property
    def _said(self) -> tuple[str, ...]:
        """Without what the head says as well."""
        known = wording.overview(self.whole) if self.whole.items else ""
        return tuple(line for line in self.report.overview.splitlines() if line != known)

    def _cited(self, line: str) -> Line:
        cited = {f"[{item.position}]": item for item in self.report.items}
        pieces = []
        for text in _CITATION.split(line):
            if item := cited.get(text):
                pieces.append(Linked(f"({item.source_title})", item.url))
            elif not _CITATION.fullmatch(text):
                pieces.append(Linked(text))
        return tuple(piece for piece in pieces if piece.text)

    # ---- the stories

    @cached_property
    def tiers(self) -> tuple[Tiers, ...]:
        return tiers(self.report)

    @cached_property
    def shown_by_dailies(self) -> tuple[ReportItem, ...]:
        return shown_by_dailies(self.report)

    @property
    def also(self) -> str:
        """The title of the stories that have a line each."""
        if len(self.tiers) > 1 or self.report.at_once:
            return self.phrases.also
        return self.phrases.also_this_week if self.report.weekly else self.phrases.also_today

    def summary(self, item: ReportItem, short: bool) -> str:
        text = item.update or item.summary
        if not text and self.lengths.summary:
            return "" if short else self.phrases.no_summary
        return at_sentence(text, wording.LONGEST_OF_SHORT) if short else text

    @property
    def picture_height(self) -> int:
        """In points, where it is as wide as it can be."""
        picture = self.report.picture
        return 0 if picture is None else round(PICTURE_WIDTH * picture.height / picture.width)

    def news(self, item: ReportItem) -> str:
        """`Since yesterday:`, where the story was told before."""
        if not item.update or item.update_since is None:
            return ""
        return wording.since_when(self.report, item.update_since)

    def meta(self, item: ReportItem) -> tuple[Line, ...]:
        """Source, who else has it, how long it takes, why it is here: each where it is known."""
        reading = self.phrases.reading_time.format(self.phrases.number(item.minutes))
        parts = (
            (Linked(item.source_title),),
            self._also_in(item),
            (Linked(reading if item.minutes else ""),),
            (Linked(self._translated(item)),),
            (Linked(item.reason),),
        )
        return tuple(part for part in parts if any(piece.text for piece in part))

    def aside(self, item: ReportItem) -> str:
        """Beside a headline alone: where it is from, and whose language it was in."""
        return " · ".join(filter(None, (item.source_title, self._translated(item))))

    def _translated(self, item: ReportItem) -> str:
        if not item.translated or item.language is None:
            return ""
        return self.phrases.translated.format(self.phrases.named(item.language))

    def told(self, item: ReportItem) -> str:
        """The line of one story, for those who read plain text."""
        return " · ".join("".join(piece.text for piece in line) for line in self.meta(item))

    def _also_in(self, item: ReportItem) -> Line:
        tellers = [Linked(one.source, one.url) for one in item.also_in if one.source]
        shown, hidden = tellers[: self.lengths.names], len(tellers) - self.lengths.names
        if not shown:
            return ()
        if hidden > 0:
            shown.append(Linked(self.phrases.counted(self.phrases.others, hidden)))
        before, after = self.phrases.also_in.split("{}")
        commas = [Linked(", ")] * len(shown)
        between = [piece for pair in zip(shown, commas, strict=True) for piece in pair][:-1]
        return tuple(piece for piece in (Linked(before), *between, Linked(after)) if piece.text)

    def actions(self, item: ReportItem) -> tuple[Action, ...]:
        return story_actions(self.links.signed, self.report, item)

    @cached_property
    def moved(self) -> tuple[tuple[str, str], ...]:
        """Each topic with how many stories spoke of it, against the week before."""
        return tuple(
            (one.topic, self._against(one.stories, one.before))
            for one in self.report.moved
            if one.topic
        )

    def _against(self, stories: int, before: int | None) -> str:
        now = self.phrases.counted(self.phrases.stories, stories)
        if not before:
            return self.phrases.new_this_week.format(stories=now)
        return self.phrases.week_before.format(stories=now, before=self.phrases.number(before))

    # ---- the end

    @property
    def end(self) -> str:
        """That there is no more; a quiet day has said so already, and a search may find more."""
        if not self.report.items or self.report.at_once:
            return ""
        return self.phrases.end_of_week if self.report.weekly else self.phrases.end_of_day

    @cached_property
    def left_out(self) -> str:
        """From how much was chosen, and what became of the rest; nothing where nothing was new."""
        if not self.report.weighed or (self.report.at_once and not self.report.left_out):
            return ""
        counts = dict(self.report.left_out)
        off = counts.pop(WhyNot.OFF_SUBJECT, 0)
        twice = counts.pop(WhyNot.TOLD_TWICE, 0)
        told = counts.pop(WhyNot.TOLD_BEFORE, 0)
        spoken = self.phrases
        parts = (
            spoken.off_subject.format(spoken.number(off)) if off else "",
            spoken.counted(spoken.told_twice, twice) if twice else "",
            spoken.counted(spoken.told_already, told) if told else "",
            spoken.without_place.format(spoken.number(rest))
            if (rest := sum(counts.values()))
            else "",
        )
        chosen = spoken.counted(spoken.chosen_from, self.report.weighed)
        left = ", ".join(part for part in parts if part)
        return f"{spoken.titled.format(chosen, left) if left else chosen}."

    @cached_property
    def undelivered(self) -> tuple[str, ...]:
        """The report before this one, where it may not have arrived."""
        return tuple(
            self.phrases.undelivered.format(
                self.phrases.dated(date.fromisoformat(one.day), self.phrases.day)
            )
            + f" {one.subject}"
            for one in self.report.undelivered
        )

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What stands below the last story, a line each."""
        spoken, report = self.phrases, self.report
        broken = _named(report.broken_sources, spoken)
        following = report.next_run_at
        notes = (
            spoken.counted(spoken.cut_off, self.cut) if self.cut else "",
            spoken.shortened if self.shortened else "",
            self.left_out,
            *(spoken.notice.format(one.text) for one in report.untold),
            spoken.welcome.format(spoken.quoted.format(report.briefing_title))
            if report.is_first
            else "",
            spoken.broken.format(broken) if broken else "",
            spoken.next_edition.format(wording.moment(report, following)) if following else "",
            self._receipt,
        )
        return tuple(note for note in notes if note)

    @property
    def _receipt(self) -> str:
        """Why this comes."""
        why = self.phrases.search_receipt if self.report.at_once else self.phrases.receipt
        return why.format(self.phrases.quoted.format(self.report.briefing_title))

    @cached_property
    def ways(self) -> Line:
        """The links of the footer."""
        spoken, links = self.phrases, self.links
        ways = (
            Linked(spoken.see_left_out, links.left_out),
            Linked(spoken.browser, links.home),
            Linked(spoken.settings, links.settings),
            Linked(spoken.unsubscribe, links.unsubscribe),
        )
        return tuple(way for way in ways if way.url)


def _named(names: tuple[str, ...], spoken: Phrases) -> str:
    shown = names[:MOST_BROKEN]
    hidden = len(names) - len(shown)
    return ", ".join((*shown, *([spoken.counted(spoken.others, hidden)] if hidden else ())))
