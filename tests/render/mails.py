"""Reports as the bytes of a mail."""

from __future__ import annotations

from morningdeck.model.sending import Report
from morningdeck.outgoing_mail import compose
from morningdeck.render.fitting import render
from morningdeck.render.links import footer_links, shared_way
from morningdeck.signed_links import SignedLinks
from morningdeck.signing import Signer

ADDRESS = "news@deck.example"
SENDER = f"Morning Deck <{ADDRESS}>"


SIGNED = SignedLinks("https://deck.example/deck", Signer(lambda: b"key"))


def mail(report: Report) -> bytes:
    """One for one reader has links that act."""
    signed = SIGNED if report.for_one else None
    rendered = render(report, footer_links(report, ADDRESS, signed))
    return compose(
        report,
        rendered,
        recipient="Jane <jane@example.org>",
        sender=SENDER,
        message_id=f"<report-{report.id}.0123456789abcdef@deck.example>",
        one_click="https://deck.example/unsubscribe/token",
        shared=shared_way(report, ADDRESS, signed),
    )
