"""Letters as newsletters send them, built from a few words."""

from __future__ import annotations

from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime

SENDER = "The Daily Grid <news@grid.example>"
SENT_AT = datetime(2026, 11, 18, 6, 30, tzinfo=UTC)
STORIES = {
    "Offshore wind farm feeds its first power into the grid": (
        "The wind farm off the coast has fed its first 135 megawatts into the grid."
    ),
    "Grid storage auction clears at a record low price": (
        "The auction for storage ended at 41,300 euros a megawatt, the lowest price so far."
    ),
    "Regulator opens the market for heat pumps": (
        "From spring on, anybody may offer heat as a service, the regulator decided on Monday."
    ),
    "Three cities plan a common hydrogen pipeline": (
        "The pipeline is to be 84 kilometres long and to carry its first gas in 2029."
    ),
}


def letter(
    *,
    text: str | None = None,
    html: str | None = None,
    subject: str = "Your morning grid",
    sender: str = SENDER,
    message_id: str = "<42@grid.example>",
    date: datetime = SENT_AT,
    **headers: str,
) -> bytes:
    message = EmailMessage()
    message["From"] = sender
    message["To"] = "reader@example.org"
    message["Subject"] = subject
    message["Message-ID"] = message_id
    message["Date"] = format_datetime(date)
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    if text is not None:
        message.set_content(text)
    if html is not None and text is not None:
        message.add_alternative(html, subtype="html")
    elif html is not None:
        message.set_content(html, subtype="html", cte="quoted-printable")
    return message.as_bytes()


def newsletter(stories: dict[str, str] = STORIES, issue: int = 1) -> str:
    """Tables in tables, as mail programs want it, with what newsletters have around."""
    rows = "".join(
        f"""<tr><td><img src="https://cdn.grid.example/{issue}-{number}.jpg" width="560"></td></tr>
        <tr><td style="padding:8px"><table><tr><td style="font-size:22px;font-weight:bold">
        <a href="https://grid.example/{issue}/{number}?utm_source=mail">{title}</a></td></tr>
        <tr><td style="font-size:16px">{body}</td></tr>
        <tr><td><a href="https://grid.example/{issue}/{number}">Read more</a></td></tr>
        </table></td></tr>"""
        for number, (title, body) in enumerate(stories.items())
    )
    return f"""<html><head><title>Grid</title><style>td {{ color: #333 }}</style></head><body>
        <div style="display:none;max-height:0">Peek: what the preheader says</div>
        <table width="600"><tr><td>
        <a href="https://grid.example/web/{issue}">View this email in your browser</a></td></tr>
        <tr><td><a href="https://grid.example/"><img src="https://cdn.grid.example/logo.png"></a>
        </td></tr>{rows}
        <tr><td>You are receiving this because you signed up.
        <a href="https://grid.example/unsubscribe?u=7">Unsubscribe</a></td></tr></table>
        <img src="https://track.grid.example/open?u=7" width="1" height="1"></body></html>"""
