"""Long work on many machines with Ray: self-play, labels, reviews, matches, proofs and data sets.

Work is planned in a folder, cut into units by what they are about, and not by who does them. Each unit is a task of Ray;
what it gives comes back and is kept in the folder, which only this process needs to see. What is in the folder is never done
again, a unit that was lost with its machine is given to another, and the merged result is byte for byte the same as
on one machine.

>>> import tempfile
>>> from emilia import cluster
>>> with tempfile.TemporaryDirectory() as folder:
...     work = cluster.plan_match(folder, "greedy", "random", size=4, games=4, openings="random:1", unit=1)
...     cluster.run(work, on=cluster.Here(threads=2))["about"]["games"]
4

``python -m emilia.cluster run FOLDER`` does it on a cluster, which needs Ray: ``pip install emilia[ray]``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from emilia._emilia import WorkFailedError, WorkFolder, WorkUnits

__all__ = [
    "Here",
    "OnRay",
    "Place",
    "Progress",
    "plan_dataset",
    "plan_label",
    "plan_match",
    "plan_proof",
    "plan_review",
    "plan_selfplay",
    "run",
]

Folder = str | os.PathLike[str]
Files = list[tuple[str, bytes]]
#: What a unit has given: its number, its files and a note; nothing if it was not needed any more.
Given = tuple[int, Files, str]
#: Told after each unit: how many are done, and how many there are.
Progress = Callable[[int, int], object]


def plan_selfplay(
    folder: Folder,
    *,
    games: int,
    seed: int = 1,
    depth: int = 8,
    exact_from: int = 18,
    starts: Literal["random", "wthor", "openings", "mix"] = "mix",
    wthor: Sequence[str] = (),
    weights: str | None = None,
    shard: int = 500,
) -> WorkFolder:
    """Games of Emilia against herself to learn from: the files of ``emilia selfplay``."""
    plan = {"seed": seed, "depth": depth, "exact_from": exact_from, "kind": starts}
    task = {"plan": plan, "games": games, "shard": shard, "weights": weights, "wthor": list(wthor)}
    return _plan(folder, "selfplay", task)


def plan_label(
    folder: Folder, files: Sequence[str], *, every: bool = False, player: str = "emilia:level=10,hash=16", unit: int = 100
) -> WorkFolder:
    """Positions of files in any format, each judged on its own."""
    return _plan(folder, "label", {"files": list(files), "every": every, "player": player, "unit": unit})


def plan_review(
    folder: Folder, files: Sequence[str], *, player: str = "emilia:level=8,hash=16", unit: int = 10
) -> WorkFolder:
    """Games of files in any format, every move judged."""
    return _plan(folder, "review", {"files": list(files), "player": player, "unit": unit})


def plan_match(
    folder: Folder,
    first: str,
    second: str,
    *,
    games: int = 20_000,
    sprt: tuple[float, float] | None = None,
    error_rate: float = 0.05,
    size: int = 8,
    openings: str | None = None,
    seed: int = 0,
    unit: int = 10,
) -> WorkFolder:
    """Games between two players with colours changed, perhaps until a sequential test has an answer."""
    task = {
        "players": [first, second],
        "games": games,
        "sprt": None if sprt is None else [list(sprt), error_rate],
        "size": size,
        "openings": openings or ("balanced" if size == 8 else "random:6"),
        "seed": seed,
        "unit": unit,
    }
    return _plan(folder, "match", task)


def plan_proof(folder: Folder, position: str, *, plies: int = 4, hash: int = 64) -> WorkFolder:
    """A position of 4×4, 6×6 or 8×8 solved by solving what it leads to."""
    return _plan(folder, "proof", {"position": position, "plies": plies, "hash": hash})


def plan_dataset(folder: Folder, **recipe: Any) -> WorkFolder:
    """Games as data for sequence models; the options are those of ``emilia.datasets.make``."""
    usual: dict[str, Any] = {
        "size": 8,
        "seed": 1,
        "players": ["random"],
        "noise": 0.0,
        "test_share": 0.1,
        "value_depth": None,
        "exact_from": None,
        "cells": False,
        "format": "npy",
        "shard": None,
    }
    return _plan(folder, "dataset", usual | recipe)


def _plan(folder: Folder, kind: str, task: dict[str, Any]) -> WorkFolder:
    return WorkFolder.plan(folder, json.dumps({kind: task}))


class Place(Protocol):
    """Somewhere to do units."""

    def run(self, work: WorkFolder, units: Iterator[int]) -> Iterable[Given]:
        """Does these units, and gives what they gave in any order. Takes the next only when there is room for it."""


@dataclass(frozen=True)
class Here:
    """Threads of this process."""

    threads: int | None = None

    def run(self, work: WorkFolder, units: Iterator[int]) -> Iterable[Given]:
        here = WorkUnits(*work.package())
        threads = self.threads or os.cpu_count() or 1
        with ThreadPoolExecutor(threads) as pool:
            waiting: dict[Future[tuple[Files, str]], int] = {}
            try:
                while True:
                    while len(waiting) < threads and (unit := next(units, None)) is not None:
                        waiting[pool.submit(here.run, unit)] = unit
                    if not waiting:
                        return
                    for done in wait(waiting, return_when=FIRST_COMPLETED).done:
                        files, note = done.result()
                        yield waiting.pop(done), files, note
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


@dataclass(frozen=True)
class OnRay:
    """The machines of a Ray cluster; one is started on this machine if there is none.

    ``in_flight`` tasks are out at a time, for each processor two unless said: enough that nobody waits, few enough
    that what comes back does not pile up. A task whose machine dies is given to another one, ``retries`` times.
    """

    address: str | None = None
    in_flight: int | None = None
    retries: int = 5
    node_ip_address: str | None = None

    def run(self, work: WorkFolder, units: Iterator[int]) -> Iterable[Given]:
        try:
            import ray
        except ModuleNotFoundError:
            raise ModuleNotFoundError("a cluster needs Ray: pip install 'emilia[ray]'") from None
        if not ray.is_initialized():
            options: dict[str, Any] = {"address": self.address, "log_to_driver": False, "logging_level": "warning"}
            if self.node_ip_address is not None:
                options["_node_ip_address"] = self.node_ip_address
            ray.init(**options)
        package = ray.put(work.package())
        task = ray.remote(num_cpus=1, max_retries=self.retries)(_unit)
        waiting: dict[Any, int] = {}
        while True:
            # Machines come and go; there is work for those that are there now.
            room = self.in_flight or max(2, 2 * int(ray.cluster_resources().get("CPU", 1)))
            while len(waiting) < room and (unit := next(units, None)) is not None:
                waiting[task.remote(package, unit)] = unit
            if not waiting:
                return
            done, _ = ray.wait(list(waiting), num_returns=1)
            for reference in done:
                files, note = ray.get(reference)
                yield waiting.pop(reference), files, note


_ready: tuple[str, WorkUnits] | None = None


def _unit(package: tuple[str, dict[str, bytes]], unit: int) -> tuple[Files, str]:
    """A unit on another machine. What the plan needs is made ready once for each process."""
    global _ready
    plan, inputs = package
    if _ready is None or _ready[0] != plan:
        _ready = (plan, WorkUnits(plan, inputs))
    return _ready[1].run(unit)


def run(work: WorkFolder | Folder, *, on: Place | None = None, progress: Progress | None = None) -> dict[str, Any]:
    """Does all that is to be done in a folder, on Ray unless said otherwise, and merges it: the manifest of the result."""
    folder = work if isinstance(work, WorkFolder) else WorkFolder(work)
    place = on or OnRay()
    total = len(folder)
    while pending := folder.open_units():
        done = total - len(pending)
        for unit, files, note in place.run(folder, _needed(folder, pending)):
            folder.keep(unit, files, note)
            done += 1
            if progress is not None:
                progress(done, total)
    merged: dict[str, Any] = json.loads(folder.merge())
    return merged


#: How often it is looked whether what is left is still needed, in seconds.
_LOOK = 1.0


def _needed(folder: WorkFolder, pending: Sequence[int]) -> Iterator[int]:
    """These units, but for those that are not needed any more when it is their turn: a test may have its answer."""
    left, looked = deque(pending), time.monotonic()
    while left:
        unit = left.popleft()
        if time.monotonic() - looked >= _LOOK:
            still = set(folder.open_units())
            left = deque(other for other in left if other in still)
            looked = time.monotonic()
            if unit not in still:
                continue
        yield unit


def _shown(begin: float) -> Progress:
    """Shows how far it is on standard error: a line that lives for a person, one now and then for a log."""
    alive = sys.stderr.isatty()
    told = begin

    def show(done: int, total: int) -> None:
        nonlocal told
        now = time.monotonic()
        if done < total and now - told < (0.2 if alive else 10.0):
            return
        told = now
        end = "\r" if alive and done < total else "\n"
        print(f"{done}/{total} units, {now - begin:.0f} s", end=end, file=sys.stderr, flush=True)

    return show


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="emilia cluster", description="Do the units of a plan on many machines with Ray, and merge what they gave."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    run_ = commands.add_parser("run", help="do all that is to be done, and merge it")
    run_.add_argument("folder", help="the folder of the plan, made by emilia work plan")
    run_.add_argument("--address", help="of the cluster, for instance auto or ray://host:10001 [default: this machine]")
    run_.add_argument("--in-flight", type=int, help="tasks that are out at a time [default: two for each processor]")
    run_.add_argument("--retries", type=int, default=5, help="how often a task is given to another machine [default: 5]")
    run_.add_argument("--node-ip-address", help="address of this machine, where it has several")
    run_.add_argument("--here", action="store_true", help="use threads of this process instead of Ray")
    status = commands.add_parser("status", help="how many units are done")
    status.add_argument("folder", help="the folder of the plan")
    given = parser.parse_args(arguments)
    try:
        folder = WorkFolder(given.folder)
        if given.command == "status":
            states = folder.states()
            print(", ".join(f"{states.count(state)} {state}" for state in ("done", "open", "not needed")))
            return 0
        place: Place = Here() if given.here else OnRay(given.address, given.in_flight, given.retries, given.node_ip_address)
        merged = run(folder, on=place, progress=_shown(time.monotonic()))
        print(f"{len(merged['files'])} files: {folder.path / 'manifest.json'}")
    except KeyboardInterrupt:
        print("emilia: stopped; the same command goes on", file=sys.stderr)
        return 130
    except (OSError, ValueError, ModuleNotFoundError, WorkFailedError) as error:
        print(f"emilia: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
