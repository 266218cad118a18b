"""What a document could do if it took over the process that reads it: nothing."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from morningdeck.parsing import sandbox, wire, with_feedparser
from tests.faults.daemon import PROGRAM, daemons
from tests.servers.feeds import FeedServer, News

TAKEN_OVER = """
import sys, types
probe = types.ModuleType("morningdeck.parsing.probe")
probe.read = lambda body: repr(eval(body))
sys.modules[probe.__name__] = probe
from morningdeck.parsing import child
child.OPERATIONS["probe"] = ("probe", "read")
child.OPERATIONS["gone"] = ("gone", "read")
child.serve_jobs(20.0, 96 << 20, 50)
"""
"""The child as it is, with an operation that does what its document says."""
HERE = Path(__file__).parents[2]
OLD_KERNEL = (sys.executable, str(HERE / "tests" / "servers" / "old_kernel.py"))

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has these sandboxes")


def told(words: str, before: Sequence[str] = (), operation: str = "probe") -> str:
    """What the expression gives in a child, or the error it ends with."""
    ours, theirs = socket.socketpair()
    with (
        ours,
        theirs,
        subprocess.Popen(
            [*before, sys.executable, "-c", TAKEN_OVER],
            stdin=theirs.fileno(),
            cwd=HERE,
        ) as process,
    ):
        wire.send_frame(
            ours, json.dumps({"operation": operation, "arguments": {}}).encode(), words.encode()
        )
        head, value = wire.receive_frame(ours)
        process.kill()
    return wire.decode(wire.AnswerStatus, head).error or str(json.loads(value))


needs_all = pytest.mark.skipif(bool(sandbox.missing()), reason="this kernel cannot do it")


@needs_all
@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", str(HERE / "README.md"), "/proc/1/environ", "/proc/self/environ"],
)
def test_no_file_can_be_read_that_is_no_library(path: str) -> None:
    assert "PermissionError" in told(f"open({path!r}).read()")


@needs_all
def test_nothing_can_be_written_or_listed(tmp_path: Path) -> None:
    assert "PermissionError" in told(f"open({str(tmp_path / 'note')!r}, 'w')")
    assert "PermissionError" in told(f"__import__('os').listdir({tempfile.gettempdir()!r})")
    assert list(tmp_path.iterdir()) == []


@needs_all
@pytest.mark.parametrize(
    "words",
    [
        "chmod({}, 0o666)",
        "chown({}, os.getuid(), os.getgid())",
        "utime({}, (0, 0))",
        "setxattr({}, 'user.x', b'1')",
    ],
)
def test_no_file_is_opened_to_others_nor_marked(words: str, tmp_path: Path) -> None:
    (file := tmp_path / "deck.db").touch(0o600)
    before = file.stat()

    assert "PermissionError" in told(f"(os := __import__('os')).{words.format(repr(str(file)))}")
    assert file.stat() == before


@needs_all
def test_nothing_is_left_in_the_memory_that_processes_share() -> None:
    assert told("__import__('ctypes').CDLL(None).shmget(0, 4096, 0o1600)") == "-1"


@needs_all
@pytest.mark.parametrize("kind", ["AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK"])
def test_there_is_no_network(kind: str) -> None:
    assert "PermissionError" in told(f"(s := __import__('socket')).socket(s.{kind}, s.SOCK_DGRAM)")


@needs_all
@pytest.mark.parametrize(
    "words",
    [
        "os.fork()",
        "os.execv('/bin/true', ['true'])",
        "os.kill(os.getppid(), 0)",
        "__import__('resource').prlimit(os.getppid(), 0)",
    ],
)
def test_other_processes_are_out_of_reach(words: str) -> None:
    assert "PermissionError" in told(f"(os := __import__('os')) and {words}")


def test_no_limit_can_be_lifted_again() -> None:
    for limit in ("AS", "CPU", "NOFILE", "NPROC", "FSIZE", "CORE"):
        lifted = f"(r := __import__('resource')).setrlimit(r.RLIMIT_{limit}, (-1, -1))"
        assert "ValueError" in told(lifted)


def test_a_library_that_cannot_be_loaded_is_named() -> None:
    assert "its parser cannot be loaded: No module named" in told("", operation="gone")


def test_a_kernel_without_sandboxes_still_has_limits() -> None:
    asked = "__import__('morningdeck.parsing.sandbox').parsing.sandbox.missing()"

    assert "Landlock" in told(asked, OLD_KERNEL)
    assert "seccomp" in told(asked, OLD_KERNEL)
    assert "root" in told("open('/etc/passwd').read()", OLD_KERNEL)
    assert "FileNotFoundError" in told("__import__('tempfile').mkstemp()", OLD_KERNEL)


def test_a_daemon_says_so_once_and_goes_on(tmp_path: Path, sqlite_url: str) -> None:
    old = (*OLD_KERNEL, *PROGRAM)
    with daemons() as make, FeedServer() as feeds:
        url = feeds.publish("/a.xml", "Harbour", [News("Harbour opens", "Ships.")])
        daemon = make(tmp_path, sqlite_url, program=old, fetch__interval_seconds=1).start()
        daemon.wait_for_event("parsers_less_confined")
        daemon.command("source", "add", url)
        daemon.wait_for_event("job_finished", stage="fetch", status="IDLE")

        assert len(daemon.events("parsers_less_confined")) == 1


def test_a_feed_is_no_name_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("<rss>").write_text("<rss><channel><title>A secret</title></channel></rss>")

    assert with_feedparser.read_broken(b"<rss>", "https://news.example/").title == ""
