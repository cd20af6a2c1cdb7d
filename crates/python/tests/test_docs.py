"""Documentation that is run: the examples of docs/python.md, the notebooks, the agent, the reference."""

from __future__ import annotations

import csv
import doctest
import json
import re
import runpy
import sys
from pathlib import Path
from typing import Any

import emilia
import pytest

HERE = Path(__file__).parents[1]
DOCS = HERE.parents[1] / "docs"


def run_block(source: str, name: str, line: int, names: dict[str, Any]) -> None:
    """Runs a piece of a page; an error shows the line of the page."""
    exec(compile("\n" * line + source, name, "exec"), names)


@pytest.mark.parametrize("page", [DOCS / "python.md", HERE / "README.md", HERE.parents[1] / "README.md"], ids=lambda page: page.name)
def test_every_example_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": page.stem}
    blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    assert blocks
    for block in blocks:
        run_block(block[1], page.name, text[: block.start(1)].count("\n"), names)


@pytest.mark.parametrize("book", sorted((HERE / "notebooks").glob("*.ipynb")), ids=lambda book: book.stem)
def test_notebooks_run(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(book.parent)
    monkeypatch.setattr(sys, "path", list(sys.path))
    names: dict[str, Any] = {"__name__": book.stem, "GAMES": 600}
    cells = json.loads(book.read_text(encoding="utf-8"))["cells"]
    for number, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [], "notebooks are kept without what they printed"
            run_block("".join(cell["source"]), f"{book.name}, cell {number + 1}", 0, names)


def test_the_agent_learns() -> None:
    lesson = runpy.run_path(str(HERE / "examples" / "learn_6x6.py"))
    agent = lesson["Agent"]()
    untaught = lesson["match"](agent, "greedy", 40)
    lesson["train"](agent, 3000)
    # Nothing here is left to chance: the same seed gives the same games.
    assert untaught < 0.6 and lesson["match"](agent, "greedy", 40) > 0.8


@pytest.mark.large
def test_the_agent_learns_all_of_it() -> None:
    lesson = runpy.run_path(str(HERE / "examples" / "learn_6x6.py"))
    agent = lesson["Agent"]()
    lesson["train"](agent, 40_000)
    assert lesson["match"](agent, "greedy", 200) > 0.9


@pytest.mark.parametrize(("size", "plies"), [(4, 12), (6, 6), (8, 6)])
def test_positions_are_counted_as_published(size: int, plies: int) -> None:
    assert counted(size, plies) == published(size)[: plies + 1]


@pytest.mark.large
@pytest.mark.parametrize(("size", "plies"), [(6, 9), (8, 11)])
def test_more_positions_are_counted_as_published(size: int, plies: int) -> None:
    assert counted(size, plies) == published(size)


def counted(size: int, plies: int) -> list[int]:
    example = runpy.run_path(str(HERE / "examples" / "count_positions.py"))
    return list(example["counts"](plies, size))


def published(size: int) -> list[int]:
    """How many positions there are after each ply."""
    with (HERE.parents[1] / "data" / "perft" / "unique-positions.tsv").open(encoding="utf-8") as table:
        rows = csv.DictReader(table, delimiter="\t")
        return [int(row["unique_positions"]) for row in rows if row["board"] == f"{size}x{size}"]


def test_the_reference_is_up_to_date() -> None:
    reference = runpy.run_path(str(HERE / "reference.py"))
    assert (DOCS / "python-api.md").read_text(encoding="utf-8") == reference["page"](), "python crates/python/reference.py"


def test_everything_public_is_described() -> None:
    page = (DOCS / "python-api.md").read_text(encoding="utf-8")
    aliases = {"BLACK", "batch", "WHITE", "MoveLike", "SquareLike", "Objective", "__version__"}
    missing = [name for name in emilia.__all__ if name not in aliases and f"### {name}\n" not in page and f"`{name}(" not in page]
    assert missing == []


def test_the_first_example() -> None:
    assert doctest.testmod(emilia).failed == 0
