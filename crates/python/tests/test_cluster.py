"""Work that machines share: the same bytes wherever it is done."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import emilia
from emilia import cluster


def files(folder: Path) -> dict[str, bytes]:
    """The result in a folder, by the names of its files."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    names = [file["name"] for file in manifest["files"]] + ["manifest.json", "SHA256SUMS"]
    return {name: (folder / name).read_bytes() for name in names}


def records(folder: Path) -> str:
    """A file with two short games."""
    games = []
    for moves in ("f5d6c3d3c4", "f5f6e6f4e3"):
        board = emilia.Board()
        for at in range(0, len(moves), 2):
            board.push(moves[at : at + 2])
        games.append(emilia.Game(board))
    path = folder / "games.pgn"
    emilia.write_games(path, games)
    return str(path)


def planned(kind: str, folder: Path, record: str) -> emilia.WorkFolder:
    if kind == "selfplay":
        return cluster.plan_selfplay(folder, games=6, depth=2, exact_from=6, shard=2)
    if kind == "label":
        return cluster.plan_label(folder, [record], every=True, player="emilia:level=1,hash=1", unit=3)
    if kind == "review":
        return cluster.plan_review(folder, [record], player="alphabeta:depth=1", unit=1)
    if kind == "match":
        return cluster.plan_match(folder, "greedy", "random", size=6, games=40, unit=2, sprt=(0, 100))
    if kind == "proof":
        return cluster.plan_proof(folder, "-----OX--XO----- X", plies=3, hash=1)
    return cluster.plan_dataset(folder, games=20, size=6, shard=7)


@pytest.mark.parametrize("kind", ["selfplay", "label", "review", "match", "proof", "dataset"])
def test_units_done_here_and_units_done_in_the_folder_give_the_same(tmp_path: Path, kind: str) -> None:
    record = records(tmp_path)
    sent = planned(kind, tmp_path / "sent", record)
    alone = planned(kind, tmp_path / "alone", record)
    told: list[tuple[int, int]] = []
    manifest = cluster.run(sent, on=cluster.Here(threads=2), progress=lambda *far: told.append(far))
    for unit in reversed(alone.open_units()):
        assert alone.run(unit) in ("done", "not needed")
    alone.merge()
    assert files(tmp_path / "sent") == files(tmp_path / "alone")
    assert manifest["files"] and told[-1][1] == len(sent)
    # What is there is not done again.
    told.clear()
    cluster.run(tmp_path / "sent", on=cluster.Here(), progress=lambda *far: told.append(far))
    assert told == []


def test_mistakes_are_named(tmp_path: Path) -> None:
    with pytest.raises(emilia.WorkFailedError, match="there is no plan here"):
        emilia.WorkFolder(tmp_path)
    with pytest.raises(ValueError, match="did you mean greedy"):
        cluster.plan_match(tmp_path / "match", "gredy", "random")
    with pytest.raises(OSError, match="no-such-file"):
        cluster.plan_review(tmp_path / "review", ["no-such-file"])
    with pytest.raises(ValueError, match="unknown field `speed`"):
        cluster.plan_dataset(tmp_path / "data", games=5, speed=9)
    assert not (tmp_path / "data").exists()
    work = cluster.plan_dataset(tmp_path / "data", games=5)
    with pytest.raises(ValueError, match="there is no unit 7: they are numbered 0 to 0"):
        work.run(7)
    with pytest.raises(emilia.WorkFailedError, match="1 of 1 units are still to be done"):
        work.merge()


def test_the_command_line_runs_a_plan(tmp_path: Path) -> None:
    cluster.plan_dataset(tmp_path, games=9, size=4, shard=4)
    here = [sys.executable, "-m", "emilia.cluster"]
    ran = subprocess.run([*here, "run", str(tmp_path), "--here"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, f"9 files: {tmp_path / 'manifest.json'}\n")
    status = subprocess.run([*here, "status", str(tmp_path)], capture_output=True, text=True, check=False)
    assert status.stdout == "3 done, 0 open, 0 not needed\n"
    nowhere = subprocess.run([*here, "status", str(tmp_path / "no")], capture_output=True, text=True, check=False)
    assert nowhere.returncode == 1 and "there is no plan here" in nowhere.stderr


class Node:
    """A machine of a Ray cluster, as processes of their own."""

    def __init__(self, *words: str) -> None:
        start = ["-m", "ray.scripts.scripts", "start", "--block", "--num-cpus=1", "--disable-usage-stats"]
        self.process = subprocess.Popen(
            [sys.executable, *start, "--node-ip-address=127.0.0.1", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def kill(self) -> None:
        """As when the power fails: nobody is asked. Whoever it has started is in its session."""
        sessions = subprocess.run(["ps", "-eo", "pid=,sess="], capture_output=True, text=True, check=True).stdout
        for line in sessions.splitlines():
            pid, session = line.split()
            if int(session) == self.process.pid:
                try:
                    os.kill(int(pid), signal.SIGKILL)
                except ProcessLookupError:
                    pass
        self.process.wait()


def free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port: int = asked.getsockname()[1]
        return port


@pytest.mark.large
def test_a_cluster_of_two_loses_a_machine_in_the_middle(tmp_path: Path) -> None:
    """Head and worker are processes of their own; the worker is killed, another one comes, and nothing is lost."""
    import ray

    def plan(name: str) -> emilia.WorkFolder:
        return cluster.plan_selfplay(tmp_path / name, games=48, depth=4, exact_from=12, shard=1)

    alone, shared = plan("alone"), plan("shared")
    cluster.run(alone, on=cluster.Here(threads=2))
    # Some of it was done before.
    before = [0, 7, 30]
    for unit in before:
        shared.run(unit)
    stamps = {unit: (tmp_path / "shared" / f"games-{unit:06}.emg").stat().st_mtime_ns for unit in before}
    port = free_port()
    nodes = [Node("--head", f"--port={port}", "--include-dashboard=false")]
    address = f"127.0.0.1:{port}"
    done: list[int] = []
    try:
        deadline = time.monotonic() + 120
        while True:
            try:
                ray.init(address=address, _node_ip_address="127.0.0.1", log_to_driver=False, logging_level="error")
                break
            except (ConnectionError, RuntimeError, ValueError):
                assert time.monotonic() < deadline, "no head in two minutes"
                time.sleep(1)
        nodes.append(Node(f"--address={address}"))
        while ray.cluster_resources().get("CPU", 0) < 2:
            assert time.monotonic() < deadline, "no worker in two minutes"
            time.sleep(0.2)

        def progress(count: int, _: int) -> None:
            done.append(count)
            if len(done) == 10:
                nodes[1].kill()
            if len(done) == 14:
                nodes.append(Node(f"--address={address}"))

        cluster.run(shared, on=cluster.OnRay(address), progress=progress)
    finally:
        ray.shutdown()
        for node in reversed(nodes):
            node.kill()
    assert files(tmp_path / "shared") == files(tmp_path / "alone")
    # Each unit came back once, and none of those that were there.
    assert done == list(range(len(before) + 1, 49))
    for unit, stamp in stamps.items():
        assert (tmp_path / "shared" / f"games-{unit:06}.emg").stat().st_mtime_ns == stamp
