"""`briefing`: what is sent, when, and to whom."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from morningdeck import plans
from morningdeck.actions import briefings, reports
from morningdeck.cli.desk import Desk, Id, Limit, desk, group, id_option, on_one
from morningdeck.cli.report import where_it_went
from morningdeck.delivery import CHANNELS
from morningdeck.errors import ConfigError
from morningdeck.languages import LANGUAGES
from morningdeck.model.wanting import ON_THE_SUBJECT, BriefingChanges, NewBriefing
from morningdeck.views.sent import BriefingView, ReportView

app = group("What is sent, when, and to whom.")


QuietDays = Literal["skip", "note"]
# ---- what `add` and `edit` are told

CRITERIA = typer.Option(metavar="TEXT", help="What its reader cares about.")
MIN_SCORE = typer.Option(min=0, max=100, metavar="N", help="Nothing that scores lower.")
MAX_ITEMS = typer.Option(min=1, max=100, metavar="N", help="No more than so many.")
QUIET_DAYS = typer.Option(help="When nothing is worth it.")

Daily = Annotated[str | None, typer.Option(metavar="HH:MM", help="Every day at.")]
Weekly = Annotated[str | None, typer.Option(metavar="DAY", help="Once a week on.")]
At = Annotated[str | None, typer.Option("--at", metavar="HH:MM", help="With --weekly: at.")]
DaysOption = Annotated[
    str | None, typer.Option(metavar="mon-fri", help="Only on these days; not built yet.")
]
Zone = Annotated[str | None, typer.Option(metavar="ZONE", help="Of its times; at first yours.")]
To = Annotated[list[str] | None, typer.Option(metavar="ADDRESS", help="Who gets it by mail.")]
Channels = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[" + "|".join(dict.fromkeys(("smtp", *CHANNELS, "webhook"))) + "]",
        help="How it goes out; at first smtp where it can, else folder.",
    ),
]
Sources = Annotated[list[int] | None, id_option("Only this one; at first all sources.")]
Language = Annotated[
    str | None,
    typer.Option(metavar="CODE", help=f"One of {', '.join(LANGUAGES)}; at first en."),
]


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
    min_score: Annotated[int, MIN_SCORE] = ON_THE_SUBJECT,
    max_items: Annotated[int, MAX_ITEMS] = 10,
    quiet_days: Annotated[QuietDays, QUIET_DAYS] = "skip",
    language: Language = None,
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
            source_ids=tuple(source or ()),
        )
        here.out.show(
            briefings.add(
                here.store,
                here.user.id,
                new,
                mail_works=here.app.settings.smtp.host is not None,
                check_channels=here.adapters.check_channels,
                now=here.now,
            )
        )


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
    min_score: Annotated[int | None, MIN_SCORE] = None,
    max_items: Annotated[int | None, MAX_ITEMS] = None,
    quiet_days: Annotated[QuietDays | None, QUIET_DAYS] = None,
    language: Language = None,
) -> None:
    """Change what you name; the rest stays as it is.

    By other criteria, what is recent is scored anew.
    """
    if source and all_sources:
        raise ConfigError("--source or --all-sources, not both")
    changes = BriefingChanges(
        title=title,
        criteria=criteria,
        channels=tuple(channel) if channel else None,
        recipients=tuple(to) if to else None,
        max_items=max_items,
        min_score=min_score,
        quiet_note=None if quiet_days is None else quiet_days == "note",
        language=language,
        source_ids=tuple(source or ()) if source or all_sources else None,
    )
    when = plans.When(daily, weekly, at, timezone, days)
    with desk(context) as here:
        edited = briefings.edit(
            here.store,
            here.user.id,
            id,
            changes,
            when,
            check_channels=here.adapters.check_channels,
            now=here.now,
        )
        here.out.show(edited)


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
            at.out.text("html", at.adapters.mail_writer.render(found.report).html)
        elif text:
            at.out.text("text", at.adapters.mail_writer.render(found.report).text)
        else:
            at.out.either(found.view, lambda: _show_preview(at, found))
        at.out.note(_told(found.left_out))


def _show_preview(at: Desk, found: briefings.Preview) -> None:
    if found.report.items or not found.left_out:
        at.out.text("text", at.adapters.mail_writer.render(found.report).text)
    else:  # its words for a quiet day would be untrue
        at.out.say("nothing to show yet")


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
        reports.check_arrived(done.report)


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
