"""`report`: what was sent."""

from __future__ import annotations

from typing import Annotated

import typer

from morningdeck.actions import reports
from morningdeck.cli.desk import Desk, Id, Limit, desk, group, id_option
from morningdeck.errors import ConfigError
from morningdeck.views.sent import DeliveryView, LeftOutView, ReportView
from morningdeck.wording import WHY_NOT

app = group("What was sent.")


@app.command("list")
def list_(
    context: typer.Context,
    briefing: Annotated[int | None, id_option("Only of this briefing.")] = None,
    limit: Limit = 50,
) -> None:
    """Your reports, the newest first."""
    with desk(context) as at:
        at.out.list(
            at.store.reports.list(at.user.id, briefing_id=briefing, limit=limit),
            "id subject generated_at slot briefing_id",
            deliveries=_states,
            status=lambda view: view.status,
        )


def _states(view: ReportView) -> tuple[str, ...]:
    return tuple(delivery.state for delivery in view.deliveries)


@app.command()
def show(
    context: typer.Context,
    id: Id,
    html: Annotated[
        bool, typer.Option("--html", help="The page as it was sent: --html > page.html.")
    ] = False,
    text: Annotated[bool, typer.Option("--text", help="The plain text as it was sent.")] = False,
    left_out: Annotated[
        bool, typer.Option("--left-out", help="What it weighed and did not show, and why.")
    ] = False,
) -> None:
    """What it says and where it went, or exactly what was sent, or what was left out."""
    if html + text + left_out > 1:
        raise ConfigError("one of --html, --text and --left-out")
    with desk(context) as at:
        if left_out:
            history = at.store.reports.left_out(at.user.id, id)
            at.out.either(history, lambda: _print_left_out(at, history))
            return
        view = at.store.reports.show(at.user.id, id)
        if html:
            at.out.text("html", reports.as_sent(at.store, at.user.id, id).html)
        elif text:
            at.out.text("text", reports.as_sent(at.store, at.user.id, id).text)
        else:
            at.out.either(view, lambda: _print(at, view))


def _print(at: Desk, view: ReportView) -> None:
    if view.generated_at is not None:
        rendered = reports.as_written(
            at.store, at.user.id, view.id, at.adapters.outlets.mail_writer.render
        )
        at.out.text("text", f"{rendered.text}\n")
    _print_state(at, view)


def _print_left_out(at: Desk, view: LeftOutView) -> None:
    at.out.list(view.passed_over, "score source title", why=lambda one: WHY_NOT[one.why])
    counts = [f"{count:,} {WHY_NOT[why]}" for why, count in view.left_out.items()]
    at.out.say(f"weighed {view.weighed:,}, shown {len(view.items)}; {', '.join(counts) or 'none'}")


def _print_state(at: Desk, view: ReportView) -> None:
    """One line about it, and one for each delivery."""
    untold = "" if view.generated_at else ", nothing was written"
    at.out.say(f"report {view.id}, {view.slot}, {view.status}{untold}")
    for delivery in view.deliveries:
        at.out.say(where_it_went(delivery))


def where_it_went(delivery: DeliveryView) -> str:
    told = delivery.reply if delivery.state == "SENT" else delivery.error
    return f"{delivery.state} {delivery.address}: {told or 'no reply'}"


@app.command()
def send(
    context: typer.Context,
    id: Id,
    to: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Only to this one of its addresses.")
    ] = None,
) -> None:
    """Send again what did not arrive; what did is never sent twice."""
    with desk(context) as at:
        with at.out.busy("sending"):
            report = reports.send(at.store, at.app.on_demand, at.user.id, id, to)
        at.out.either(report, lambda: _print_state(at, report))
        at.app.pinging.round()
        reports.check_arrived(report)
