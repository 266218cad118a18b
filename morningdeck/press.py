"""Puts a report into words and into the envelopes of its channels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256

from morningdeck import wording
from morningdeck.model import Briefing, Envelope, Report
from morningdeck.render import compose, render_html, render_text

FOLDER = "folder"
"""Its one copy is for nobody in particular; the other channels need addresses."""


@dataclass(frozen=True, slots=True)
class MailPress:
    """`sender` is the address that mails come from, `base_url` where the web pages are."""

    sender: str
    base_url: str | None = None

    def worded(self, report: Report) -> Report:
        """The report with its subject and overview."""
        return replace(report, subject=wording.subject(report), overview=wording.overview(report))

    def text(self, report: Report) -> str:
        """As a mail's reader without a browser sees it."""
        return render_text(report, base_url=self.base_url)

    def page(self, report: Report) -> str:
        return render_html(report, base_url=self.base_url)

    def envelopes(self, briefing: Briefing, report: Report) -> tuple[Envelope, ...]:
        return tuple(
            self._envelope(briefing, report, channel, address)
            for channel in briefing.channels
            for address in _addresses(briefing, channel)
        )

    def _envelope(self, briefing: Briefing, report: Report, channel: str, address: str) -> Envelope:
        message_id = self._message_id(report, channel, address)
        content = compose(
            report,
            recipient=_mailbox(briefing, address),
            sender=self.sender,
            message_id=message_id,
            date=report.generated_at,
            base_url=self.base_url,
        )
        day = wording.local_day(report).isoformat()
        stem = f"{day}-{wording.slug(briefing.title)}-{report.id}"
        return Envelope(channel, address, message_id, content, stem)

    def _message_id(self, report: Report, channel: str, address: str) -> str:
        """The same for every attempt, so that a mailbox can tell that it has it already."""
        seed = f"{report.id}:{channel}:{address}:{report.generated_at.isoformat()}"
        domain = self.sender.rpartition("@")[2].strip("> ")
        return f"<report-{report.id}.{sha256(seed.encode()).hexdigest()[:24]}@{domain}>"


def _addresses(briefing: Briefing, channel: str) -> tuple[str, ...]:
    """One copy for a folder, one for each recipient otherwise."""
    return (FOLDER,) if channel == FOLDER else briefing.recipients


def _mailbox(briefing: Briefing, address: str) -> str:
    if address != FOLDER:
        return address
    return briefing.recipients[0] if briefing.recipients else briefing.user_email
