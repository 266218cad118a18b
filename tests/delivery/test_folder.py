"""Reports as files: whole or not at all, and private."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from morningdeck.delivery import ChannelMeans, open_channel
from morningdeck.delivery.folder import FolderChannel
from morningdeck.errors import PermanentError, TransientError
from morningdeck.files import draft_of
from tests.contracts.channel import LETTER, Arrived, ChannelContract

STEM = LETTER.file_stem


class TestFolderChannel(ChannelContract):
    @pytest.fixture
    def channel(self, tmp_path: Path) -> FolderChannel:
        return FolderChannel(tmp_path)

    @pytest.fixture
    def arrived(self, tmp_path: Path) -> Arrived:
        return lambda: len(list(tmp_path.glob("*.eml")))


def yes() -> bool:
    return True


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_report_becomes_a_mail_and_a_page(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there" / "yet"
    receipt = FolderChannel(folder).send(LETTER, final=yes)
    assert names(folder) == [f"{STEM}.eml", f"{STEM}.html"]
    assert (folder / f"{STEM}.eml").read_bytes() == LETTER.content
    assert (folder / f"{STEM}.html").read_text(encoding="utf-8") == LETTER.html
    assert receipt.reply == str(folder / f"{STEM}.eml")


def test_the_reply_is_an_absolute_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    receipt = FolderChannel(Path("outbox")).send(LETTER, final=yes)
    assert Path(receipt.reply) == tmp_path / "outbox" / f"{STEM}.eml"


def test_sending_again_replaces_what_is_there(tmp_path: Path) -> None:
    channel = FolderChannel(tmp_path)
    channel.send(LETTER, final=yes)
    channel.send(replace(LETTER, html="<h1>Again</h1>"), final=yes)
    assert (tmp_path / f"{STEM}.html").read_text() == "<h1>Again</h1>"
    assert len(names(tmp_path)) == 2


def test_a_folder_has_no_point_of_no_return(tmp_path: Path) -> None:
    """Writing the same files twice does no harm, so nobody need hold a delivery for it."""

    def asked() -> bool:
        raise AssertionError("nobody need be asked")

    FolderChannel(tmp_path).send(LETTER, final=asked)


def test_one_file_alone_is_never_left(tmp_path: Path) -> None:
    (tmp_path / f"{STEM}.eml").mkdir()
    with pytest.raises(TransientError, match="cannot write"):
        FolderChannel(tmp_path).send(LETTER, final=yes)
    assert names(tmp_path) == [f"{STEM}.eml"]


def test_a_folder_that_cannot_be_written_is_named_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    folder = tmp_path / "file" / "outbox"
    with pytest.raises(TransientError) as caught:
        FolderChannel(folder).send(LETTER, final=yes)
    assert str(folder) in str(caught.value)
    assert "set delivery.folder" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_mail_without_a_page_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PermanentError, match="the page of report 9 is not kept"):
        FolderChannel(tmp_path).send(replace(LETTER, html=None), final=yes)


def test_the_channel_is_registered(tmp_path: Path) -> None:
    open_channel("folder", ChannelMeans(tmp_path)).send(LETTER, final=yes)
    assert len(names(tmp_path)) == 2


def test_a_folder_that_is_there_keeps_its_rights_and_the_mail_is_private(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)

    FolderChannel(tmp_path).send(LETTER, final=yes)

    assert tmp_path.stat().st_mode & 0o777 == 0o755
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


def test_what_a_killed_sender_has_begun_is_written_over(tmp_path: Path) -> None:
    for kind in ("html", "eml"):
        draft_of(tmp_path / f"{STEM}.{kind}", alone=True).write_bytes(b"half a pa")

    FolderChannel(tmp_path).send(LETTER, final=yes)

    assert {path.name for path in tmp_path.iterdir()} == {f"{STEM}.html", f"{STEM}.eml"}


def test_a_link_that_waits_for_the_draft_is_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("theirs")
    draft_of(tmp_path / f"{STEM}.eml", alone=True).symlink_to(precious)

    FolderChannel(tmp_path).send(LETTER, final=yes)

    assert precious.read_text() == "theirs"
    assert (tmp_path / f"{STEM}.eml").read_bytes() == LETTER.content
