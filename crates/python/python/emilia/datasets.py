"""Data sets for sequence models: games, and everything there is to know at every step.

>>> import tempfile
>>> from emilia import datasets
>>> with tempfile.TemporaryDirectory() as folder:
...     data = datasets.make(folder, games=100, exact_from=6)
...     len(data.games), sorted(data.rows)
(100, ['games', 'test', 'train'])

``python -m emilia.datasets parquet FOLDER`` writes a data set as Parquet, which needs pyarrow: ``pip install emilia[data]``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from emilia._emilia import WorkFolder

Table = Literal["games", "train", "test"]
TABLES: tuple[Table, ...] = ("games", "train", "test")

__all__ = ["TABLES", "Dataset", "Table", "load", "make", "to_parquet"]


@dataclass(frozen=True)
class Dataset:
    """A data set in a folder. Its rows stay on the disk until they are asked for."""

    folder: Path
    manifest: dict[str, Any]

    @property
    def size(self) -> int:
        """Squares along a side of the board."""
        return int(self.recipe["size"])

    @property
    def recipe(self) -> dict[str, Any]:
        """What decides every byte of it."""
        recipe: dict[str, Any] = self.manifest["plan"]["task"]["dataset"]
        return recipe

    @property
    def rows(self) -> dict[str, int]:
        """How many rows each table has."""
        rows: dict[str, int] = self.manifest["about"]["rows"]
        return rows

    @property
    def command(self) -> str:
        """The command that makes it again."""
        return str(self.manifest["about"]["command"])

    def files(self, table: Table) -> list[Path]:
        """The files of a table, in their order."""
        if table not in TABLES:
            raise ValueError(f"{table!r} is none of the tables {', '.join(TABLES)}")
        names = [file["name"] for file in self.manifest["files"]]
        return [self.folder / name for name in names if name.startswith(f"{table}-")]

    def shards(self, table: Table) -> Iterator[npt.NDArray[np.void]]:
        """The rows of a table, file by file, mapped into memory."""
        if self.recipe["format"] != "npy":
            raise ValueError(f"{self.folder}: only data sets of numpy's files are mapped, this one is {self.recipe['format']}")
        for path in self.files(table):
            yield np.load(path, mmap_mode="r")

    @property
    def games(self) -> npt.NDArray[np.void]:
        """All games, in memory."""
        return self._all("games")

    @property
    def train(self) -> npt.NDArray[np.void]:
        """All steps to learn from, in memory."""
        return self._all("train")

    @property
    def test(self) -> npt.NDArray[np.void]:
        """All steps for tests, in memory."""
        return self._all("test")

    def squares(self, column: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """A column of sets of squares as zeros and ones, a row of the board after the other."""
        return np.unpackbits(column, axis=-1, bitorder="little", count=self.size**2)

    def boards(self, steps: npt.NDArray[np.void]) -> npt.NDArray[np.uint8]:
        """The boards of steps, a byte a square: 0 empty, 1 mine, 2 theirs."""
        if "board" in (steps.dtype.names or ()):
            cells: npt.NDArray[np.uint8] = steps["board"]
            return cells
        return self.squares(steps["mine"]) + 2 * self.squares(steps["theirs"])

    def _all(self, table: Table) -> npt.NDArray[np.void]:
        return np.concatenate(list(self.shards(table)))


def make(
    folder: str | os.PathLike[str],
    *,
    games: int,
    size: int = 8,
    seed: int = 1,
    players: Sequence[str] = ("random",),
    noise: float = 0.0,
    test_share: float = 0.1,
    value_depth: int | None = None,
    exact_from: int | None = None,
    cells: bool = False,
    format: Literal["npy", "jsonl"] = "npy",
    shard: int | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Dataset:
    """Makes a data set, or goes on making it; ``emilia dataset`` on the command line makes the same bytes.

    Each side of each game is one of the ``players``, any of ours by name. ``progress`` is told how many files of how many
    are there.
    """
    recipe = {
        "size": size,
        "games": games,
        "seed": seed,
        "players": list(players),
        "noise": noise,
        "test_share": test_share,
        "value_depth": value_depth,
        "exact_from": exact_from,
        "cells": cells,
        "format": format,
        "shard": shard,
    }
    work = WorkFolder.plan(folder, json.dumps({"dataset": recipe}))
    units = work.open_units()
    done = len(work) - len(units)
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        try:
            for _ in pool.map(work.run, units):
                done += 1
                if progress is not None:
                    progress(done, len(work))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    work.merge()
    return load(folder)


def load(folder: str | os.PathLike[str]) -> Dataset:
    """The data set in a folder."""
    path = Path(folder)
    manifest = path / "manifest.json"
    try:
        text = manifest.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise FileNotFoundError(f"{manifest} is not there: the data set is not finished, or this is none") from None
    found = json.loads(text)
    if "dataset" not in found.get("plan", {}).get("task", {}):
        raise ValueError(f"{manifest} is not the manifest of a data set")
    return Dataset(path, found)


def to_parquet(dataset: Dataset, folder: str | os.PathLike[str]) -> list[Path]:
    """Writes every file of a data set as Parquet. Sets of squares stay bits, in binary columns of fixed length."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise ModuleNotFoundError("Parquet needs pyarrow: pip install 'emilia[data]'") from None
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    written = []
    about = {"emilia": json.dumps(dataset.manifest["about"])}
    for table in TABLES:
        for path, rows in zip(dataset.files(table), dataset.shards(table), strict=True):
            names = rows.dtype.names or ()
            columns = [_arrow(np.ascontiguousarray(rows[name]), pyarrow) for name in names]
            result = target / f"{path.stem}.parquet"
            unfinished = result.with_suffix(".unfinished")
            parts = pyarrow.table(columns, names=list(names)).replace_schema_metadata(about)
            pyarrow.parquet.write_table(parts, unfinished)
            unfinished.replace(result)
            written.append(result)
    return written


def _arrow(column: npt.NDArray[Any], pyarrow: Any) -> Any:
    """A column as Arrow keeps it."""
    if column.ndim == 1:
        return pyarrow.array(column)
    if column.dtype == np.uint8:
        kind = pyarrow.binary(column.shape[1])
        return pyarrow.FixedSizeBinaryArray.from_buffers(kind, len(column), [None, pyarrow.py_buffer(column)])
    return pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(column.ravel()), column.shape[1])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m emilia.datasets", description="What to do with a data set.")
    commands = parser.add_subparsers(dest="command", required=True)
    show = commands.add_parser("show", help="what is in it")
    show.add_argument("folder")
    parquet = commands.add_parser("parquet", help="write it as Parquet")
    parquet.add_argument("folder")
    parquet.add_argument("--out", required=True, help="folder for the Parquet files")
    given = parser.parse_args(arguments)
    try:
        dataset = load(given.folder)
        if given.command == "parquet":
            print(f"{len(to_parquet(dataset, given.out))} files written to {given.out}")
        else:
            print(dataset.command)
            for table in TABLES:
                print(f"{table}: {dataset.rows[table]} rows in {len(dataset.files(table))} files")
    except (OSError, ValueError, ModuleNotFoundError) as error:
        print(f"emilia: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
