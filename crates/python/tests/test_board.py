"""The board: rules, notation, pickles, and what is refused."""

from __future__ import annotations

import copy
import pickle
import threading
from typing import Any

import emilia
import pytest
from emilia import BLACK, WHITE, Board, Move, Square
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_rules import SlowBoard


def leaves(board: Board, depth: int) -> int:
    if depth == 0 or board.is_game_over():
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += leaves(board, depth - 1)
        board.pop()
    return total


def test_as_many_positions_as_everybody_counts() -> None:
    # The published perft figures of the 8×8 board.
    assert [leaves(Board(), depth) for depth in range(1, 7)] == [4, 12, 56, 244, 1396, 8200]


@settings(max_examples=40)
@given(size=st.sampled_from([4, 6, 8, 10, 16, 26]), data=st.data())
def test_games_are_those_of_the_slow_rules(size: int, data: st.DataObject) -> None:
    board, slow = Board(size), SlowBoard.start(size)
    picks = data.draw(st.lists(st.integers(0, 30), max_size=70 if size <= 8 else 12))
    for pick in picks:
        names = slow.names()
        assert [str(move) for move in board.legal_moves] == names
        assert board.is_game_over() == slow.is_over() == (not names)
        assert board.must_pass() == (names == ["pass"])
        if not names:
            break
        name = names[pick % len(names)]
        if name != "pass":
            flipped = sorted(slow.flips(int(name[1:]) - 1, ord(name[0]) - 97))
            assert [(square.row, square.column) for square in board.flips(name)] == flipped
        board.push(name)
        slow = slow.played(name)
        assert board.to_text() == slow.text()
        assert (board.count(BLACK), board.count(WHITE)) == (slow.count("X"), slow.count("O"))
    again = pickle.loads(pickle.dumps(board))
    assert again == board and again.move_stack == board.move_stack
    while board.ply():
        board.pop()
    assert board == Board(size) and board == again.root()


def test_the_whole_game() -> None:
    # The shortest win there is: nine moves.
    board = Board.from_text("e6f4e3f6g5d6e7f5c5")
    assert (board.ply(), board.transcript()) == (9, "e6f4e3f6g5d6e7f5c5")
    assert board.is_game_over() and board.result() == "1-0" and board.winner == BLACK
    assert board.score() == 64 and not board.legal_moves
    lost = Board.from_text("e6f4e3f6g5d6e7f5c5", objective="fewest")
    assert lost.result() == "0-1" and lost.winner == WHITE and lost != board
    with pytest.raises(emilia.IllegalMoveError, match="the game is over"):
        board.push("pass")
    assert Board().result() == "*" and Board().winner is None and Board().score() == 0


def test_names() -> None:
    board = Board()
    assert board.push("F5") == Move("f5") and board.peek() == Move("f5")
    assert board.is_legal("d6") and board.is_legal(Square("d6")) and board.is_legal(Move("d6"))
    assert not board.is_legal("a1") and not board.is_legal("pass")
    assert "d6" in board.legal_moves and "nonsense" not in board.legal_moves and 3 not in board.legal_moves
    assert board.legal_moves[-1] == board.legal_moves[len(board.legal_moves) - 1] == Move("f6")
    assert (str(board.turn), ~board.turn, board.turn) == ("white", BLACK, WHITE)
    assert (board.disc_at("f5"), board.disc_at("d4"), board.disc_at("a1")) == (BLACK, WHITE, None)
    assert Square("k10") == Square.at(10, 9) and Square("k10").index(12) == 118 and Square.from_index(37).name == "f5"
    assert Square("b1") < Square("a2") and {Square("a1"), Square("a1")} == {Square("a1")}
    assert Move.PASS == Move("pass") and not Move.PASS and Move("a1") and Move.PASS.square is None
    assert sorted([Move("h8"), Move("a1")]) == [Move("a1"), Move("h8")]


@pytest.mark.parametrize("value", [BLACK, WHITE, Square("c4"), Move("c4"), Move.PASS, Board(6, objective="fewest")])
def test_what_is_pickled_comes_back(value: object) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(value, protocol)) == value
    assert copy.copy(value) == value and copy.deepcopy(value) == value


