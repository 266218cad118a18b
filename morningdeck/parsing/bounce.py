"""A mail that came back, to what its server says of the address.

    message/delivery-status  -> what the standard has (RFC 3464): action, status, diagnostics
    any other, from a robot  -> codes and phrases before the mail that it returns
    "unsubscribe ID"         -> its reader asks for no more, from the footer of the mail of that id
    everything else          -> no bounce: vacation replies, complaints, challenges, letters

DEAD is an address at which nobody will ever be reached: unknown, disabled, moved, no such host.
What speaks of the letter or of this hour (spam, policy, a full mailbox, a server that is away), or
does not say, is TROUBLE, whatever its status: the address may be fine tomorrow. Half of all 5.x.x
are of that sort. A delay is no bounce yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message

from morningdeck.mailboxes import LONGEST_ADDRESS
from morningdeck.model.reading import ASKED_TO_LEAVE, Bounce, BounceKind
from morningdeck.parsing import automatic_mail, decode, mail_bodies, mime

MOST_OF_A_PART = 100_000
MOST_IDS = 20
MOST_OF_A_REASON = 300
CLIP = 20_000
"""Of a report's own words: what follows is the mail that came back."""

_STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_REPLY = re.compile(r"(?:^|[\s:<(\[])([45])\d\d[ \-](?=[\w<#(])", re.M)
_ID = re.compile(
    r"^[ \t>]{0,20}(?:X-)?(?:Original-)?(?:Message-ID|In-Reply-To|References):?"
    r"\s{0,20}((?:<[^<>\s]{1,998}>\s{0,20})+)"
    r"|^Original-Envelope-Id:[ \t]{0,20}([^<>\s]{1,100})[ \t\r]*$",
    re.I | re.M,
)
_RETURNED = re.compile(
    r"^(?:(?:Return-Path|Received|DKIM-Signature|MIME-Version|Message-ID|X-[\w-]+):"
    r"|-{2,} ?(?:Original|Returned|Unsent|Enclosed|The header|This is a copy|Below|Message header)"
    r"|-{2,} Forwarded).*",
    re.I | re.M,
)
_ROBOT = re.compile(
    r"mailer[-_]?daemon|mail.?delivery|postmaster|post_master|no.?reply|bounce|system administrator"
    r"|mail delivery|auto.?notify|administrator@|mailsystem|delivery.?(?:system|subsystem)",
    re.I,
)
_FAILED = re.compile(
    r"undeliver|not be delivered|not delivered|delivery (?:status|failure|notification|has failed)"
    r"|delivery.{0,30}fail|fail(?:ed|ure).{0,30}deliver|returned (?:mail|to sender)|mail failure"
    r"|(?:failure|nondeliver\w*) (?:notice|notification|report)|did not reach|unable to deliver"
    r"|mail system error|message error|message status|unzustellbar|non remis|no se pudo entregar"
    r"|mancata consegna|could ?n.t be delivered|could not (?:send|deliver)|wasn.t delivered"
    r"|mailsystem error|problem delivering|delivery problem|rejected",
    re.I,
)
_DEAD = re.compile(
    r"(?:user|recipient|mailbox|account|address|alias|destination|name)s?\b.{0,60}?"
    r"(?:unknown|not (?:found|known|exist|listed|recogni[sz]ed|here|valid)|does ?n.t exist"
    r"|does not exist|no longer|invalid|unavailable|disabled|discontinued|inactive|undeliverable)"
    r"|(?:unknown|invalid|bad|illegal|nonexist\w{1,9}|no such|no|undeliverable)\W{1,3}(?:local "
    r"|address |e-?mail )?"
    r"(?:user|recipient|mailbox|account|address|alias|person|domain|host)s?\b"
    r"|user ?unknown|no mailbox here|unroute?able|not our customer|no such (?:user|address|person)"
    r"|host (?:or domain name )?not found|host unknown|unknown host"
    r"|could.?n.t find (?:any host|a mail exchanger)"
    r"|(?:name|address) lookup failed|nxdomain"
    r"|domain.{0,30}(?:not exist|not found|couldn.t be found)"
    r"|has moved|please (?:try|use|forward to) <|does ?n.t have an? .{0,30}account"
    r"|null ?mx|no smtp service|(?:does|do) not accept (?:mail|email|messages)"
    r"|(?<![\w-])[\w-]{1,60}\.[a-z]{2,20} does not exist|delivery to .{0,20}failed permanently",
    re.I,
)
_OF_THE_LETTER = re.compile(
    r"spam|blacklist|black list|block(?:ed|list|ing)|\brbl\b|dnsbl|reputation|reverse dns|\bptr\b"
    r"|\bspf\b|dkim|dmarc|unauthenticated|authentication|relay(?:ing)?\b.{0,20}denied"
    r"|not permitted to relay"
    r"|relay access denied|unable to relay|policy|content|virus|banned|too (?:large|big|long)"
    r"|size limit"
    r"|quota|mailbox (?:is )?full|over ?quota|full mailbox"
    r"|exceed\w{0,9} .{0,30}(?:size|storage|limit)|insufficient"
    r"|retry timeout|timed out|time ?out|delayed|try again|temporar|deferred|rate limit"
    r"|at a rate|too many"
    r"|sender (?:address )?(?:rejected|verify)|sender domain|loop|too many hops|starttls"
    r"|mail server is"
    r"|does not comply|not.?compliant|service unavailable|undeliverable for|suspend"
    r"|connection (?:refused|timed)|no route to host|security|expired|not accept mail from",
    re.I,
)
_SURE_CODES = re.compile(r"5\.1\.(?:1|2|3|4|6|10)")
_LIKELY_CODES = re.compile(r"5\.(?:1\.0|2\.1|1\.351)")
_LETTER_CODES = re.compile(
    r"5\.(?:2\.[23]|3\.[1-9]\d*|6\.\d+|7\.(?:[1-9]|1\d|2[0-6])|4\.[1-3567]|1\.[789]|5\.[1-9])"
)
_GENERIC = re.compile(r"5\.[02-9]\.0|5\.0\.\d+|5\.5\.\d+")
_LEAVING = re.compile(r"\s*unsubscribe\s+<?(report-[^<>\s]{1,300}@[^<>\s]{1,255})>?\s*", re.I)
_REPORTS = "message/delivery-status"
_COMPLAINTS = "message/feedback-report"


