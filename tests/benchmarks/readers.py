"""Feed readers, other people's and ours, each fetching the same feeds and keeping the entries."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Timer
from typing import Protocol

from tests.benchmarks.cost import Cost, measure
from tests.benchmarks.miniflux import Miniflux
from tests.benchmarks.site import ENTRIES, Site

THREADS = 8
LIMIT_SECONDS = 600.0
ENTRY_OF_A_DIGEST = b"Content-Type: message/rfc822"


class Reader(Protocol):
    name: str
    settling_rounds: int
    """Rounds after the first until it asks only for what has changed."""

    @classmethod
    def available(cls) -> bool:
        """`make bench` installs them; the tests do without."""

    def prepare(self, folder: Path, urls: Sequence[str]) -> None:
        """Subscribe; nothing is fetched."""

    def round(self) -> None:
        """Fetch all feeds once; returns when everything is kept."""

    def entries(self) -> int:
        """How many it keeps."""

    def pids(self) -> Collection[int]:
        """Its processes of this moment, without their children."""

    def close(self) -> None: ...


# ---- the readers


class Newsboat:
    name = "newsboat"
    # it notes a feed's validators before the feed itself, so those of the first time are lost
    settling_rounds = 1

    @classmethod
    def available(cls) -> bool:
        return shutil.which("newsboat") is not None

    def prepare(self, folder: Path, urls: Sequence[str]) -> None:
        names = {"-u": "urls", "-C": "config", "-c": "cache.db"}
        files = {option: folder / name for option, name in names.items()}
        files["-u"].write_text("".join(f"{url}\n" for url in urls))
        files["-C"].write_text(f"reload-threads {THREADS}\n")
        options = [str(word) for pair in files.items() for word in pair]
        self._cache = files["-c"]
        self._program = Program(["newsboat", "-q", *options, "-x", "reload"], folder)

    def round(self) -> None:
        self._program.run()

    def entries(self) -> int:
        with closing(sqlite3.connect(self._cache)) as cache:
            ((count,),) = cache.execute("SELECT count(*) FROM rss_item")
        return int(count)

    def pids(self) -> Collection[int]:
        return self._program.pids()

    def close(self) -> None:
        """Nothing of it runs between the rounds."""


class Rss2email:
    """One feed after the other, there is no other way; a feed's new entries are a mail.

    A mail for each entry is its custom, but slower, and all those files slow down whoever
    comes next: ext4 searches long for a free inode where many were freed just before.
    """

    name = "rss2email"
    settling_rounds = 0

    @classmethod
    def available(cls) -> bool:
        return shutil.which("r2e") is not None

    def prepare(self, folder: Path, urls: Sequence[str]) -> None:
        options = {
            "from": "feeds@example.org",
            "to": "reader@example.org",
            "email-protocol": "maildir",
            "maildir-path": folder,
            "maildir-mailbox": "mails",
            "digest": True,
            "html-mail": True,  # turning HTML into text takes it half as long again
            "verbose": "warning",
        }
        lines = ["[DEFAULT]", *(f"{name} = {value}" for name, value in options.items())]
        for number, url in enumerate(urls):
            lines += [f"[feed.feed-{number}]", f"url = {url}"]
        config, state = folder / "config", folder / "state.json"
        config.write_text("\n".join(lines) + "\n")
        self._mails = folder / "mails" / "new"
        self._program = Program(["r2e", "-c", str(config), "-d", str(state), "run"], folder)

    def round(self) -> None:
        self._program.run()

    def entries(self) -> int:
        return sum(mail.read_bytes().count(ENTRY_OF_A_DIGEST) for mail in self._mails.iterdir())

    def pids(self) -> Collection[int]:
        return self._program.pids()

    def close(self) -> None:
        """Nothing of it runs between the rounds."""


class Servant:
    """Lives in a process of its own and does what it is told, word by word."""

    name: str
    settling_rounds = 0
    module: str
    arguments: tuple[str, ...] = ()

    def prepare(self, folder: Path, urls: Sequence[str]) -> None:
        self._log = (folder / "log").open("w")
        self._process = subprocess.Popen(
            [sys.executable, "-m", self.module, str(folder), *self.arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        for url in urls:
            self._ask(f"add {url}")

    def round(self) -> None:
        self._ask("update")

    def entries(self) -> int:
        return int(self._ask("count"))

    def pids(self) -> Collection[int]:
        return (self._process.pid,)

    def close(self) -> None:
        with self._process, self._log:  # closes its input, upon which it ends
            pass

    def _ask(self, word: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            said = Path(self._log.name).read_text()[-500:]
            raise RuntimeError(f"{self.name} ended upon {word!r}: {said}")
        return answer.strip()


class Lemon24(Servant):
    name = "reader"
    module = "tests.benchmarks.lemon24"

    @classmethod
    def available(cls) -> bool:
        return find_spec("reader") is not None


class MorningDeck(Servant):
    module = "tests.benchmarks.morning"

    def __init__(self, workers: int) -> None:
        self.name = f"Morning Deck {workers}"
        self.arguments = (str(workers),)

    @classmethod
    def available(cls) -> bool:
        return True


class Program:
    """Runs from the start to the end of a round, with nothing of the user's around it."""

    def __init__(self, words: Sequence[str], home: Path) -> None:
        self._words = words
        self._home = home
        self._running: tuple[int, ...] = ()

    def run(self) -> None:
        log = self._home / "log"
        surroundings = {"HOME": str(self._home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        with log.open("w") as output:
            process = subprocess.Popen(
                self._words,
                env=surroundings,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        self._running = (process.pid,)
        patience = Timer(LIMIT_SECONDS, process.kill)  # wait(timeout) would look only now and then
        patience.start()
        status = process.wait()
        patience.cancel()
        self._running = ()
        if status:
            raise RuntimeError(f"{self._words[0]}: status {status}: {log.read_text()[-500:]}")

    def pids(self) -> Collection[int]:
        return self._running


# ---- their rounds

PEERS: tuple[Callable[[], Reader], ...] = (Newsboat, Lemon24, Rss2email, Miniflux)


REPEATED = 3


@dataclass(frozen=True, slots=True)
class Round:
    name: str
    cost: Cost
    answers: Counter[int]
    entries: int

    def __str__(self) -> str:
        answers = ", ".join(f"{count} x {status}" for status, count in sorted(self.answers.items()))
        cost = self.cost
        return (
            f"{self.name:<10} {cost.wall_seconds:6.2f} s, processor {cost.cpu_seconds:6.2f} s, "
            f"at most {cost.peak_bytes / 1e6:3.0f} MB, {self.entries} entries kept, {answers}"
        )


def rounds(reader: Reader, feeds: int, share: float = 0.1) -> Iterator[Round]:
    """First all is new, then nothing, then one entry each in a share of the feeds.

    What can be repeated is done so; the one in the middle stands for them.
    """
    with tempfile.TemporaryDirectory(prefix="morningdeck-bench-") as folder, Site(feeds) as site:
        try:
            reader.prepare(Path(folder), site.urls)
            if fetched := site.take_counts().total():
                raise RuntimeError(f"{reader.name} asked {fetched} times before its first round")
            yield _round("first", reader, site, feeds * ENTRIES)
            for _ in range(reader.settling_rounds):
                reader.round()
            site.take_counts()
            entries = feeds * ENTRIES
            yield _middle([_round("unchanged", reader, site, entries) for _ in range(REPEATED)])
            changed = []
            for _ in range(REPEATED):
                entries += site.change(share)
                changed.append(_round("changed", reader, site, entries))
            yield _middle(changed)
        finally:
            reader.close()


def _middle(done: list[Round]) -> Round:
    return sorted(done, key=lambda each: each.cost.wall_seconds)[len(done) // 2]


def _round(name: str, reader: Reader, site: Site, expected: int) -> Round:
    cost = measure(reader.round, reader.pids)
    entries = reader.entries()
    if entries != expected:
        raise RuntimeError(f"{reader.name} keeps {entries} entries of {expected}")
    return Round(name, cost, site.take_counts(), entries)