def test_pickles_of_another_version_are_refused() -> None:
    with pytest.raises(ValueError, match="another version of emilia: format 7"):
        Board._unpickled(7, "whatever")  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="no board"):
        Board._unpickled(1, 2, 3)  # type: ignore[attr-defined]
    with pytest.raises(emilia.IllegalMoveError):
        Board._unpickled(1, Board().to_text(), ["a1"], "most")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("wrong", "kind", "sentence"),
    [
        (lambda: Board(7), ValueError, "an even number of squares wide, from 4 to 26, not 7"),
        (lambda: Board(-2), OverflowError, "negative"),
        (lambda: Board(8, start="other"), ValueError, "start \"other\""),  # type: ignore[arg-type]
        (lambda: Board(8, objective="x"), ValueError, "objective \"x\""),  # type: ignore[arg-type]
        (lambda: Board("8"), TypeError, "str"),  # type: ignore[arg-type]
        (lambda: Board().push("a1"), emilia.IllegalMoveError, "a1 flips nothing in ----"),
        (lambda: Board().push("d4"), emilia.IllegalMoveError, "d4 is occupied"),
        (lambda: Board().push("pass"), emilia.IllegalMoveError, "a pass is legal only without another move"),
        (lambda: Board().push("k10"), emilia.InvalidMoveError, "\"k10\" is not on a board of 8×8"),
        (lambda: Board().push(Square("k10")), emilia.IllegalMoveError, "k10 is not on the board"),
        (lambda: Board().push("hello"), emilia.InvalidMoveError, "\"hello\" is not a move"),
        (lambda: Board().push(19), TypeError, "not int"),  # type: ignore[arg-type]
        (lambda: Board().pop(), IndexError, "no move was played"),
        (lambda: Board().peek(), IndexError, "no move was played"),
        (lambda: Board().disc_at("pass"), ValueError, "a pass has no square"),
        (lambda: Board().disc_at(Square("z26")), IndexError, "z26 is not on a board of 8×8"),
        (lambda: Board().flips("a1"), emilia.IllegalMoveError, "a1 flips nothing"),
        (lambda: Board().transform(8), IndexError, "from 0 to 7, not 8"),
        (lambda: Board().svg(cell=0), ValueError, "4 to 400 pixels wide, not 0"),
        (lambda: Board.from_text(""), emilia.RecordError, "write a board row by row"),
        (lambda: Board.from_text("-" * 16), emilia.RecordError, "the board has no disc"),
        (lambda: Board.from_text("f5a1"), emilia.RecordError, "move 2"),
        (lambda: Square("pass"), ValueError, "a pass has no square"),
        (lambda: Square("a0"), emilia.InvalidMoveError, "a0"),
        (lambda: Square("a27"), emilia.InvalidMoveError, "a27"),
        (lambda: Square.at(26, 0), IndexError, "column 26, row 0 is on no board"),
        (lambda: Square.from_index(64), IndexError, "no square 64"),
        (lambda: Square("k10").index(), IndexError, "k10 is not on a board of 8×8"),
        (lambda: Move("#19"), emilia.InvalidMoveError, "#19"),
        (lambda: Board().legal_moves[4], IndexError, "there are 4 legal moves"),
        (lambda: Board().legal_moves[-5], IndexError, "there are 4 legal moves"),
        (lambda: hash(Board()), TypeError, "unhashable"),
    ],
)
def test_what_is_wrong_is_named(wrong: Any, kind: type[Exception], sentence: str) -> None:
    with pytest.raises(kind) as raised:
        wrong()
    assert sentence in str(raised.value)


def test_a_refused_move_changes_nothing() -> None:
    board = Board.from_text("f5d6")
    before = pickle.dumps(board)
    for move in ["a1", "d4", "pass", "z99", ""]:
        with pytest.raises(ValueError):
            board.push(move)
    assert pickle.dumps(board) == before


def test_symmetries() -> None:
    board = Board.from_text("f5d6c3d3c4")
    turned = [board.transform(number) for number in range(8)]
    assert turned[0] == board and len({other.to_text() for other in turned}) == 8
    assert {other.canonical().to_text() for other in turned} == {board.canonical().to_text()}
    assert all(len(other.legal_moves) == len(board.legal_moves) for other in turned)


def test_pictures() -> None:
    board = Board.from_text("f5")
    assert str(board).splitlines()[5] == "5 . . . X X X . ."
    assert repr(board) == f"Board.from_text('{board.to_text()}')" and eval(repr(board), {"Board": Board}) == board
    picture = board._repr_svg_()  # type: ignore[attr-defined]
    assert picture.startswith("<svg") and "black 4, white 1, white to move" in picture
    assert picture.count('class="black"') + picture.count('class="white"') >= 5
    assert Board.from_text(board.fen()) == board


def test_threads_may_share_a_board() -> None:
    board = Board()
    refused: list[Exception] = []

    def play() -> None:
        for _ in range(300):
            try:
                board.push(board.legal_moves[0])
                board.pop()
            except (emilia.IllegalMoveError, IndexError) as error:
                refused.append(error)

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    slow = SlowBoard.start(8)
    for move in board.move_stack:
        assert str(move) in slow.names()
        slow = slow.played(str(move))
    assert slow.text() == board.to_text()