@dataclass(frozen=True, slots=True)
class _Told:
    """What a report says of one recipient."""

    action: str
    status: str
    words: str


def read_bounce(body: bytes) -> Bounce:
    message = mail_bodies.read_message(body)
    if leaving := _LEAVING.fullmatch(mime.header(message, "subject")):
        return Bounce(BounceKind.LEFT, "", ASKED_TO_LEAVE, (leaving[1],))
    parts = list(mime.walk(message))
    kinds = {part.get_content_type() for part in parts}
    if _COMPLAINTS in kinds:
        return Bounce()
    told = next((one for part in parts for one in _told(part)), None)
    words = _own_words(parts)
    if told is None and not _from_a_robot(message, words):
        return Bounce()
    kind, status, reason = _judged(told, words)
    if kind is BounceKind.NONE:
        return Bounce()
    reason = " ".join(reason.split())[:MOST_OF_A_REASON]
    ids = _returned_ids(body, parts)
    return Bounce(kind, status, reason, ids, "" if ids else _recipient(message, parts))


def _blocks(part: Message) -> Iterator[Message]:
    """Of a report: what it says of the mail, then what of each recipient."""
    blocks = part.get_payload() if part.get_content_type() == _REPORTS else ()
    if isinstance(blocks, list):
        yield from (one for one in blocks if isinstance(one, Message))


def _recipient(message: Message, parts: list[Message]) -> str:
    """As we have named it, else as its server does; nobody, where there are several."""
    blocks = [block for part in parts for block in _blocks(part)]
    for name in ("original-recipient", "final-recipient"):
        told = {mime.header(block, name).rpartition(";")[2].strip(" <>") for block in blocks} - {""}
        if told:
            return told.pop()[:LONGEST_ADDRESS] if len(told) == 1 else ""
    failed = mime.header(message, "x-failed-recipients").strip(" <>")
    return failed if "," not in failed and len(failed) <= LONGEST_ADDRESS else ""


