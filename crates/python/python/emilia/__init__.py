"""Othello on every even board from 4×4 to 26×26, with a strong engine.

>>> import emilia
>>> board = emilia.Board()
>>> board.push("f5")
Move('f5')
>>> list(map(str, board.legal_moves))
['f4', 'd6', 'f6']
"""

from emilia._emilia import (
    Board,
    Color,
    EngineError,
    IllegalMoveError,
    InvalidMoveError,
    LegalMoves,
    Move,
    RecordError,
    Square,
    __version__,
)
from emilia._types import MoveLike, Objective, SquareLike

BLACK = Color.BLACK
WHITE = Color.WHITE

__all__ = [
    "BLACK",
    "WHITE",
    "Board",
    "Color",
    "EngineError",
    "IllegalMoveError",
    "InvalidMoveError",
    "LegalMoves",
    "Move",
    "MoveLike",
    "Objective",
    "RecordError",
    "Square",
    "SquareLike",
    "__version__",
]
