"""Games in files: every format that is written is read again, and real files are read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import emilia
import pytest
from emilia import Board, Game

DATA = Path(__file__).parents[3] / "data"
MOVES = "f5d6c3d3c4f4f6f3e6e7"


def test_a_game_comes_back_from_every_format(tmp_path: Path) -> None:
    game = Game(Board.from_text(MOVES), {"Black": "Tom", "White": "Kitty", "Event": "Club night"})
    assert repr(game) == "<Game Tom - Kitty, 8×8, 10 moves>" and len(game) == 10
    for ending in ["txt", "ggf", "sgf", "pgn", "json", "wtb"]:
        file = tmp_path / f"games.{ending}"
        emilia.write_games(file, [game, game])
        again = emilia.read_games(file)
        assert again.problems == [] and isinstance(again.format, str)
        games = list(again)
        assert [other.moves for other in games] == [game.moves] * 2, ending
        if ending in ("ggf", "sgf", "pgn", "json"):
            assert games[0].tags["Black"] == "Tom" and games[0].tags["White"] == "Kitty"
    (parsed,) = emilia.parse_games(game.to_text("sgf"))
    assert parsed.moves == game.moves and parsed.end() == game.end()


def test_boards_of_a_game() -> None:
    game = Game(Board.from_text(MOVES))
    boards = game.boards()
    assert boards[0] == game.start() == Board() and boards[-1] == game.end() and len(boards) == 11
    assert [board.peek() for board in boards[1:]] == game.moves
    assert game.winner is None and game.margin is None and game.size == 8 and game.objective == "most"
    won = Game(Board.from_text("e6f4e3f6g5d6e7f5c5"))
    assert won.winner == emilia.BLACK and won.margin == 64
    assert set(game.comments) == {""} and set(game.evaluations) == {None}


def test_real_files() -> None:
    games = list(emilia.read_games(DATA / "wthor" / "WTH_1978.wtb"))
    assert len(games) > 5 and all(len(game) > 40 for game in games)
    # The names lie beside the file.
    assert all(game.tags["Black"] for game in games)
    served = list(emilia.read_games(DATA / "games" / "server.ggf", strict=False))
    assert served and any(value is not None for game in served for value in game.evaluations)
    positions = list(emilia.read_games(DATA / "endgame" / "fforum-1-19.obf"))
    assert len(positions) >= 19 and all(len(position) <= 1 for position in positions)


def test_a_game_is_shown_with_a_slider() -> None:
    page = Game(Board.from_text(MOVES))._repr_html_()  # type: ignore[attr-defined]
    assert page.startswith("<iframe") and page.endswith("</iframe>") and "range" in page
    assert page.count("&quot;e7&quot;") == 1 and '"' not in page.split('srcdoc="')[1].rsplit('"', 1)[0]


def test_bad_games_can_be_left_out(tmp_path: Path) -> None:
    file = tmp_path / "two.pgn"
    file.write_text('[Black "A"]\n\n1. f5 d6 *\n\n[Black "B"]\n\n1. a1 *\n')
    with pytest.raises(emilia.RecordError, match="two.pgn: game 2: move 1"):
        emilia.read_games(file)
    games = emilia.read_games(file, strict=False)
    assert [len(game) for game in games] == [2] and "game 2" in games.problems[0]


@pytest.mark.parametrize(
    ("wrong", "kind", "sentence"),
    [
        (lambda _: emilia.read_games("no/such/file.pgn"), FileNotFoundError, "no/such/file.pgn"),
        (lambda path: emilia.read_games(path), OSError, ""),
        (lambda _: emilia.parse_games(""), emilia.RecordError, "empty"),
        (lambda _: emilia.parse_games("what is this"), emilia.RecordError, "no game record is recognised"),
        (lambda path: emilia.write_games(path / "x.xyz", []), ValueError, "x.xyz: no format ends like that"),
        (lambda path: emilia.write_games(path / "x.pgn", [], "doc"), ValueError, "\"doc\" is not a format"),
        (lambda path: emilia.write_games(path / "x.pgn", [1]), TypeError, "Game"),  # type: ignore[list-item]
        (lambda path: emilia.write_games(path / "x.wtb", [Game(Board(6))]), emilia.RecordError, "no boards of 6×6"),
        (lambda path: emilia.write_games(path / "x.jou", []), emilia.RecordError, "cannot be written"),
        (lambda path: emilia.write_games(path / "no" / "x.pgn", []), FileNotFoundError, "x.pgn"),
        (lambda _: Game(Board()).to_text("wthor"), ValueError, "wthor is no text"),
        (lambda _: Game(Board(), {"Black": 3}), TypeError, "str"),  # type: ignore[dict-item]
    ],
)
def test_what_is_wrong_is_named(wrong: Any, kind: type[Exception], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(kind) as raised:
        wrong(tmp_path)
    assert sentence in str(raised.value)
    assert list(tmp_path.iterdir()) == []
