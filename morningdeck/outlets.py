"""What goes out to readers: how mails are written, what signs the addresses in them, and the images
that are fetched for readers.
"""

from __future__ import annotations

from functools import cached_property
from secrets import token_bytes
from typing import TYPE_CHECKING

from morningdeck import delivery
from morningdeck.signed_links import SignedLinks
from morningdeck.signing import KEY_BYTES, Signer

if TYPE_CHECKING:
    from morningdeck.images import Images
    from morningdeck.net import PoliteClient
    from morningdeck.outgoing_mail import MailWriter
    from morningdeck.ports.engine import Clock
    from morningdeck.settings.sections import Settings
    from morningdeck.store.store import Store

IMAGE_FOLDER = "images"
IMAGE_SECONDS, MOST_IMAGE_BYTES = 10.0, 5 * 2**20


class Outlets:
    def __init__(self, settings: Settings, store: Store, clock: Clock) -> None:
        self._settings = settings
        self._store = store
        self._clock = clock

    @cached_property
    def signer(self) -> Signer:
        return Signer(lambda: self._store.signing_keys.key(token_bytes(KEY_BYTES)))

    @property
    def links(self) -> SignedLinks | None:
        """None where mails cannot lead to the web."""
        base_url = self._settings.web.base_url
        return None if base_url is None else SignedLinks(base_url, self.signer)

    @cached_property
    def mail_writer(self) -> MailWriter:
        from morningdeck.outgoing_mail import MailWriter

        return MailWriter(
            self._settings.smtp.sender,
            delivery.addressed,
            self.links,
            delivery.copies,
            delivery.composes,
        )

    @cached_property
    def images(self) -> Images | None:
        """None where the settings want none."""
        from morningdeck.images import Images

        of = self._settings
        if not of.web.images:
            return None
        most, folder = of.web.images_mb * 2**20, of.data_dir / IMAGE_FOLDER
        return Images(lambda: self.image_client, folder, self._clock, most_bytes=most)

    @cached_property
    def image_client(self) -> PoliteClient:
        from morningdeck.net import GuardedClient, PoliteClient, Unpaced

        http = self._settings.http
        client = GuardedClient(
            user_agent=http.user_agent,
            max_body_bytes=MOST_IMAGE_BYTES,
            allow_networks=http.allow_networks,
        )
        return PoliteClient(
            client,
            Unpaced(),
            self._clock,
            timeout_seconds=min(IMAGE_SECONDS, http.timeout_seconds),
            max_redirects=http.max_redirects,
            retry_delays=(),
        )

    def close(self) -> None:
        if "image_client" in self.__dict__:  # a cached property that was used
            self.image_client.close()
