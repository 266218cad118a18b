"""Who a process is: locks that die with it tell which of its earlier selves are dead."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from morningdeck.engine.node import (
    ProcessKind,
    daemon_runs,
    dead_nodes,
    join_as_node,
    lock_as_daemon,
    try_lock,
)
from morningdeck.errors import ConfigError, ConflictError

HOLD = """
import sys
from pathlib import Path
from morningdeck.engine.node import join_as_node, lock_as_daemon
lock = lock_as_daemon(Path(sys.argv[1]))
print(join_as_node(Path(sys.argv[1]), "daemon").name, flush=True)
sys.stdin.read()
"""


def test_processes_of_one_folder_are_different_nodes(tmp_path: Path) -> None:
    kinds: tuple[ProcessKind, ...] = ("daemon", "daemon", "worker", "command", "command")
    nodes = [join_as_node(tmp_path, kind) for kind in kinds]

    names = [node.name.partition("/") for node in nodes]
    assert [number for _, _, number in names] == ["0", "1", "worker-0", "command-0", "command-1"]
    assert len({host for host, _, _ in names}) == 1
    for node in nodes:
        node.close()


def test_a_node_that_left_comes_back_under_its_name_as_somebody_new(tmp_path: Path) -> None:
    before = join_as_node(tmp_path)
    before.close()
    after = join_as_node(tmp_path)

    assert after.name == before.name
    assert after.incarnation != before.incarnation
    assert after.owner == f"{after.name}:{after.incarnation}"
    after.close()


def test_two_folders_on_one_host_are_two_hosts(tmp_path: Path) -> None:
    one, other = join_as_node(tmp_path / "one"), join_as_node(tmp_path / "other")

    assert one.name != other.name
    one.close()
    other.close()


def test_processes_that_start_together_agree_on_the_host_and_on_nothing_else(
    tmp_path: Path,
) -> None:
    with ThreadPoolExecutor(8) as threads:
        nodes = list(threads.map(lambda _: join_as_node(tmp_path), range(8)))

    names = {node.name for node in nodes}
    assert len(names) == len({node.incarnation for node in nodes}) == 8
    assert len({name.rpartition("/")[0] for name in names}) == 1
    for node in nodes:
        node.close()


def test_the_dead_of_a_folder_are_known_and_nobody_takes_their_place_meanwhile(
    tmp_path: Path,
) -> None:
    mine, dead = join_as_node(tmp_path, "daemon"), join_as_node(tmp_path, "daemon")
    ended = join_as_node(tmp_path)
    dead.close()
    ended.close()

    with dead_nodes(tmp_path) as names:
        new = join_as_node(tmp_path, "daemon")

    assert set(names) == {dead.name, ended.name}
    assert new.name.endswith("/2")
    mine.close()
    new.close()


def test_a_folder_that_cannot_be_written_is_a_mistake_in_the_settings(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(ConfigError, match=r"cannot write to '.*file/run': .*, check data_dir"):
        join_as_node(tmp_path / "file")


def test_only_one_daemon_runs_on_a_folder(tmp_path: Path) -> None:
    assert not daemon_runs(tmp_path)
    lock = lock_as_daemon(tmp_path)

    assert daemon_runs(tmp_path)
    with pytest.raises(ConflictError, match="a daemon is already running on"):
        lock_as_daemon(tmp_path)

    lock.close()
    assert not daemon_runs(tmp_path)
    lock_as_daemon(tmp_path).close()


def test_a_killed_process_lets_go_of_its_locks(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        name = child.stdout.readline().strip()
        assert daemon_runs(tmp_path)
        assert try_lock(tmp_path / "run" / "0.lock") is None

        child.kill()
        child.wait()

    assert not daemon_runs(tmp_path)
    node = join_as_node(tmp_path, "daemon")
    assert node.name == name
    node.close()
