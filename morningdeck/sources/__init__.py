"""One reader per kind of source; a new kind is a new file and a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from morningdeck.model import SourceType
from morningdeck.ports import Clock, HttpWithForms, Parser, RawMail, SourceReader
from morningdeck.sources.mail import MailReader
from morningdeck.sources.mailbox import Account
from morningdeck.sources.reddit import RedditReader
from morningdeck.sources.rss import RssReader
from morningdeck.sources.web import WebReader


@dataclass(frozen=True, slots=True)
class Means:
    """What readers are made of; each takes what it needs."""

    http: HttpWithForms
    parser: Parser
    raw_mail: RawMail
    clock: Clock
    reddit_keys: tuple[str, str] | None = None
    mailbox: Account | None = None


READERS: Mapping[SourceType, Callable[[Means], SourceReader]] = {
    SourceType.RSS: lambda given: RssReader(given.http, given.parser),
    SourceType.WEB: lambda given: WebReader(given.http, given.parser),
    SourceType.REDDIT: lambda given: RedditReader(given.http, given.parser, keys=given.reddit_keys),
    SourceType.EMAIL: lambda given: MailReader(
        given.mailbox, given.parser, given.raw_mail, given.clock
    ),
}
