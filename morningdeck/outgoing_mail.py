"""A rendered report as mails: who gets one, under which id, and the exact bytes of each.

    Report --render--> Rendered --compose--> bytes, in one envelope for each address

Pure: the same arguments give the same bytes. Everything in a report is foreign text: no
header can be smuggled in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8
from email.utils import format_datetime
from hashlib import sha256

from morningdeck.errors import PermanentError
from morningdeck.mailboxes import mailbox
from morningdeck.model.pictures import Picture
from morningdeck.model.sending import Briefing, Envelope, Rendered, Report
from morningdeck.plaintext import slug
from morningdeck.render.links import footer_links, shared_way, unsubscribing
from morningdeck.render.sizes import encoding_of
from morningdeck.signed_links import SignedLinks
from morningdeck.wording import local_day


@dataclass(frozen=True, slots=True)
class MailWriter:
    """`sender` is the address that mails come from, `links` lead to the web where that is set up;
    `addressed` says whether a channel's copies go to addresses, `copies` to which of them, and
    `composes` what makes their bytes, where they are no mails.
    """

    sender: str
    addressed: Callable[[str], bool]
    links: SignedLinks | None = None
    copies: Callable[[str, Sequence[str]], tuple[str, ...]] = lambda channel, all_: tuple(all_)
    composes: Callable[[str], Callable[[Report], bytes] | None] = lambda channel: None

    def render(self, report: Report) -> Rendered:
        from morningdeck.render.fitting import render  # jinja2 and Babel: not before it is needed

        return render(report, footer_links(report, _address(self.sender).addr_spec, self.links))

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
            return tuple((to, to) for to in self.copies(channel, briefing.recipients))
        mailboxes = (to for to in briefing.recipients if "://" not in to)
        return ((channel, next(mailboxes, briefing.user_email)),)

    def _envelope(
        self, report: Report, rendered: Rendered, channel: str, address: str, mailbox: str
    ) -> Envelope:
        message_id = self._message_id(report, channel, address)
        as_told = self.composes(channel)
        if as_told is not None:
            return Envelope(channel, address, message_id, as_told(report), _file_stem(report))
        content = compose(
            report,
            rendered,
            recipient=mailbox,
            sender=self.sender,
            message_id=message_id,
            one_click=self._one_click(report, channel, address),
            shared=shared_way(report, _address(self.sender).addr_spec, self.links),
        )
        return Envelope(channel, address, message_id, content, _file_stem(report))

    def _one_click(self, report: Report, channel: str, address: str) -> str | None:
        """Not in a copy for nobody, which goes to no address that could be ended."""
        if self.links is None or not self.addressed(channel):
            return None
        return self.links.unsubscribe(report.briefing_id, address)

    def _message_id(self, report: Report, channel: str, address: str) -> str:
        """The same for every attempt, so that a mailbox can tell that it has it already."""
        seed = f"{report.id}:{channel}:{address}:{report.generated_at.isoformat()}"
        domain = _address(self.sender).domain
        return f"<report-{report.id}.{sha256(seed.encode()).hexdigest()[:24]}@{domain}>"


def _file_stem(report: Report) -> str:
    day = local_day(report).isoformat()
    return f"{day}-{slug(report.briefing_title)}-{report.id}"


# ---- the bytes of a mail


def compose(
    report: Report,
    rendered: Rendered,
    *,
    recipient: str,
    sender: str,
    message_id: str,
    one_click: str | None = None,
    shared: str | None = None,
) -> bytes:
    """The exact bytes of the mail; PermanentError when an address is none. A POST to `one_click`
    ends the mails to this address at once (RFC 8058); `shared` is the way out that was rendered,
    where it is no mail.
    """
    to, from_ = _address(recipient), _address(sender)
    # only who has such an address gets headers that not every server takes
    ascii_alone = to.username.isascii() and from_.username.isascii()
    message = EmailMessage(policy=SMTP if ascii_alone else SMTPUTF8)
    message["From"] = from_
    message["To"] = to
    # EmailMessage decodes what looks like an encoded word, line breaks included:
    # the subject "=?utf-8?q?a=0ABcc=3A_b?=" would add a header.
    message["Subject"] = rendered.subject.replace("=?", "= ?")
    message["Date"] = format_datetime(report.generated_at)
    message["Message-ID"] = message_id
    message["Auto-Submitted"] = "auto-generated"
    leave = unsubscribing(report, from_.addr_spec, message_id)
    shared = shared or unsubscribing(report, from_.addr_spec)
    own = one_click or leave
    text, html = (_leaving(part, shared, own) for part in (rendered.text, rendered.html))
    message.set_content(text, cte=encoding_of(text))
    if rendered.picture is not None:
        html = _with_picture(html, rendered.picture, message_id)
    message.add_alternative(html, subtype="html", cte=encoding_of(html))
    if rendered.picture is not None:
        _attach(message, rendered.picture, message_id)
    # "=_" never occurs in quoted-printable or base64, so no story can contain the boundary.
    message.set_boundary("=_" + sha256(message_id.encode()).hexdigest()[:32])
    return _list_headers(report, from_, one_click, leave) + message.as_bytes()


def _name_of_picture(message_id: str) -> str:
    return f"picture.{message_id.strip('<>')}"


def _with_picture(page: str, picture: Picture, message_id: str) -> str:
    """The page holds it in itself, which few mail programs show: in a mail it stands beside."""
    return page.replace(f'src="{picture.as_url}"', f'src="cid:{_name_of_picture(message_id)}"', 1)


def _attach(message: EmailMessage, picture: Picture, message_id: str) -> None:
    page = message.get_payload(1)
    assert isinstance(page, EmailMessage)
    name = f"<{_name_of_picture(message_id)}>"
    page.add_related(picture.content, "image", "jpeg", cid=name, disposition="inline")
    page.set_boundary("=_p" + sha256(message_id.encode()).hexdigest()[:32])


def _leaving(part: str, shared: str | None, own: str | None) -> str:
    """With the reader's own way out in the footer, instead of the one that all parts share."""
    before, found, after = part.rpartition(shared or "\0")
    return f"{before}{own}{after}" if found and own else part


def _address(text: str) -> Address:
    """One mailbox, its domain in ASCII: EmailMessage would spell other ones wrongly."""
    try:
        one = mailbox(text)
        if one.local.isascii():
            return Address(one.name, addr_spec=one.address)
        return Address(one.name, one.local, one.domain)  # an addr_spec may be ASCII alone
    except (ValueError, HeaderParseError) as error:
        raise PermanentError(
            f"mail: {text!r} is not an address that mail can be sent to"
        ) from error


def _list_headers(
    report: Report, sender: Address, one_click: str | None, leave: str | None
) -> bytes:
    """Written by hand: EmailMessage folds long ids and links into encoded words."""
    headers = [f"List-ID: <briefing-{report.briefing_id}.{sender.domain}>"]
    if told := ", ".join(f"<{way}>" for way in (one_click, leave) if way):
        headers.append(f"List-Unsubscribe: {told}")
    if one_click and one_click.startswith("https:"):
        headers.append("List-Unsubscribe-Post: List-Unsubscribe=One-Click")
    return "".join(f"{header}\r\n" for header in headers).encode()
