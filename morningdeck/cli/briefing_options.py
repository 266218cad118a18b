"""What `briefing add` and `briefing edit` are told."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from morningdeck.cli.desk import id_option
from morningdeck.delivery import CHANNELS, addressed, copies
from morningdeck.languages import LANGUAGES
from morningdeck.views.sent import BriefingView

QuietDays = Literal["skip", "note"]

CRITERIA = typer.Option(metavar="TEXT", help="What its reader cares about.")
MIN_SCORE = typer.Option(min=0, max=100, metavar="N", help="Nothing that scores lower.")
MAX_ITEMS = typer.Option(min=1, max=100, metavar="N", help="No more than so many, in each section.")
QUIET_DAYS = typer.Option(help="When nothing is worth it.")

Daily = Annotated[
    str | None, typer.Option(metavar="HH:MM[,HH:MM...]", help="Every day at, once or oftener.")
]
Weekly = Annotated[str | None, typer.Option(metavar="DAY", help="Once a week on.")]
At = Annotated[str | None, typer.Option("--at", metavar="HH:MM", help="With --weekly: at.")]
DaysOption = Annotated[
    str | None, typer.Option(metavar="mon-fri", help="With --daily: only on these, or mon,wed,fri.")
]
Zone = Annotated[str | None, typer.Option(metavar="ZONE", help="Of its times; at first yours.")]
To = Annotated[
    list[str] | None, typer.Option(metavar="ADDRESS", help="Who gets it: a mail or a web address.")
]
Channels = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[" + "|".join(dict.fromkeys(("smtp", *CHANNELS))) + "]",
        help="How it goes out; at first smtp where it can, else folder.",
    ),
]
Sources = Annotated[list[int] | None, id_option("Only this one; at first all sources.")]
SectionWishes = Annotated[
    list[str] | None,
    typer.Option(
        "--section",
        metavar='"TITLE: WISH"',
        help="A further wish, with its own places under this title; as often as you like.",
    ),
]
PingUrl = Annotated[
    str | None,
    typer.Option("--ping", metavar="URL", help="Asked after each run, /fail if it failed."),
]
Language = Annotated[
    str | None,
    typer.Option(metavar="CODE", help=f"One of {', '.join(LANGUAGES)}; at first en."),
]


def forgotten(before: BriefingView, after: BriefingView) -> str:
    """Say what a daily has lost that has become a weekly."""
    if not (before.frequency == "DAILY" and after.frequency == "WEEKLY"):
        return ""
    _, *times = before.local_time.split(",")
    lost = [f"not at {', '.join(times)}"] if times else []
    lost += [f"not on {', '.join(before.days)}"] if before.days else []
    return f"it comes once a week now, {' and '.join(lost)} any more" if lost else ""


def unserved(briefing: BriefingView) -> str:
    """Name who was named in vain: no channel of the briefing goes to their address."""
    served = {
        one
        for name in briefing.channels
        if addressed(name)
        for one in copies(name, briefing.recipients)
    }
    first, *more = [one for one in briefing.recipients if one not in served] or [""]
    if not first:
        return ""
    who = f"{first} and {len(more):,} more" if more else first
    return (
        f"nothing is mailed to {who}: this briefing goes by {' and '.join(briefing.channels)}."
        f" With smtp.host set, say morningdeck briefing edit {briefing.id} --channel smtp"
    )
