"""Many boards at once, compared with single boards and with the slow rules."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import emilia
import numpy as np
import numpy.typing as npt
import pytest
from emilia import Board, batch
from emilia.bench import first_moves, main, midgame_boards
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_rules import SlowBoard


def games(size: int, picks: list[int]) -> list[Board]:
    """The boards of a game."""
    board, found = Board(size), [Board(size)]
    for pick in picks:
        if board.is_game_over():
            break
        board.push(board.legal_moves[pick % len(board.legal_moves)])
        found.append(board.copy())
    return found


def planes(boards: list[Board]) -> npt.NDArray[np.uint8]:
    """The boards as planes, square by square."""
    size = boards[0].size
    made = np.zeros((len(boards), 2, size, size), np.uint8)
    for at, board in enumerate(boards):
        for index in range(size * size):
            square = emilia.Square.from_index(index, size)
            disc = board.disc_at(square)
            if disc is not None:
                made[at, 0 if disc == board.turn else 1, square.row, square.column] = 1
    return made


def squares(word: int) -> set[int]:
    return {bit for bit in range(64) if word >> bit & 1}


@settings(max_examples=25)
@given(size=st.sampled_from([4, 6, 8]), picks=st.lists(st.integers(0, 30), min_size=5, max_size=70))
def test_words_are_single_boards(size: int, picks: list[int]) -> None:
    boards = games(size, picks)
    words = batch.from_boards(boards)
    legal = batch.legal_moves(words, size)
    for board, word in zip(boards, legal, strict=True):
        names = {8 * move.square.row + move.square.column for move in board.legal_moves if move.square}
        assert squares(int(word)) == names
    assert batch.is_over(words, size).tolist() == [board.is_game_over() for board in boards]
    mask = batch.to_mask(legal, size)
    assert mask.shape == (len(boards), size, size) and mask.sum() == sum(bin(int(word)).count("1") for word in legal)
    moves = np.array([8 * m.square.row + m.square.column if m.square else 64 for m in (b.peek() for b in boards[1:])], np.uint8)
    after = batch.play(words[:-1], moves, size)
    assert (after == words[1:]).all()
    again = words[:-1].copy()
    assert batch.play(again.copy(), moves, size, out=again) is again and (again == after).all()
    for board, move, flipped in zip(boards, moves, batch.flips(words[:-1], moves, size), strict=False):
        expected = board.flips(emilia.Square.at(int(move) % 8, int(move) // 8)) if move < 64 else []
        assert squares(int(flipped)) == {8 * square.row + square.column for square in expected}
    for number in range(8):
        turned = batch.transform(words, number, size)
        assert (turned == batch.from_boards(board.transform(number) for board in boards)).all()
        assert (batch.canonical(turned, size) == batch.canonical(words, size)).all()
    assert (batch.canonical(words, size) == batch.from_boards(board.canonical() for board in boards)).all()
    assert (batch.to_planes(words, size) == planes(boards)).all()
    assert (batch.to_words(planes(boards)) == words).all()


@settings(max_examples=25)
@given(size=st.sampled_from([4, 8, 10, 14, 26]), picks=st.lists(st.integers(0, 30), min_size=3, max_size=25), kind=st.booleans())
def test_planes_are_single_boards(size: int, picks: list[int], kind: bool) -> None:
    boards = games(size, picks)
    made: batch.Planes = planes(boards).astype(np.bool_) if kind else planes(boards)
    legal = batch.legal_moves(made)
    for board, plane in zip(boards, legal, strict=True):
        slow = SlowBoard(tuple(board.to_text()[at : at + size] for at in range(0, size * size, size)), board.to_text()[-1])
        assert [tuple(place) for place in np.argwhere(plane).tolist()] == slow.placements()
    assert batch.is_over(made).tolist() == [board.is_game_over() for board in boards]
    sign = [1 if board.turn == emilia.BLACK else -1 for board in boards]
    difference = [s * (b.count(emilia.BLACK) - b.count(emilia.WHITE)) for s, b in zip(sign, boards, strict=True)]
    margins = [d + int(np.sign(d)) * b.empties for d, b in zip(difference, boards, strict=True)]
    assert batch.scores(made).tolist() == margins
    moves = np.array([m.square.index(size) if m.square else size * size for m in boards[-1].move_stack], np.uint16)
    assert (batch.play(made[:-1], moves) == planes(boards)[1:]).all()
    flipped = batch.flips(made[:-1], moves).sum(axis=(1, 2))
    assert flipped.tolist() == [len(b.flips(m)) for b, m in zip(boards, boards[-1].move_stack, strict=False)]
    for number in range(8):
        turned = batch.transform(made, number)
        assert (turned == planes([board.transform(number) for board in boards])).all()
        assert (batch.canonical(turned) == batch.canonical(made)).all()
    assert (batch.canonical(made) == planes([board.canonical() for board in boards])).all()


def test_values_are_those_of_single_boards() -> None:
    boards = games(8, list(range(3, 70)))
    words = batch.from_boards(boards)
    assert batch.evaluate(words).tolist() == [emilia.evaluate(board) for board in boards]
    assert (batch.features(words[:1]) < 3**10).all() and batch.features(words).shape == (len(boards), 46)
    late = [board for board in boards if board.empties <= 8]
    solved = batch.solve(batch.from_boards(late), threads=2)
    assert late and (solved == batch.solve(batch.from_boards(late), threads=1)).all()
    for board, score, sign in zip(late, solved, batch.solve(batch.from_boards(late), outcome=True), strict=True):
        value = emilia.solve(board).value
        assert value is None or value == score
        assert sign == 2 * np.sign(score)
    over = Board.from_text("e6f4e3f6g5d6e7f5c5")
    assert batch.solve(batch.from_boards([over])).tolist() == [-64]
    assert batch.solve(batch.start(1, 4), 4).tolist() == [emilia.solve(Board(4)).value]


def test_random_games_are_legal_and_the_same_for_a_seed() -> None:
    for size in [4, 6, 8]:
        moves, scores = batch.random_games(60, 5, size)
        assert (moves == batch.random_games(60, 5, size)[0]).all() and (moves != batch.random_games(60, 6, size)[0]).any()
        # The games before are the same however many are asked for.
        assert (moves[:7] == batch.random_games(7, 5, size)[0]).all()
        for placed, score in zip(moves, scores, strict=True):
            board = Board(size)
            for square in placed[placed != 255]:
                if board.must_pass():
                    board.push("pass")
                board.push(emilia.Square.at(int(square) % 8, int(square) // 8))
            assert board.is_game_over() and board.score() == score


def test_arrays_are_read_where_they_are_and_others_are_copied() -> None:
    words = midgame_boards(1000)
    expected = batch.legal_moves(words)
    frozen = words.copy()
    frozen.flags.writeable = False
    assert (batch.legal_moves(frozen) == expected).all()
    assert (batch.legal_moves(words[::3]) == expected[::3]).all()
    assert (batch.legal_moves(np.asfortranarray(words)) == expected).all()
    out = np.empty(1000, np.uint64)
    assert batch.legal_moves(words, out=out) is out and (out == expected).all()
    assert batch.legal_moves(words[:0]).shape == (0,) and batch.play(words[:0], np.zeros(0, np.uint8)).shape == (0, 2)
    assert batch.evaluate(words[:0]).shape == (0,) and batch.solve(words[:0]).shape == (0,)
    assert batch.random_games(0)[0].shape == (0, 60) and batch.start(0).shape == (0, 2)
    assert batch.legal_moves(np.zeros((0, 2, 10, 10), np.uint8)).shape == (0, 10, 10)


START = batch.start(3)
D3 = np.full(3, 19, np.uint8)
TWICE = np.array([[1, 2], [3, 1]], np.uint64)


@pytest.mark.parametrize(
    ("wrong", "kind", "sentence"),
    [
        (lambda: batch.legal_moves(START.astype(np.int64)), TypeError, "a uint64 array of shape (n, 2), not int64 of shape (3, 2)"),  # type: ignore[arg-type]
        (lambda: batch.legal_moves(START[:, :1]), TypeError, "not uint64 of shape (3, 1)"),
        (lambda: batch.legal_moves(START[0]), TypeError, "not uint64 of shape (2,)"),
        (lambda: batch.legal_moves([[1, 2]]), TypeError, "boards must be a uint64 array"),  # type: ignore[arg-type]
        (lambda: batch.legal_moves(TWICE), ValueError, "board 1 has a square with two discs"),
        (lambda: batch.legal_moves(START, 6, out=START[:, 0]), ValueError, "out must lie in one piece"),
        (lambda: batch.legal_moves(START, 4), ValueError, "board 0 has discs that are not on a board of 4×4"),
        (lambda: batch.legal_moves(START, 10), ValueError, "at most 8×8, not 10×10; use planes"),
        (lambda: batch.legal_moves(START, 5), ValueError, "not 5"),
        (lambda: batch.legal_moves(START, out=np.zeros(2, np.uint64)), TypeError, "an array of shape (3)"),
        (lambda: batch.legal_moves(START, out=np.zeros(3, np.int64)), TypeError, "not int64 of shape (3,)"),
        (lambda: batch.play(START, D3[:2]), ValueError, "2 moves do not fit 3 boards"),
        (lambda: batch.play(START, D3.astype(np.int64)), TypeError, "moves must be a uint8 array of shape (n,)"),
        (lambda: batch.play(START, np.array([19, 19, 0], np.uint8)), emilia.IllegalMoveError, "board 2: move 0 is illegal"),
        (lambda: batch.play(START, np.array([19, 27, 0], np.uint8)), emilia.IllegalMoveError, "board 1: move 27 is illegal"),
        (lambda: batch.play(START, np.array([64, 19, 19], np.uint8)), emilia.IllegalMoveError, "board 0: move 64 is illegal"),
        (lambda: batch.play(START, np.array([19, 19, 200], np.uint8)), emilia.IllegalMoveError, "board 2: move 200 is illegal"),
        (lambda: batch.transform(START, 8), IndexError, "from 0 to 7, not 8"),
        (lambda: batch.solve(START, threads=0), ValueError, "threads are from 1 to 1024, not 0"),
        (lambda: batch.random_games(10**15), MemoryError, ""),
        (lambda: batch.random_games(10, size=10), ValueError, "at most 8×8"),
        (lambda: batch.legal_moves(np.zeros((1, 2, 8, 6), np.uint8)), ValueError, "not 6 wide and 8 high"),
        (lambda: batch.legal_moves(np.zeros((1, 3, 8, 8), np.uint8)), ValueError, "[1, 3, 8, 8]"),
        (lambda: batch.legal_moves(np.zeros((1, 2, 7, 7), np.uint8)), ValueError, "not 7"),
        (lambda: batch.legal_moves(np.zeros((1, 2, 8, 8), np.float32)), TypeError, "float32 of shape (1, 2, 8, 8)"),  # type: ignore[arg-type]
        (lambda: batch.legal_moves(np.zeros((1, 2, 8, 8), np.uint8)), ValueError, "board 0"),
        (lambda: batch.legal_moves(np.ones((1, 2, 8, 8), np.uint8)), ValueError, "board 0 has a square with two discs"),
        (lambda: batch.play(np.eye(8, dtype=np.uint8)[None, None].repeat(2, 1), D3.astype(np.uint16)), ValueError, "3 moves"),
        (lambda: batch.to_words(np.zeros((0, 2, 10, 10), np.uint8)), ValueError, "at most 8×8"),
        (lambda: batch.from_boards([Board(10)]), ValueError, "at most 8×8, not 10×10"),
        (lambda: Board.from_words(3, 1), ValueError, "these words are no board of 8×8"),
        (lambda: Board.from_words(0, 0), ValueError, "no disc at all"),
        (lambda: Board.from_words(1 << 63, 1, size=6), ValueError, "no board of 6×6"),
    ],
)
def test_what_is_wrong_is_named(wrong: Any, kind: type[Exception], sentence: str) -> None:
    with pytest.raises(kind) as raised:
        wrong()
    assert sentence in str(raised.value)


def test_nothing_is_written_if_a_move_is_illegal() -> None:
    out = np.full((3, 2), 7, np.uint64)
    with pytest.raises(emilia.IllegalMoveError):
        batch.play(START, np.array([19, 19, 0], np.uint8), out=out)
    assert (out == 7).all()
    frozen = np.empty((3, 2), np.uint64)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="out cannot be written"):
        batch.play(START, D3, out=frozen)
    boards = START.copy()
    with pytest.raises(ValueError, match="out cannot be written"):
        batch.play(boards, D3, out=boards)


def test_ctrl_c_ends_a_batch() -> None:
    program = (
        "import emilia, os, signal, threading\n"
        # Who is started in the background by a shell has inherited that Ctrl-C is ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from emilia import batch\n"
        "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "batch.solve(batch.start(2), threads=2)\n"
    )
    child = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=100)
    assert b"KeyboardInterrupt" in child.stderr


def test_the_benchmark_measures(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(first_moves(midgame_boards(100))) == 100
    assert main(["--boards", "2000", "--rounds", "1", "--alone"]) == 0
    printed = capsys.readouterr().out
    assert "legal moves, boards" in printed and "random games, games" in printed
    with pytest.raises(SystemExit):
        main(["--boards", "0"])


@pytest.mark.large
def test_a_hundred_million_boards() -> None:
    words = batch.start(100_000_000)
    assert (batch.legal_moves(words) == batch.legal_moves(words[:1])[0]).all()
