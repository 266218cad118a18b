"""What the form of a briefing says, for a new one, a changed one, and one that is only tried."""

from __future__ import annotations

from zoneinfo import available_timezones

from morningdeck import plans
from morningdeck.errors import ConfigError
from morningdeck.model.wanting import ON_THE_SUBJECT, BriefingChanges, NewBriefing
from morningdeck.schedule import WEEKDAYS
from morningdeck.views.sent import BriefingView
from morningdeck.web.pages.forms import FormFields, whole_number

SHORT_DAYS = tuple(day[:3] for day in WEEKDAYS)
FIRST_TIME = "07:30"
OLD_ZONES = ("Etc/", "SystemV/", "US/", "posix/", "right/")


def zones() -> tuple[str, ...]:
    """Those that are named for a place."""
    known = available_timezones()
    return ("UTC", *sorted(one for one in known if "/" in one and not one.startswith(OLD_ZONES)))


def when_by(form: FormFields) -> plans.When:
    """Without a time it comes in the morning."""
    time, zone = form.text("time") or FIRST_TIME, form.text("timezone") or None
    if form.text("frequency") == "weekly":
        return plans.When(weekly=form.text("weekday") or "mon", at=time, timezone=zone)
    return plans.When(daily=time, timezone=zone, days=",".join(form.all("days")) or "mon-sun")


def wanted_by(form: FormFields, timezone: str) -> NewBriefing:
    return NewBriefing(
        title=form.text("title"),
        criteria=form.text("criteria"),
        plan=when_by(form).plan(timezone),
        channels=tuple(filter(None, form.all("channel"))),
        recipients=_recipients(form),
        max_items=_number(form, "max_items", 10, 1, 100),
        min_score=_number(form, "min_score", ON_THE_SUBJECT, 0, 100),
        quiet_note=form.ticked("quiet_note"),
        language=form.text("language") or None,
        source_ids=_sources(form),
    )


def changes_by(form: FormFields, before: BriefingView) -> tuple[BriefingChanges, plans.When]:
    """What is other than before; addresses are shown without their secrets, and so compared."""
    wanted, when = wanted_by(form, before.timezone), when_by(form)
    sources, quiet_before = wanted.source_ids, before.quiet_days == "note"
    changes = BriefingChanges(
        title=wanted.title if wanted.title != before.title else None,
        criteria=wanted.criteria if wanted.criteria != before.criteria else None,
        channels=_if_named(wanted.channels, before.channels),
        recipients=wanted.recipients if wanted.recipients != before.recipients else None,
        max_items=wanted.max_items if wanted.max_items != before.max_items else None,
        min_score=wanted.min_score if wanted.min_score != before.min_score else None,
        quiet_note=wanted.quiet_note if wanted.quiet_note != quiet_before else None,
        language=wanted.language if wanted.language != before.language else None,
        source_ids=sources if set(sources) != set(before.source_ids) else None,
    )
    return changes, when if not _same_plan(when, before) else plans.When()


def _same_plan(when: plans.When, before: BriefingView) -> bool:
    plan = when.plan(before.timezone)
    days = tuple(SHORT_DAYS[day] for day in plan.days)
    times = ",".join(f"{h:02}:{m:02}" for h, m in ((plan.hour, plan.minute), *plan.further))
    weekday = None if plan.weekday is None else WEEKDAYS[plan.weekday]
    known = (before.timezone, before.local_time, before.weekday)
    same_days = days == tuple(day[:3].lower() for day in before.days)
    return (plan.timezone, times, weekday) == known and same_days


def _if_named(channels: tuple[str, ...], before: tuple[str, ...]) -> tuple[str, ...] | None:
    return channels if channels and set(channels) != set(before) else None


def _recipients(form: FormFields) -> tuple[str, ...]:
    parts = (part.strip() for part in form.text("to").replace("\n", ",").split(","))
    return tuple(dict.fromkeys(part for part in parts if part))


def _sources(form: FormFields) -> tuple[int, ...]:
    if form.text("which") != "some":
        return ()
    if not (named := sources_named(form)):
        raise ConfigError("choose the sources that it takes, or all of them")
    return named


def sources_named(form: FormFields) -> tuple[int, ...]:
    """Each once; what is no number of ours names none."""
    return tuple(dict.fromkeys(filter(None, map(whole_number, form.all("source")))))


def _number(form: FormFields, name: str, otherwise: int, least: int, most: int) -> int:
    text = form.text(name)
    if not text:
        return otherwise
    if not (text.isdecimal() and len(text) < 10 and least <= int(text) <= most):
        raise ConfigError(f"{name.replace('_', ' ')}: a number from {least} to {most}")
    return int(text)


def first_words(error: str) -> str:
    """An error as a sentence."""
    text = error.replace("--", "")
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