def _told(part: Message) -> Iterator[_Told]:
    for block in _blocks(part):
        action, status = mime.header(block, "action"), mime.header(block, "status")
        if action or status:
            found = _STATUS.search(status)
            code = found[0] if found else ""
            yield _Told(action.lower().strip(), code, mime.header(block, "diagnostic-code"))


def _judged(told: _Told | None, words: str) -> tuple[BounceKind, str, str]:
    if told is None:
        return _by_words("", words)
    if told.action.startswith(("delay", "deliver", "relay", "expand")) or told.status[:1] == "2":
        return BounceKind.NONE, "", ""
    kind, status, reason = _by_words(told.status, told.words)
    if kind is BounceKind.TROUBLE and _GENERIC.fullmatch(status) and not told.words:
        return _by_words(told.status, words)
    return kind, status, reason


def _by_words(status: str, words: str) -> tuple[BounceKind, str, str]:
    """What the server itself has said comes first, be it by its code or by its words."""
    reason = _telling_line(words)
    said = [found[0] for found in _STATUS.finditer(reason) if found[1] in "45"]
    status = next(
        (code for code in said if not _GENERIC.fullmatch(code)), status or "".join(said[:1])
    )
    if not status and (found := _REPLY.search(reason)):
        status = f"{found[1]}.0.0"
    if status.startswith("4"):
        return BounceKind.TROUBLE, status, reason
    if _SURE_CODES.fullmatch(status):
        return BounceKind.DEAD, status, reason
    of_address = _DEAD.search(reason) or _LIKELY_CODES.fullmatch(status)
    of_letter = _OF_THE_LETTER.search(reason) or _LETTER_CODES.fullmatch(status)
    dead = of_address and not of_letter
    return (BounceKind.DEAD if dead else BounceKind.TROUBLE), status, reason


def _telling_line(words: str) -> str:
    """The line that says why."""
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    for tells in (_STATUS, _REPLY, _DEAD, _OF_THE_LETTER):
        for line in lines:
            if tells.search(line):
                return line
    return lines[0] if lines else ""


def _from_a_robot(message: Message, words: str) -> bool:
    sender = mime.header(message, "from")
    subject = mime.header(message, "subject")
    if automatic_mail.is_away(subject) or _is_reply(message):
        return False
    return_path = mime.header(message, "return-path")
    robot = return_path == "<>" or _ROBOT.search(f"{sender} {return_path}") is not None
    failed = mime.header(message, "x-failed-recipients") or _FAILED.search(
        f"{subject}\n{words[:2000]}"
    )
    return robot and bool(failed)


def _is_reply(message: Message) -> bool:
    """Vacations and challenges answer in somebody's name; those who return mail do not."""
    return any(
        mime.header(message, name)
        for name in (
            "x-autoreply",
            "x-autorespond",
            "x-apple-action",
            "x-vacation",
            "x-autoresponse",
        )
    )


def _own_words(parts: list[Message]) -> str:
    """Of the report itself: without the mail that it returns."""
    found = []
    for part in parts:
        if part.is_multipart() or not part.get_content_type().startswith("text/"):
            continue
        if part.get_content_type() == "text/rfc822-headers":
            continue
        text = decode.decode_page(
            mail_bodies.content(part)[:MOST_OF_A_PART], mime.header(part, "content-type")
        )
        if part.get_content_type() == "text/html":
            text = re.sub(r"<[^<>]{0,1000}>", " ", text)
        returned = _RETURNED.search(text)
        found.append(text[: returned.start()] if returned else text)
    return "\n".join(found)[:CLIP]


def _returned_ids(body: bytes, parts: list[Message]) -> tuple[str, ...]:
    """The Message-IDs in it but its own: that of the mail it returns is among them."""
    own = mime.header(parts[0], "message-id").strip("<> ")
    texts = [body[: 4 * MOST_OF_A_PART].decode("latin-1")]
    for part in parts:
        if not part.is_multipart() and part.get("content-transfer-encoding"):
            texts.append(mail_bodies.content(part)[:MOST_OF_A_PART].decode("latin-1"))
    found = (
        one.strip("<>")
        for text in texts
        for match in _ID.finditer(text)
        for one in (match[1] or match[2]).split()
    )
    return tuple(dict.fromkeys(one for one in found if one != own))[:MOST_IDS]
