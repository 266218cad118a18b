"""Newsletters: new messages are kept first, and read only then.

    mailbox --keep--> raw mail --parse--> entries --settle--> stored, raw mail forgotten
                               choose <-+-> again

Whatever dies in between, the message is there. It is forgotten in the same transaction
that stores its items, so it becomes news once. Where a model can be asked, it chooses what in
a letter belongs together; no letter waits for it.
"""

from __future__ import annotations

import re
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from fnmatch import fnmatchcase
from urllib.parse import parse_qs, unquote, urlsplit

from morningdeck.errors import (
    BudgetSpentError,
    EndpointHeldError,
    PermanentError,
    UnusableAnswerError,
)
from morningdeck.logs import log
from morningdeck.model.reading import ChosenStory, ParsedMail, Reading, Source, Validators
from morningdeck.ports.engine import Clock
from morningdeck.ports.verbs import Parser, RawMail
from morningdeck.sources import ReaderMeans
from morningdeck.sources.letter_split import LetterSplit
from morningdeck.sources.mailbox import MAX_MESSAGE_BYTES, Account, Cursor, open_folder

_SENDER = re.compile(r"[\w.+*=-]*@[\w.*-]+", re.ASCII)

MOST_SECONDS = 75.0
"""Of one reading; messages that are not parsed by then are there the next time."""
ASKING_SECONDS = 40.0
"""No model is asked later in a reading: its answer would come after the end."""
NEWS_FOR = timedelta(days=7)
"""Older letters, of which a first reading finds many, are not worth a model."""
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
        self,
        account: Account | None,
        parser: Parser,
        raw_mail: RawMail,
        clock: Clock,
        split: LetterSplit | None = None,
    ) -> None:
        self._account = account
        self._parser = parser
        self._raw_mail = raw_mail
        self._clock = clock
        self._split = split

    def read(self, source: Source) -> Reading:
        if self._account is None:
            raise PermanentError(
                "no mailbox is set: imap.host, imap.username and imap.password name it"
            )
        mailbox = MailboxAddress.of(source.url, self._account)
        raw_mail = self._raw_mail if source.id else _InMemory()
        began = time.monotonic()
        cursor, warnings = self._keep_new(source, mailbox, raw_mail)
        validators = Validators(str(cursor) if cursor else None)
        waiting = raw_mail.unprocessed(source.id)
        if not waiting and not warnings:
            return Reading(unchanged=True, title=mailbox.name(), validators=validators)
        mails: dict[int, ParsedMail] = {}
        for mail_id in waiting:
            passed = time.monotonic() - began
            if passed < MOST_SECONDS:
                asks = bool(source.id) and passed < ASKING_SECONDS
                mails[mail_id] = self._parsed(raw_mail.load(mail_id), mailbox, warnings, asks)
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

    def _parsed(
        self, content: bytes, mailbox: MailboxAddress, warnings: list[str], asks: bool
    ) -> ParsedMail:
        try:
            mail = self._parser.mail(content)
        except PermanentError as error:
            warnings.append(f"a message could not be read ({error})")
            return ParsedMail()
        if not asks or not mailbox.takes(mail.sender):
            return mail
        with suppress(PermanentError):  # it was read once, and is not lost for this
            if chosen := self._chosen(mail):
                return self._parser.mail(content, chosen)
        return mail

    def _chosen(self, mail: ParsedMail) -> tuple[ChosenStory, ...]:
        """Nothing where nobody can choose: then a letter is what it looks like."""
        fresh = mail.sent_at is None or self._clock() - mail.sent_at < NEWS_FOR
        if self._split is None or not mail.lines or not fresh:
            return ()
        try:
            return self._split.split(mail)
        except (EndpointHeldError, BudgetSpentError, UnusableAnswerError) as error:
            log.info("letter_split_by_looks", reason=str(error))
            return ()


def open_reader(means: ReaderMeans) -> MailReader:
    split = None
    if means.hasty_model is not None:
        split = LetterSplit(means.hasty_model, means.prompts["newsletter"])
    return MailReader(means.mailbox, means.parser, means.raw_mail, means.clock, split)


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
