"""Newsletters: new messages are kept first, and read only then.

    mailbox --keep--> raw mail --parse--> entries --settle--> stored, raw mail forgotten

Whatever dies in between, the message is there. It is forgotten in the same transaction
that stores its items, so it becomes news once.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from datetime import timedelta
from fnmatch import fnmatchcase
from urllib.parse import parse_qs, unquote, urlsplit

from morningdeck.errors import PermanentError
from morningdeck.model.reading import ParsedMail, Reading, Source, Validators
from morningdeck.ports.engine import Clock
from morningdeck.ports.verbs import Parser, RawMail
from morningdeck.sources import ReaderMeans
from morningdeck.sources.mailbox import MAX_MESSAGE_BYTES, Account, Cursor, open_folder

_SENDER = re.compile(r"[\w.+*=-]*@[\w.*-]+", re.ASCII)

MOST_SECONDS = 75.0
"""Of one reading; messages that are not parsed by then are there the next time."""
LARGEST_MIB = MAX_MESSAGE_BYTES >> 20
SHOWN = timedelta(days=3)
"""How long a question to confirm a subscription is shown: its mail is kept until then."""


@dataclass(frozen=True, slots=True)
class MailboxAddress:
    """What `imap://user@host/folder?from=news@example.org,*@example.com` means."""

    account: Account
    folder: str
    senders: tuple[str, ...] = ()

    @classmethod
    def of(cls, url: str, account: Account) -> MailboxAddress:
        parts = urlsplit(url)
        named = (unquote(parts.username or account.username), parts.port or account.port)
        if parts.hostname != account.host.lower() or named != (account.username, account.port):
            raise PermanentError(
                "only the mailbox of the settings can be read,"
                f" {account.username} at {account.host}:{account.port}"
            )
        listed = ",".join(parse_qs(parts.query).get("from", []))
        senders = tuple(one.strip().lower() for one in listed.split(",") if one.strip())
        for sender in senders:
            if not _SENDER.fullmatch(sender):
                raise PermanentError(
                    f"{sender!r} is no sender, e.g. from=news@example.org or from=*@example.org"
                )
        return cls(account, unquote(parts.path.strip("/")) or account.folder, senders)

    @property
    def asked_for(self) -> tuple[str, ...]:
        """What a server that knows no `*` can look for."""
        return tuple(max(sender.split("*"), key=len) for sender in self.senders)

    def takes(self, sender: str) -> bool:
        return not self.senders or any(fnmatchcase(sender, one) for one in self.senders)

    def name(self, sender_name: str = "") -> str:
        """Of the one sender whose mail is read, else of the folder."""
        if len(self.senders) == 1 and "*" not in self.senders[0]:
            return sender_name or self.senders[0]
        return f"{self.folder} of {self.account.username}"


class MailReader:
    """Reads the mailbox of the settings; None where they name none."""

    def __init__(
        self, account: Account | None, parser: Parser, raw_mail: RawMail, clock: Clock
    ) -> None:
        self._account = account
        self._parser = parser
        self._raw_mail = raw_mail
        self._clock = clock

    def read(self, source: Source) -> Reading:
        if self._account is None:
            raise PermanentError(
                "no mailbox is set: imap.host, imap.username and imap.password name it"
            )
        mailbox = MailboxAddress.of(source.url, self._account)
        raw_mail = self._raw_mail if source.id else _InMemory()
        until = time.monotonic() + MOST_SECONDS
        cursor, warnings = self._keep_new(source, mailbox, raw_mail)
        validators = Validators(str(cursor) if cursor else None)
        waiting = raw_mail.unprocessed(source.id)
        if not waiting and not warnings:
            return Reading(unchanged=True, title=mailbox.name(), validators=validators)
        mails: dict[int, ParsedMail] = {}
        for mail_id in waiting:
            if time.monotonic() < until:
                mails[mail_id] = self._parsed(raw_mail.load(mail_id), warnings)
        taken = [mail for mail in mails.values() if mailbox.takes(mail.sender)]
        asking = [mail for mail in taken if mail.to_confirm]
        warnings += [f"{mail.sender_name} asks to confirm: {mail.to_confirm}" for mail in asking]
        now = self._clock()
        shown = [mail for mail in asking if mail.sent_at and abs(now - mail.sent_at) < SHOWN]
        return Reading(
            tuple(entry for mail in taken for entry in mail.entries),
            title=mailbox.name(taken[-1].sender_name if taken else ""),
            validators=validators,
            warnings=tuple(dict.fromkeys(warnings)),
            raw_mails=tuple(mail_id for mail_id, mail in mails.items() if mail not in shown),
        )

    def _keep_new(
        self, source: Source, mailbox: MailboxAddress, raw_mail: RawMail
    ) -> tuple[Cursor | None, list[str]]:
        cursor = Cursor.parse(source.etag)
        warnings = []
        with open_folder(mailbox.account, mailbox.folder) as folder:
            for message in folder.since(cursor, mailbox.asked_for):
                cursor = message.cursor
                if message.content is None:
                    warnings.append(f"a message larger than {LARGEST_MIB} MiB was left out")
                else:
                    raw_mail.keep(source.id, str(cursor), message.content)
        return cursor, warnings

    def _parsed(self, content: bytes, warnings: list[str]) -> ParsedMail:
        try:
            return self._parser.mail(content)
        except PermanentError as error:
            warnings.append(f"a message could not be read ({error})")
            return ParsedMail()


def open_reader(means: ReaderMeans) -> MailReader:
    return MailReader(means.mailbox, means.parser, means.raw_mail, means.clock)


@dataclass(slots=True)
class _InMemory:
    """The port `RawMail` where a source is only checked: nothing is kept."""

    _messages: dict[int, bytes] = field(default_factory=dict)

    def keep(self, source_id: int, uid_key: str, content: bytes) -> None:
        self._messages[len(self._messages)] = content

    def unprocessed(self, source_id: int) -> tuple[int, ...]:
        return tuple(self._messages)

    def load(self, mail_id: int) -> bytes:
        return self._messages[mail_id]
