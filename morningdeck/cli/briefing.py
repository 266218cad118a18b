"""`briefing`: what is sent, when, and to whom."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from morningdeck import plans
from morningdeck.cli import words
from morningdeck.cli.arrival import check_arrived, where_it_went
from morningdeck.cli.desk import Desk, Id, Limit, desk, group
from morningdeck.errors import ConfigError
from morningdeck.languages import LANGUAGES
from morningdeck.model import ON_THE_SUBJECT, NewBriefing, Plan, Report
from morningdeck.schedule import WEEKDAYS, next_run
from morningdeck.views import BriefingRunView, BriefingView, ReportView
from morningdeck.views import preview as as_view

app = group("What is sent, when, and to whom.")


class ChannelName(StrEnum):
    SMTP = "smtp"
    FOLDER = "folder"
    WEBHOOK = "webhook"


class QuietDays(StrEnum):
    SKIP = "skip"
    NOTE = "note"


@app.command()
def add(
    context: typer.Context,
    title: Annotated[str, typer.Argument(metavar="TITLE", help="What its mails are called.")],
    criteria: Annotated[str, typer.Option(metavar="TEXT", help="What its reader cares about.")],
    daily: Annotated[str | None, typer.Option(metavar="HH:MM", help="Every day at.")] = None,
    weekly: Annotated[str | None, typer.Option(metavar="DAY", help="Once a week on.")] = None,
    at_time: Annotated[
        str | None, typer.Option("--at", metavar="HH:MM", help="With --weekly: at.")
    ] = None,
    timezone: Annotated[
        str | None, typer.Option(metavar="ZONE", help="Yours, if you do not say.")
    ] = None,
    to: Annotated[
        list[str] | None, typer.Option(metavar="ADDRESS", help="Who gets it by mail.")
    ] = None,
    channel: Annotated[
        list[ChannelName] | None,
        typer.Option(help="How it goes out; smtp where it can, else folder."),
    ] = None,
    source: Annotated[
        list[int] | None,
        typer.Option(parser=words.identity, metavar="ID", help="All sources, if you name none."),
    ] = None,
    min_score: Annotated[
        int, typer.Option(min=0, max=100, metavar="N", help="Nothing that scores lower.")
    ] = ON_THE_SUBJECT,
    max_items: Annotated[
        int, typer.Option(min=1, max=100, metavar="N", help="No more than so many.")
    ] = 10,
    quiet_days: Annotated[QuietDays, typer.Option(help="When nothing is worth it.")] = (
        QuietDays.SKIP
    ),
    language: Annotated[
        str | None,
        typer.Option(metavar="CODE", help=f"One of {', '.join(LANGUAGES)}; en, if you do not say."),
    ] = None,
) -> None:
    """Have a briefing from its next time on."""
    with desk(context) as at:
        plan = plans.plan(daily, weekly, at_time, timezone or at.user.timezone)
        recipients = tuple(to or ())
        draft = NewBriefing(
            title=title,
            criteria=criteria,
            plan=plan,
            channels=tuple(one.value for one in channel or ()) or _default_channels(at, recipients),
            recipients=recipients,
            max_items=max_items,
            min_score=min_score,
            quiet_note=quiet_days is QuietDays.NOTE,
            language=language,
            source_ids=tuple(source or ()),
        )
        at.app.check_channels(draft.channels, draft.recipients)
        next_run_at = next_run(plan, at.now)
        at.out.show(at.store.briefings.add(at.user.id, draft, now=at.now, next_run_at=next_run_at))


def _default_channels(at: Desk, recipients: tuple[str, ...]) -> tuple[str, ...]:
    by_mail = recipients and at.app.settings.smtp.host
    return (ChannelName.SMTP.value if by_mail else ChannelName.FOLDER.value,)


@app.command("list")
def list_(context: typer.Context, limit: Limit = 50) -> None:
    """Your briefings, the newest first."""
    with desk(context) as at:
        at.out.list(
            at.store.briefings.list(at.user.id, limit),
            "id",
            "title",
            "status",
            "paused",
            "frequency",
            "next_run_at",
            "last_executed_at",
            "last_error",
        )


@app.command()
def show(context: typer.Context, id: Id) -> None:
    """Everything about one."""
    with desk(context) as at:
        at.out.show(at.store.briefings.show(at.user.id, id))


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
        at.store.briefings.show(at.user.id, id)
        with at.out.busy("weighing"):
            report = at.app.preview(id)
        unread, unscored = at.app.expected(id)
        if html:
            at.out.text("html", at.app.mail_writer.render(report).html)
        elif text:
            at.out.text("text", at.app.mail_writer.render(report).text)
        else:
            view = as_view(report, unscored, unread)
            at.out.either(view, lambda: _show_preview(at, report, unread + unscored))
        at.out.note(_left_out(unread, unscored))


def _show_preview(at: Desk, report: Report, left: int) -> None:
    if report.items or not left:
        at.out.text("text", at.app.mail_writer.render(report).text)
    else:  # its words for a quiet day would be untrue
        at.out.say("nothing to show yet")


@app.command()
def pause(context: typer.Context, id: Id) -> None:
    """Send nothing for now."""
    with desk(context) as at:
        at.out.show(at.store.briefings.pause(at.user.id, id))


@app.command()
def resume(context: typer.Context, id: Id) -> None:
    """Send it again, from its next time on."""
    with desk(context) as at:
        view = at.store.briefings.show(at.user.id, id)
        next_run_at = next_run(_plan(view), at.now)
        at.out.show(at.store.briefings.resume(at.user.id, id, next_run_at=next_run_at))


def _plan(view: BriefingView) -> Plan:
    hour, minute = plans.time_of_day(view.local_time)
    weekday = None if view.weekday is None else WEEKDAYS.index(view.weekday)
    return Plan(hour, minute, view.timezone, weekday)


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
            report_id = at.app.run_briefing(id, wait_seconds=wait, tell=tell)
        report = at.store.reports.show(at.user.id, report_id)
        unread, unscored = at.app.expected(id)
        view = BriefingRunView(report.id, len(report.items), report.deliveries, unscored, unread)
        at.out.either(view, lambda: _show_run(at, briefing, report))
        at.out.note(_left_out(unread, unscored))
        check_arrived(report)


def _show_run(at: Desk, briefing: BriefingView, report: ReportView) -> None:
    at.out.show({"report": report.id, "items": len(report.items), "weighed": report.weighed})
    if any(delivery.state == "SENT" for delivery in report.deliveries):
        for delivery in report.deliveries:  # else the error says why it went nowhere
            at.out.say(where_it_went(delivery))
    if not report.deliveries:
        at.out.say(f"nothing was sent: no new story scored {briefing.min_score} or more")


def _left_out(unread: int, unscored: int) -> str:
    """What a report without it must not be taken for: a quiet day."""
    left = [_count(unread, "source", "read")] if unread else []
    left += [_count(unscored, "item", "scored")] if unscored else []
    if not left:
        return ""
    return f"not in here: {' and '.join(left)}; morningdeck run works them off"


def _count(number: int, what: str, done: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'} not {done} yet"
