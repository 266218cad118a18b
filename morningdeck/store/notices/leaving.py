"""Addresses that a briefing does not go to any more, and that its owner is told so."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, and_, delete

from morningdeck import notice_texts
from morningdeck.model.reading import ASKED_TO_LEAVE
from morningdeck.store.database.bulk import insert_new
from morningdeck.store.notices.telling import tell
from morningdeck.store.notices.troubles import ENDED_ADDRESS, end_what_is_over
from morningdeck.store.tables.briefs import ended_addresses


def end_address(
    connection: Connection, briefing: Row[Any], address: str, reason: str, *, left: bool
) -> bool:
    """False if it was ended before. The row has `briefing_id`, `title`, `user_id`, `at_once`."""
    row = {"briefing_id": briefing.briefing_id, "address": address, "reason": reason}
    if not insert_new(connection, ended_addresses, [row], ("briefing_id", "address"), ("address",)):
        return False
    subject = f"{briefing.briefing_id}:{address}"
    tell(
        connection,
        [briefing.user_id],
        ENDED_ADDRESS,
        subject,
        _told(briefing, address, reason, left),
    )
    return True


def _told(briefing: Row[Any], address: str, reason: str, left: bool) -> str:
    if briefing.at_once:
        return notice_texts.search_ended(briefing.title, address, reason)
    say = notice_texts.reader_left if left else notice_texts.address_ended
    return say(briefing.title, briefing.briefing_id, address, reason)


def resume_address(connection: Connection, briefing_id: int, address: str) -> bool:
    """Only who has left can: where mail came back, it would come back again."""
    left = and_(
        ended_addresses.c.briefing_id == briefing_id,
        ended_addresses.c.address == address,
        ended_addresses.c.reason == ASKED_TO_LEAVE,
    )
    if not connection.execute(delete(ended_addresses).where(left)).rowcount:
        return False
    end_what_is_over(connection)
    return True
