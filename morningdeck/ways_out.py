"""The channels of one process, as the settings have them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from morningdeck import delivery
from morningdeck.errors import ConfigError
from morningdeck.mailboxes import mailbox

if TYPE_CHECKING:
    from morningdeck.delivery.mail_server import MailServer, PostOffice
    from morningdeck.ports.asking import Breaker
    from morningdeck.ports.engine import Clock
    from morningdeck.ports.verbs import Channel, Poster
    from morningdeck.settings.sections import Settings
    from morningdeck.store.store import Store

KEY_FILE = "webhook.secret"
TIMEOUTS_PER_FIRST_MAIL = 2
"""The mail that finds out whether a server is well again; one that takes longer is not alone."""
REFUSED_LOGIN = timedelta(hours=1)
"""Until a mail server that refuses login or sender is asked again with the same settings: more
often, and some lock the account.
"""


class WaysOut:
    """`poster` is made when something is posted."""

    def __init__(
        self, settings: Settings, store: Store, clock: Clock, poster: Callable[[], Poster]
    ) -> None:
        self._settings = settings
        self._store = store
        self._clock = clock
        self._poster = poster
        self._opened: list[Channel] = []

    @cached_property
    def channels(self) -> Mapping[str, Channel]:
        """Those that are set up."""
        found = {}
        for name in delivery.CHANNELS:
            with suppress(ConfigError):
                found[name] = self.open(name)
        return found

    def open(self, name: str, tell: delivery.TellStep = delivery.tell_nobody) -> Channel:
        """One that can deliver, or ConfigError says what it lacks; `tell` hears each step."""
        channel = delivery.open_channel(name, self._means(tell))
        self._opened.append(channel)
        return channel

    def _means(self, tell: delivery.TellStep = delivery.tell_nobody) -> delivery.ChannelMeans:
        folder = self._settings.outbox
        return delivery.ChannelMeans(folder, tell, self._post_office, self._webhooks)

    def check(self, names: Sequence[str], recipients: Sequence[str]) -> None:
        """Refuse what could deliver to nobody."""
        for name in names:
            delivery.open_channel(name, self._means())
            taken = delivery.copies(name, recipients) if delivery.addressed(name) else ()
            if delivery.addressed(name) and not taken:
                raise ConfigError(f"channel {name!r} needs an address: {delivery.asks_for(name)}")
            for address in taken:
                delivery.check_address(name, address, self._means())
        if any(map(delivery.is_web_address, recipients)) and "webhook" not in names:
            raise ConfigError("an address of the web needs its channel: say --channel webhook")
        for address in filter(delivery.is_mailbox, recipients):
            try:
                mailbox(address)
            except ValueError:
                raise ConfigError(f"--to {address!r} is not an e-mail address") from None

    def to(self, recipients: Sequence[str]) -> tuple[str, ...]:
        """Where nobody has named any: by mail if that works, into the folder if nowhere else."""
        mail_works = self._settings.smtp.host is not None
        found = [name for name in ("smtp", "webhook") if delivery.copies(name, recipients)]
        return tuple(name for name in found if mail_works or name != "smtp") or ("folder",)

    def for_test(self, channels: Sequence[str], to: str) -> str:
        """The channel by which a test goes there: one of the briefing's, if any can."""
        own = (name for name in channels if delivery.copies(name, (to,)))
        return next((name for name in own if delivery.addressed(name)), self.to((to,))[0])

    def try_mail(self, tell: delivery.TellStep = delivery.tell_nobody) -> None:
        """Connect, encrypt and log in without a mail; raises what would keep one from leaving."""
        from morningdeck.delivery.smtp import SmtpChannel

        channel = self.open("smtp", tell)
        if isinstance(channel, SmtpChannel):
            channel.check()

    def end_idle(self, seconds: float) -> None:
        """Close sessions that nobody has used for a while."""
        for channel in self._with_sessions():
            channel.end_idle()

    def close(self) -> None:
        for channel in self._with_sessions():
            channel.close()

    def _with_sessions(self) -> Iterator[delivery.KeepsSessions]:
        for channel in self._opened:
            if isinstance(channel, delivery.KeepsSessions):
                yield channel

    @cached_property
    def _webhooks(self) -> delivery.WebhookMeans:
        of = self._settings.webhook
        return delivery.WebhookMeans(
            poster=self._poster,
            key_file=self._settings.data_dir / KEY_FILE,
            clock=self._clock,
            key=None if of.secret is None else of.secret.get_secret_value(),
            templates=of.templates,
        )

    # ---- mail

    @cached_property
    def _post_office(self) -> PostOffice | None:
        smtp = self._settings.smtp
        if smtp.host is None:
            return None
        from morningdeck.delivery.mail_server import MailServer, PostOffice
        from morningdeck.net.resolver import Resolver

        server = MailServer(
            smtp.host,
            smtp.port,
            smtp.security,
            smtp.sender,
            smtp.username,
            None if smtp.password is None else smtp.password.get_secret_value(),
            smtp.timeout_seconds,
            smtp.connections,
        )
        return PostOffice(server, self._mail_breaker(server), self._clock, Resolver().addresses)

    def _mail_breaker(self, server: MailServer) -> Breaker:
        from morningdeck.model.asking import answer_key
        from morningdeck.store.rows.breaker import OF_MAIL, SqlBreaker

        secret = (server.username or "", server.password or "")
        return SqlBreaker(
            self._store.database,
            self._clock,
            settings=answer_key(server.name, server.security, server.sender, *secret),
            lease=timedelta(seconds=TIMEOUTS_PER_FIRST_MAIL * server.timeout_seconds),
            notice=OF_MAIL,
            denied_for=REFUSED_LOGIN,
        )
