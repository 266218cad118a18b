"""A mail is sent once, whatever strikes its sender, and at whichever step (H11)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from morningdeck.app import system_clock
from morningdeck.store.database.connect import Database
from morningdeck.store.tables.briefs import deliveries
from tests.factories import make_delivery, row_of
from tests.faults import postbox
from tests.faults.daemon import Daemon

PROGRAM = (sys.executable, "-P", postbox.__file__)
ONCE = ("run", "--once", "--no-web")


@dataclass(frozen=True, slots=True)
class Post:
    """One letter that is due, and those who may send it."""

    folder: Path
    database: Database
    letter: int
    daemon: Callable[..., Daemon]

    def sender(self, fault: str = "", **settings: object) -> Daemon:
        url = self.database.url.render_as_string(hide_password=False)
        settings = {"retry__schedule_minutes": [0.001], **settings}
        sender = self.daemon(self.folder, url, program=PROGRAM, **settings)
        sender.environment |= {"POSTBOX": str(self.folder), "POSTBOX_FAULT": fault}
        return sender

    def mails(self) -> list[str]:
        """The Message-ID of each that has left."""
        mails = self.folder / "mails"
        return mails.read_text().splitlines() if mails.exists() else []

    def state(self) -> str:
        return str(row_of(self.database, deliveries, self.letter).status)


@pytest.fixture
def post(database: Database, tmp_path: Path, daemon: Callable[..., Daemon]) -> Post:
    letter = make_delivery(database, channel="postbox", message_id="<1@x>", due_at=system_clock())
    return Post(tmp_path, database, letter, daemon)


@pytest.mark.parametrize(
    ("step", "mails", "state"),
    [("body", 1, "SENT"), ("final", 0, "UNKNOWN"), ("sent", 1, "UNKNOWN")],
)
def test_h11_a_crash_between_send_and_commit_sends_no_second_mail(
    post: Post, step: str, mails: int, state: str
) -> None:
    killed = post.sender(f"{step}:kill").begin_command(*ONCE)
    killed.communicate(timeout=60)
    assert killed.returncode == -9

    post.sender().command(*ONCE)

    assert (len(post.mails()), post.state()) == (mails, state)


@pytest.mark.parametrize("fault", ["reset", "reply", "panic", "receipt"])
def test_whatever_goes_wrong_after_a_mail_has_left_sends_no_second_one(
    post: Post, fault: str
) -> None:
    post.sender(f"sent:{fault}").command(*ONCE)
    post.sender().command(*ONCE)

    assert (len(post.mails()), post.state()) == (1, "UNKNOWN")


def test_what_may_have_arrived_is_sent_again_only_where_the_settings_want_it(post: Post) -> None:
    post.sender("sent:reset", delivery__on_ambiguous="resend").command(*ONCE)

    assert (post.mails(), post.state()) == (["<1@x>"] * 2, "SENT")
