"""Boards as learners see them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from emilia import batch
from emilia._emilia import Board, Color, Move, Square

_DISCS = bytes.maketrans(b"XO-", b"\x01\x02\x00")


def planes(board: Board, color: Color) -> npt.NDArray[np.int8]:
    """Own discs and the opponent's, as this side sees them: shape ``(2, size, size)``."""
    size = board.size
    if size <= 8:
        made: npt.NDArray[np.int8] = batch.to_planes(batch.from_boards([board]), size)[0].view(np.int8)
        return made if board.turn == color else made[::-1].copy()
    cells = np.frombuffer(board.to_text()[: size * size].encode().translate(_DISCS), np.int8).reshape(size, size)
    own = 1 if color == Color.BLACK else 2
    return np.stack([cells == own, cells == 3 - own]).astype(np.int8)


def mask(board: Board, *, with_pass: bool) -> npt.NDArray[np.int8]:
    """Ones for legal moves, row by row; the last is the pass, if that is asked for."""
    cells = board.size * board.size
    made = np.zeros(cells + with_pass, np.int8)
    for move in board.legal_moves:
        if move.square is not None:
            made[move.square.index(board.size)] = 1
        elif with_pass:
            made[cells] = 1
    return made


def move_of(action: int, size: int) -> Move | Square:
    """The move that an action stands for."""
    return Move.PASS if action == size * size else Square.from_index(action, size)


def begin(board_size: int, start: str, objective: str) -> Board:
    """The first board: ``start`` is ``"standard"``, ``"mirrored"``, or a position as text."""
    if start in ("standard", "mirrored"):
        return Board(board_size, start=start, objective=objective)  # type: ignore[arg-type]
    board = Board.from_text(start, objective=objective)  # type: ignore[arg-type]
    if board.size != board_size:
        raise ValueError(f"board_size is {board_size}, but start is a board of {board.size}×{board.size}")
    return board.copy(stack=False)
