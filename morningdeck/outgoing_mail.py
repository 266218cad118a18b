"""A rendered report as mails: who gets one, under which id, and the exact bytes of each.

    Report --render--> Rendered --compose--> bytes, in one envelope for each address

Pure: the same arguments give the same bytes. Everything in a report is foreign text: no
header can be smuggled in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, getaddresses
from hashlib import sha256

from morningdeck.errors import PermanentError
from morningdeck.hosts import in_ascii
from morningdeck.model.sending import Briefing, Envelope, Rendered, Report
from morningdeck.plaintext import slug
from morningdeck.wording import local_day


@dataclass(frozen=True, slots=True)
class MailWriter:
    """`sender` is the address that mails come from, `base_url` where the web pages are;
    `addressed` says whether a channel's copies go to addresses.
    """

    sender: str
    addressed: Callable[[str], bool]
    base_url: str | None = None

    def render(self, report: Report) -> Rendered:
        from morningdeck.render import render  # jinja2 takes 5 MB: not before the first report

        return render(report, base_url=self.base_url)

    def envelopes(
        self, briefing: Briefing, report: Report, rendered: Rendered
    ) -> tuple[Envelope, ...]:
        """The same text and page for every address of every channel."""
        return tuple(
            self._envelope(report, rendered, channel, address, mailbox)
            for channel in briefing.channels
            for address, mailbox in self._addresses(briefing, channel)
        )

    def _addresses(self, briefing: Briefing, channel: str) -> tuple[tuple[str, str], ...]:
        """Each with the mailbox that its mail names; a copy for nobody names its owner's."""
        if self.addressed(channel):
            return tuple((address, address) for address in briefing.recipients)
        return ((channel, (*briefing.recipients, briefing.user_email)[0]),)

    def _envelope(
        self, report: Report, rendered: Rendered, channel: str, address: str, mailbox: str
    ) -> Envelope:
        message_id = self._message_id(report, channel, address)
        content = compose(
            report, rendered, recipient=mailbox, sender=self.sender, message_id=message_id
        )
        return Envelope(channel, address, message_id, content, _file_stem(report))

    def _message_id(self, report: Report, channel: str, address: str) -> str:
        """The same for every attempt, so that a mailbox can tell that it has it already."""
        seed = f"{report.id}:{channel}:{address}:{report.generated_at.isoformat()}"
        domain = self.sender.rpartition("@")[2].strip("> ")
        return f"<report-{report.id}.{sha256(seed.encode()).hexdigest()[:24]}@{domain}>"


def _file_stem(report: Report) -> str:
    day = local_day(report).isoformat()
    return f"{day}-{slug(report.briefing_title)}-{report.id}"


# ---- the bytes of a mail


def compose(
    report: Report, rendered: Rendered, *, recipient: str, sender: str, message_id: str
) -> bytes:
    """The exact bytes of the mail; PermanentError when an address is none."""
    to, from_ = _address(recipient), _address(sender)
    message = EmailMessage(policy=SMTP)
    message["From"] = from_
    message["To"] = to
    # EmailMessage decodes what looks like an encoded word, line breaks included:
    # the subject "=?utf-8?q?a=0ABcc=3A_b?=" would add a header.
    message["Subject"] = rendered.subject.replace("=?", "= ?")
    message["Date"] = format_datetime(report.generated_at)
    message["Message-ID"] = message_id
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(rendered.text, cte="quoted-printable")
    message.add_alternative(rendered.html, subtype="html", cte="quoted-printable")
    # "=_" never occurs in quoted-printable text, so no story can contain the boundary.
    message.set_boundary("=_" + sha256(message_id.encode()).hexdigest()[:32])
    return _list_headers(report, rendered, from_) + message.as_bytes()


def _address(text: str) -> Address:
    """One mailbox, its domain in ASCII: EmailMessage would spell other ones wrongly."""
    try:
        ((name, address),) = getaddresses([text])
        local, _, domain = address.rpartition("@")
        if "=?" in text or not (local and local.isascii() and domain and text.isprintable()):
            raise ValueError("not a mailbox")
        return Address(name, addr_spec=f"{local}@{in_ascii(domain)}")
    except (ValueError, HeaderParseError) as error:
        raise PermanentError(
            f"mail: {text!r} is not an address that mail can be sent to"
        ) from error


def _list_headers(report: Report, rendered: Rendered, sender: Address) -> bytes:
    """Written by hand: EmailMessage folds long ids and links into encoded words."""
    headers = [f"List-ID: <briefing-{report.briefing_id}.{sender.domain}>"]
    if rendered.unsubscribe_url:
        headers.append(f"List-Unsubscribe: <{rendered.unsubscribe_url}>")
        headers.append("List-Unsubscribe-Post: List-Unsubscribe=One-Click")
    return "".join(f"{header}\r\n" for header in headers).encode()
