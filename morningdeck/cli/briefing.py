"""`briefing`: what is sent, when, and to whom."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from morningdeck import plans
from morningdeck.actions import briefings, reports, trial
from morningdeck.actions.words import wanted_sections
from morningdeck.cli.briefing_options import (
    CRITERIA,
    MAX_ITEMS,
    MIN_SCORE,
    QUIET_DAYS,
    At,
    Channels,
    Daily,
    DaysOption,
    Language,
    PingUrl,
    QuietDays,
    SectionWishes,
    Sources,
    To,
    Weekly,
    Zone,
    forgotten,
    unserved,
)
from morningdeck.cli.desk import Desk, Id, Limit, desk, group, on_one
from morningdeck.cli.feed import feed
from morningdeck.cli.report import where_it_went
from morningdeck.delivery import addressed
from morningdeck.errors import ConfigError
from morningdeck.model.wanting import ON_THE_SUBJECT, BriefingChanges, NewBriefing
from morningdeck.views.sent import BriefingView, ReportView, TrialView

app = group("What is sent, when, and to whom.")


@app.command()
def add(
    context: typer.Context,
    title: Annotated[str, typer.Argument(metavar="TITLE", help="What its mails are called.")],
    criteria: Annotated[str, CRITERIA],
    daily: Daily = None,
    weekly: Weekly = None,
    at: At = None,
    days: DaysOption = None,
    timezone: Zone = None,
    to: To = None,
    channel: Channels = None,
    source: Sources = None,
    section: SectionWishes = None,
    min_score: Annotated[int, MIN_SCORE] = ON_THE_SUBJECT,
    max_items: Annotated[int, MAX_ITEMS] = 10,
    quiet_days: Annotated[QuietDays, QUIET_DAYS] = "skip",
    language: Language = None,
    ping: PingUrl = None,
) -> None:
    """Have a briefing from its next time on."""
    when = plans.When(daily, weekly, at, timezone, days)
    with desk(context) as here:
        new = NewBriefing(
            title=title,
            criteria=criteria,
            plan=when.plan(here.user.timezone),
            channels=tuple(channel or ()),
            recipients=tuple(to or ()),
            max_items=max_items,
            min_score=min_score,
            quiet_note=quiet_days == "note",
            language=language,
            ping=ping,
            source_ids=tuple(source or ()),
            sections=wanted_sections(section or ()),
        )
        added = briefings.add(
            here.store,
            here.user.id,
            new,
            channels_to=here.adapters.ways_out.to,
            check_channels=here.adapters.ways_out.check,
            now=here.now,
        )
        here.out.show(added)
        here.out.note(unserved(added))


@app.command()
def edit(
    context: typer.Context,
    id: Id,
    title: Annotated[str | None, typer.Option(help="What its mails are called.")] = None,
    criteria: Annotated[str | None, CRITERIA] = None,
    daily: Daily = None,
    weekly: Weekly = None,
    at: At = None,
    days: DaysOption = None,
    timezone: Zone = None,
    to: To = None,
    channel: Channels = None,
    source: Sources = None,
    all_sources: Annotated[
        bool, typer.Option("--all-sources", help="From all your sources again.")
    ] = False,
    section: SectionWishes = None,
    no_sections: Annotated[
        bool, typer.Option("--no-sections", help="Only its own wish again.")
    ] = False,
    min_score: Annotated[int | None, MIN_SCORE] = None,
    max_items: Annotated[int | None, MAX_ITEMS] = None,
    quiet_days: Annotated[QuietDays | None, QUIET_DAYS] = None,
    language: Language = None,
    ping: PingUrl = None,
) -> None:
    """Change what you name; the rest stays as it is.

    By other criteria, what is recent is scored anew. The sections you name are all it has then.
    """
    if source and all_sources:
        raise ConfigError("--source or --all-sources, not both")
    if section and no_sections:
        raise ConfigError("--section or --no-sections, not both")
    changes = BriefingChanges(
        title=title,
        criteria=criteria,
        channels=tuple(channel) if channel else None,
        recipients=tuple(to) if to else None,
        max_items=max_items,
        min_score=min_score,
        quiet_note=None if quiet_days is None else quiet_days == "note",
        language=language,
        ping=ping,
        source_ids=tuple(source or ()) if source or all_sources else None,
        sections=wanted_sections(section or ()) if section or no_sections else None,
    )
    when = plans.When(daily, weekly, at, timezone, days)
    with desk(context) as here:
        before = here.store.briefings.show(here.user.id, id)
        edited = briefings.edit(
            here.store,
            here.user.id,
            id,
            changes,
            when,
            check_channels=here.adapters.ways_out.check,
            now=here.now,
        )
        here.out.show(edited)
        here.out.note(forgotten(before, edited))
        if to or channel:
            here.out.note(unserved(edited))


@app.command("list")
def list_(context: typer.Context, limit: Limit = 50) -> None:
    """Your briefings, the newest first."""
    with desk(context) as at:
        at.out.list(
            at.store.briefings.list(at.user.id, limit),
            "id title status paused frequency next_run_at last_executed_at last_error",
        )


one = on_one(app, lambda store: store.briefings)
one("show", "Everything about one.", lambda briefings, user, id, now: briefings.show(user, id))


@app.command()
def preview(
    context: typer.Context,
    id: Id,
    html: Annotated[bool, typer.Option("--html", help="As a page: --html > page.html.")] = False,
    text: Annotated[bool, typer.Option("--text", help="As plain text, as without it.")] = False,
) -> None:
    """What it would send now; nothing is sent or marked."""
    if html and text:
        raise ConfigError("--html or --text, not both")
    with desk(context) as at:
        with at.out.busy("weighing"):
            found = briefings.preview(at.store, at.user.id, id, now=at.now)
        if html:
            at.out.text("html", at.adapters.outlets.mail_writer.render(found.report).html)
        elif text:
            at.out.text("text", at.adapters.outlets.mail_writer.render(found.report).text)
        else:
            at.out.either(found.view, lambda: _show_preview(at, found))
        at.out.note(_told(found.left_out))


def _show_preview(at: Desk, found: briefings.Preview) -> None:
    if found.report.items or not found.left_out:
        at.out.text("text", at.adapters.outlets.mail_writer.render(found.report).text)
    else:  # its words for a quiet day would be untrue
        at.out.say("nothing to show yet")


@app.command()
def tune(
    context: typer.Context,
    id: Id,
    criteria: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Say what they would score by other criteria."),
    ] = None,
    limit: Limit = 50,
) -> None:
    """The newest items with their scores and why, of a briefing or a section; nothing changes.

    Other criteria are tried without a model, whatever scores else.
    """
    with desk(context) as at:
        with at.out.busy("weighing"):
            found = briefings.tune(
                at.store,
                at.user.id,
                id,
                limit=limit,
                criteria=criteria,
                refiner=lambda: at.adapters.relevance.anew(),
                now=at.now,
            )
        beside = "" if criteria is None else "tried_score "
        at.out.list(found, f"score {beside}title source {'tried_' if beside else ''}reason")
        if criteria is not None and any(view.tried_score is None for view in found):
            at.out.note("without a number: read too long ago to be tried")


one("pause", "Send nothing for now.", lambda briefings, user, id, now: briefings.pause(user, id))


@app.command()
def resume(context: typer.Context, id: Id) -> None:
    """Send it again, from its next time on."""
    with desk(context) as at:
        at.out.show(briefings.resume(at.store, at.user.id, id, now=at.now))


@app.command()
def remove(context: typer.Context, id: Id) -> None:
    """Delete it with its reports."""
    with desk(context) as at:
        view = at.store.briefings.show(at.user.id, id)
        at.store.briefings.remove(at.user.id, id)
        at.out.show(view)


app.command("feed")(feed)


@app.command()
def run(
    context: typer.Context,
    id: Id,
    wait: Annotated[
        int,
        typer.Option(
            min=0,
            max=86_400,
            metavar="SECONDS",
            help="How long at most to read and score first what is new.",
        ),
    ] = 120,
) -> None:
    """Build it and deliver it, now."""
    with desk(context) as at:
        briefing = at.store.briefings.show(at.user.id, id)
        with at.out.busy("looking for what is new") as tell:
            done = briefings.run(
                at.store, at.app.on_demand, at.user.id, id, wait_seconds=wait, tell=tell
            )
        at.out.either(done.view, lambda: _show_run(at, briefing, done.report))
        at.out.note(_told(done.left_out))
        at.app.pinging.round()
        reports.check_arrived(done.report)


@app.command("test")
def send_a_test(
    context: typer.Context,
    id: Id,
    to: Annotated[str, typer.Option(metavar="ADDRESS", help="Who gets it.")],
    channel: Annotated[
        str | None,
        typer.Option(metavar="CHANNEL", help="How it goes; at first as the briefing would."),
    ] = None,
) -> None:
    """Send what would be sent now to one address, marked as a test, and say each step.

    Nothing counts as shown or sent.
    """
    with desk(context) as at:
        ways_out = at.adapters.ways_out
        briefing, found = briefings.for_test(at.store, at.user.id, id, now=at.now)
        channel = channel or ways_out.for_test(briefing.channels, to)
        ways_out.check((channel,), (to,))
        with at.out.busy("sending"):
            done = trial.send_test(
                briefing,
                replace(found, report=at.app.pictured(found.report)),
                to=to,
                channel=channel,
                open_channel=ways_out.open,
                writer=at.adapters.outlets.mail_writer,
            )
        at.out.either(done, lambda: _show_test(at, done))
        at.out.note(_told(found.left_out))
        trial.check_taken(done)


def _show_test(at: Desk, done: TrialView) -> None:
    for step in done.steps:
        at.out.say(f"{step.said}: {step.answer}")
    if not done.sent:
        return
    if addressed(done.channel):
        at.out.say(f"sent to {done.address} by {done.channel}: {done.reply}")
        return
    at.out.say(f"written by {done.channel}: {done.reply}")
    at.out.note(f"nothing is mailed to {done.address}: with smtp.host set, say --channel smtp")


def _show_run(at: Desk, briefing: BriefingView, report: ReportView) -> None:
    at.out.show({"report": report.id, "items": len(report.items), "weighed": report.weighed})
    if any(delivery.state == "SENT" for delivery in report.deliveries):
        for delivery in report.deliveries:  # else the error says why it went nowhere
            at.out.say(where_it_went(delivery))
    if not report.deliveries:
        at.out.say(f"nothing was sent: no new story scored {briefing.min_score} or more")


def _told(left_out: briefings.LeftOut) -> str:
    """Say what the report leaves out, so that it is not taken for a quiet day."""
    unread, unscored = left_out.unread_sources, left_out.unscored
    left = [_count(unread, "source", "read")] if unread else []
    left += [_count(unscored, "item", "scored")] if unscored else []
    if not left:
        return ""
    return f"not in here: {' and '.join(left)}; morningdeck run works them off"


def _count(number: int, what: str, done: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'} not {done} yet"
