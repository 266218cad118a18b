"""Reports as the bytes of a mail."""

from __future__ import annotations

from morningdeck.model.sending import Report
from morningdeck.outgoing_mail import compose
from morningdeck.render.fitting import render
from morningdeck.render.links import footer_links

ADDRESS = "news@deck.example"
SENDER = f"Morning Deck <{ADDRESS}>"


def mail(report: Report) -> bytes:
    rendered = render(report, footer_links(report, ADDRESS))
    return compose(
        report,
        rendered,
        recipient="Jane <jane@example.org>",
        sender=SENDER,
        message_id=f"<report-{report.id}.0123456789abcdef@deck.example>",
        one_click="https://deck.example/unsubscribe/token",
    )
