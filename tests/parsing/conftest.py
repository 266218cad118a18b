"""One pool of real children for all tests here, and the corpora, unpacked once."""

from __future__ import annotations

import tarfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from morningdeck.parsing.pool import ParserPool

Corpus = Callable[[str], dict[str, bytes]]


@pytest.fixture(scope="session")
def pool() -> Iterator[ParserPool]:
    pool = ParserPool(workers=2)
    yield pool
    pool.close()


@pytest.fixture(scope="session")
def corpus(corpora: Path) -> Corpus:
    """The files of a corpus by their names, packed or not."""

    @cache
    def files(name: str) -> dict[str, bytes]:
        folder = corpora / name
        packed = folder / f"{name}.tar.gz"
        return _unpacked(packed) if packed.exists() else _read(folder)

    return files


def _unpacked(packed: Path) -> dict[str, bytes]:
    with tarfile.open(packed) as archive:
        return {
            member.name: content.read()
            for member in archive
            if (content := archive.extractfile(member)) is not None
        }


def _read(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}
