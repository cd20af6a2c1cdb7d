"""Many boards at once, as numpy arrays.

Boards of 4×4, 6×6 and 8×8 are **words**: a ``uint64`` array of shape ``(n, 2)``, own discs and the opponent's, as the side
to move sees them. Bit ``8 * row + column`` is a square, whatever the size, so a1 is bit 0. Moves are ``uint8``, the number
of that bit; 64 is a pass.

Boards of every size are **planes**: a ``uint8`` or ``bool`` array of shape ``(n, 2, size, size)``. Moves are ``uint16``,
``size * row + column``; ``size * size`` is a pass.

Every function takes either. Words are ten to a hundred times as fast. After a move the boards are seen by the other side.
Arrays in one piece are read where they are; others are copied. Other threads of Python run meanwhile, and Ctrl-C works.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from emilia import _emilia
from emilia._emilia import Board, Weights

Words: TypeAlias = npt.NDArray[np.uint64]
"""Boards of at most 8×8: shape ``(n, 2)``, own discs and the opponent's."""

Planes: TypeAlias = npt.NDArray[np.uint8] | npt.NDArray[np.bool_]
"""Boards of any size: shape ``(n, 2, size, size)``."""

PASS = 64
"""What stands for a pass among the moves of words."""


def start(count: int, size: int = 8) -> Words:
    """So many boards with the first four discs, in words."""
    return np.tile(from_boards([Board(size)]), (count, 1))


def from_boards(boards: Iterable[Board]) -> Words:
    """These boards in words."""
    rows = [board.words() for board in boards]
    return np.array(rows, dtype=np.uint64).reshape(len(rows), 2)


def to_planes(boards: Words, size: int = 8) -> npt.NDArray[np.uint8]:
    """Words as planes."""
    return _emilia.planes_of_words(boards, size).view(np.uint8)


def to_words(boards: Planes) -> Words:
    """Planes of at most 8×8 as words."""
    return _emilia.words_of_planes(_bytes(boards))


def to_mask(sets: npt.NDArray[np.uint64], size: int = 8) -> npt.NDArray[np.uint8]:
    """Sets of squares, such as legal moves, as planes of shape ``(n, size, size)``."""
    return _emilia.masks_of_words(sets, size).view(np.uint8)


def legal_moves(boards: Words | Planes, size: int = 8, *, out: npt.NDArray[np.uint64] | None = None) -> npt.NDArray[Any]:
    """Where the side to move can place a disc: for words a set of shape ``(n,)``, for planes ``(n, size, size)``."""
    if _are_planes(boards):
        _no_out(out)
        return _emilia.planes_moves(_bytes(boards))
    return _emilia.words_moves(boards, size, out)


def flips(boards: Words | Planes, moves: npt.NDArray[Any], size: int = 8) -> npt.NDArray[Any]:
    """What each move would flip, as a set like that of ``legal_moves``; nothing where it is illegal."""
    if _are_planes(boards):
        return _emilia.planes_flips(_bytes(boards), moves)
    return _emilia.words_flips(boards, moves, size)


def play(
    boards: Words | Planes, moves: npt.NDArray[Any], size: int = 8, *, out: Words | None = None
) -> npt.NDArray[Any]:
    """The boards after a move on each. ``IllegalMoveError`` names the first that is illegal, and then nothing is written."""
    if _are_planes(boards):
        _no_out(out)
        return _emilia.planes_play(_bytes(boards), moves)
    return _emilia.words_play(boards, moves, size, out)


def is_over(boards: Words | Planes, size: int = 8) -> npt.NDArray[np.bool_]:
    """Whether neither side can place a disc."""
    if _are_planes(boards):
        return _emilia.planes_over(_bytes(boards))
    return _emilia.words_over(boards, size)


def scores(boards: Words | Planes, size: int = 8) -> npt.NDArray[Any]:
    """Own discs less the opponent's, empty squares to the side with more: the score, if the game ends here."""
    if _are_planes(boards):
        return _emilia.planes_scores(_bytes(boards))
    return _emilia.words_scores(boards, size)


def transform(boards: Words | Planes, symmetry: int, size: int = 8) -> npt.NDArray[Any]:
    """The boards turned or mirrored: 0 to 7, where 0 leaves them as they are."""
    if _are_planes(boards):
        return _emilia.planes_transform(_bytes(boards), symmetry)
    return _emilia.words_transform(boards, symmetry, size)


def canonical(boards: Words | Planes, size: int = 8) -> npt.NDArray[Any]:
    """For each board one of the eight that differ only by symmetry, always the same."""
    if _are_planes(boards):
        return _emilia.planes_canonical(_bytes(boards))
    return _emilia.words_canonical(boards, size)


def features(boards: Words) -> npt.NDArray[np.uint16]:
    """What the network sees of 8×8 boards: the filling of 46 patterns, base three (0 empty, 1 own, 2 opponent)."""
    return _emilia.words_features(boards)


def evaluate(boards: Words, weights: Weights | None = None) -> npt.NDArray[np.float32]:
    """What 8×8 boards are worth to the side to move by the network, in discs, without looking ahead."""
    return _emilia.words_evaluate(boards, weights)


def solve(boards: Words, size: int = 8, *, threads: int = 1, outcome: bool = False) -> npt.NDArray[np.int8]:
    """The exact scores of boards of at most 8×8, or with ``outcome`` only who wins: 2, 0 or -2.

    How long it takes grows threefold with each empty square; 20 are solved in a fraction of a second.
    """
    return _emilia.words_solve(boards, size, threads, outcome)


def random_games(count: int, seed: int = 0, size: int = 8) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int8]]:
    """Random games from the start, the same for the same seed: what was placed, and the score for Black.

    The moves have the shape ``(count, size * size - 4)``; passes follow from the rules and are left out, and 255 fills up
    games that ended early.
    """
    return _emilia.words_random_games(count, seed, size)


def _are_planes(boards: npt.NDArray[Any]) -> bool:
    return isinstance(boards, np.ndarray) and boards.ndim == 4


def _bytes(boards: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The same memory as bytes, if it holds true and false."""
    return cast("npt.NDArray[np.uint8]", boards.view(np.uint8) if boards.dtype == np.bool_ else boards)


def _no_out(out: object) -> None:
    if out is not None:
        raise ValueError("out is for boards in words, not in planes")
