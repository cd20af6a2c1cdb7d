"""Data sets say what the slow rules say, and numpy reads what we write."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emilia
from emilia import datasets

PAGE = Path(__file__).parents[3] / "docs" / "datasets.md"


def half_of_the_page() -> Callable[..., str]:
    """The rule in docs/datasets.md, as it stands there."""
    code = re.findall(r"```python\n(def half.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
    names: dict[str, Any] = {}
    exec(code, names)
    found: Callable[..., str] = names["half"]
    return found


def discs(bits: np.ndarray[Any, Any], size: int) -> set[tuple[int, int]]:
    return {(int(at) % size, int(at) // size) for at in np.flatnonzero(bits)}


@pytest.mark.parametrize(("size", "cells"), [(4, False), (6, True), (8, False), (10, False)])
def test_rows_are_what_the_boards_of_the_package_say(tmp_path: Path, size: int, cells: bool) -> None:
    data = datasets.make(tmp_path, games=12, size=size, cells=cells, shard=5, test_share=0.3, threads=2)
    half = half_of_the_page()
    steps = {"train": data.train, "test": data.test}
    found = {(int(row["game"]), int(row["ply"])): (table, row) for table, rows in steps.items() for row in rows}
    assert len(found) == data.rows["train"] + data.rows["test"]
    for game in data.games:
        board = emilia.Board(size)
        for ply in range(game["length"]):
            if board.must_pass():
                board.push("pass")
            table, row = found.pop((int(game["game"]), ply))
            assert (table == "test") == bool(game["test"][ply])
            one = np.array([row], dtype=row.dtype)
            cells_now = data.boards(one)[0]
            mine, theirs = discs(cells_now == 1, size), discs(cells_now == 2, size)
            assert table == half(size, mine, theirs, 0.3)
            assert bool(row["black"]) == (board.turn == emilia.BLACK)
            legal = {(square % size, square // size) for square in np.flatnonzero(data.squares(one["legal"])[0])}
            names = {f"{chr(97 + int(column))}{int(line) + 1}" for column, line in legal}
            assert names == {str(move) for move in board.legal_moves}
            square = int(row["move"])
            assert square == int(game["moves"][ply])
            board.push(f"{chr(97 + square % size)}{square // size + 1}")
        assert board.is_game_over()
    assert not found


def test_the_same_recipe_gives_the_same_bytes_and_goes_on(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    one = datasets.make(tmp_path / "one", games=20, shard=6, exact_from=4, threads=1, progress=lambda *far: told.append(far))
    two = datasets.make(tmp_path / "two", games=20, shard=6, exact_from=4, threads=3)
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert one.manifest == two.manifest
    for table in datasets.TABLES:
        for left, right in zip(one.files(table), two.files(table), strict=True):
            assert left.read_bytes() == right.read_bytes()
    told.clear()
    datasets.make(tmp_path / "one", games=20, shard=6, exact_from=4, progress=lambda *far: told.append(far))
    assert told == []
    exact = one.train["exact"]
    assert set(exact[exact != -32768] % 2) <= {0} and (exact != -32768).any()


def test_mistakes_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="did you mean greedy"):
        datasets.make(tmp_path, games=5, players=["gredy"])
    with pytest.raises(ValueError, match="a data set has 1 to 4294967295 games, not 0"):
        datasets.make(tmp_path, games=0)
    with pytest.raises(FileNotFoundError, match="is not finished, or this is none"):
        datasets.load(tmp_path / "nowhere")
    datasets.make(tmp_path / "lines", games=2, format="jsonl")
    with pytest.raises(ValueError, match="only data sets of numpy's files are mapped"):
        list(datasets.load(tmp_path / "lines").shards("train"))
    lines = (tmp_path / "lines" / "games-000000.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["game"] for line in lines] == [0, 1]
    with pytest.raises(emilia.WorkFailedError, match="holds other work"):
        datasets.make(tmp_path / "lines", games=3)


def test_the_command_line_shows_what_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    datasets.make(tmp_path, games=3)
    assert datasets.main(["show", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("emilia dataset --size 8 --games 3 --seed 1 --player random\ngames: 3 rows in 1 files\n")
    assert datasets.main(["show", str(tmp_path / "no")]) == 1
    assert "is not finished, or this is none" in capsys.readouterr().err


@pytest.mark.large
def test_parquet_holds_the_same_rows(tmp_path: Path) -> None:
    import pyarrow.parquet

    data = datasets.make(tmp_path / "data", games=10, shard=4, value_depth=1, exact_from=4)
    files = datasets.to_parquet(data, tmp_path / "parquet")
    assert len(files) == 9
    table = pyarrow.parquet.read_table(tmp_path / "parquet" / "train-000001.parquet")
    rows = list(data.shards("train"))[1]
    assert table.column_names == list(rows.dtype.names or ())
    assert table["ply"].to_pylist() == rows["ply"].tolist()
    assert table["exact"].to_pylist() == rows["exact"].tolist()
    mine = np.array([list(cell) for cell in table["mine"].to_pylist()], dtype=np.uint8)
    assert (mine == rows["mine"]).all()
