"""What goes out to readers: how mails are written, and what signs the addresses in them."""

from __future__ import annotations

from functools import cached_property
from secrets import token_bytes
from typing import TYPE_CHECKING

from morningdeck import delivery
from morningdeck.signing import KEY_BYTES, Signer

if TYPE_CHECKING:
    from morningdeck.outgoing_mail import MailWriter
    from morningdeck.settings.sections import Settings
    from morningdeck.store.store import Store


class Outlets:
    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings = settings
        self._store = store

    @cached_property
    def signer(self) -> Signer:
        return Signer(lambda: self._store.signing_keys.key(token_bytes(KEY_BYTES)))

    @cached_property
    def mail_writer(self) -> MailWriter:
        from morningdeck.outgoing_mail import MailWriter

        return MailWriter(
            self._settings.smtp.sender,
            delivery.addressed,
            self._settings.web.base_url,
            delivery.copies,
            delivery.composes,
        )
