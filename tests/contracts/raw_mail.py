"""The port `RawMail`: a message is kept once, as it came, in the order of arrival."""

from __future__ import annotations

from morningdeck.ports.verbs import RawMail


class RawMailContract:
    """Give it the fixtures `raw_mail` and `mailboxes`, the ids of two sources."""

    def test_a_message_is_kept_once_and_byte_for_byte(
        self, raw_mail: RawMail, mailboxes: tuple[int, int]
    ) -> None:
        source, _ = mailboxes
        raw_mail.keep(source, "imap:1:1", b"\x00\xff\r\n")
        raw_mail.keep(source, "imap:1:1", b"another")
        raw_mail.keep(source, "imap:1:2", b"second")

        first, second = raw_mail.unprocessed(source)

        assert raw_mail.load(first) == b"\x00\xff\r\n"
        assert raw_mail.load(second) == b"second"

    def test_every_source_has_its_own_mail(
        self, raw_mail: RawMail, mailboxes: tuple[int, int]
    ) -> None:
        mine, other = mailboxes
        raw_mail.keep(mine, "imap:1:1", b"mine")

        assert len(raw_mail.unprocessed(mine)) == 1
        assert raw_mail.unprocessed(other) == ()

    def test_two_sources_may_have_mails_of_one_key(
        self, raw_mail: RawMail, mailboxes: tuple[int, int]
    ) -> None:
        for source in mailboxes:
            raw_mail.keep(source, "imap:1:1", b"of %d" % source)

        for source in mailboxes:
            (mail,) = raw_mail.unprocessed(source)
            assert raw_mail.load(mail) == b"of %d" % source
