"""How long images are kept, and which of them go first."""

from __future__ import annotations

from pathlib import Path

import pytest

from morningdeck.errors import NotFoundError, TransientError
from morningdeck.images import KEPT, REFUSED_FOR, Images
from morningdeck.model.reading import Page
from tests.conftest import ManualClock

PNG = b"\x89PNG\r\n\x1a\n"


class Elsewhere:
    """The port `Http`: the same image at each address, or none."""

    def __init__(self) -> None:
        self.content = PNG
        self.asked: list[str] = []

    def get(self, url: str, **_: object) -> Page:
        self.asked.append(url)
        if not self.content:
            raise TransientError("a.example: no answer")
        return Page(url, 200, {}, self.content)


@pytest.fixture
def elsewhere() -> Elsewhere:
    return Elsewhere()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def images(tmp_path: Path, elsewhere: Elsewhere, clock: ManualClock) -> Images:
    return Images(lambda: elsewhere, tmp_path / "images", clock, most_bytes=1000)


def test_what_is_kept_is_asked_for_again_when_it_is_old(
    images: Images, elsewhere: Elsewhere, clock: ManualClock
) -> None:
    for days in (0, KEPT.days - 1, 2):
        clock.pass_(days=days)
        assert images.of("https://a.example/1").type == "image/png"

    assert len(elsewhere.asked) == 2


def test_what_could_not_be_had_is_asked_for_again_after_a_while(
    images: Images, elsewhere: Elsewhere, clock: ManualClock
) -> None:
    elsewhere.content = b""
    for _ in range(2):
        with pytest.raises(NotFoundError, match="cannot be had"):
            images.of("https://a.example/1")
    assert len(elsewhere.asked) == 1

    elsewhere.content = PNG
    clock.pass_(seconds=REFUSED_FOR.total_seconds())
    assert images.of("https://a.example/1").content == PNG


def test_what_is_oldest_goes_when_there_is_too_much(
    images: Images, elsewhere: Elsewhere, clock: ManualClock
) -> None:
    elsewhere.content = PNG + bytes(292)
    for number in range(4):  # three fit, four do not
        clock.pass_(seconds=1)
        images.of(f"https://a.example/{number}")

    elsewhere.asked.clear()
    for number in (3, 2, 0):
        images.of(f"https://a.example/{number}")
    assert elsewhere.asked == ["https://a.example/0"]


def test_another_process_that_shares_the_folder_finds_what_is_kept(
    tmp_path: Path, images: Images, elsewhere: Elsewhere, clock: ManualClock
) -> None:
    images.of("https://a.example/1")
    other = Images(lambda: elsewhere, tmp_path / "images", clock, most_bytes=1000)

    assert other.of("https://a.example/1").content == PNG
    assert len(elsewhere.asked) == 1


def test_an_image_that_cannot_be_kept_is_shown_all_the_same(
    tmp_path: Path, elsewhere: Elsewhere, clock: ManualClock
) -> None:
    (tmp_path / "images").write_text("a file, where the folder should be")
    images = Images(lambda: elsewhere, tmp_path / "images", clock, most_bytes=1000)

    assert images.of("https://a.example/1").content == PNG
