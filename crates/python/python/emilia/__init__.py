"""Othello on every even board from 4×4 to 26×26, with a strong engine.

>>> import emilia
>>> board = emilia.Board()
>>> board.push("f5")
Move('f5')
>>> list(map(str, board.legal_moves))
['f4', 'd6', 'f6']
"""

from emilia._emilia import (
    Analysis,
    Board,
    Color,
    Engine,
    EngineError,
    Game,
    Games,
    IllegalMoveError,
    InvalidMoveError,
    LegalMoves,
    Move,
    MoveReport,
    RecordError,
    Report,
    Square,
    Weights,
    WorkFailedError,
    WorkFolder,
    WorkUnits,
    __version__,
    evaluate,
    parse_games,
    players,
    read_games,
    solve,
    write_games,
)
from emilia._types import MoveLike, Objective, SquareLike
from emilia import batch  # It needs the names above.

BLACK = Color.BLACK
WHITE = Color.WHITE

__all__ = [
    "BLACK",
    "WHITE",
    "Analysis",
    "Board",
    "Color",
    "Engine",
    "EngineError",
    "Game",
    "Games",
    "IllegalMoveError",
    "InvalidMoveError",
    "LegalMoves",
    "Move",
    "MoveLike",
    "MoveReport",
    "Objective",
    "RecordError",
    "Report",
    "Square",
    "SquareLike",
    "Weights",
    "WorkFailedError",
    "WorkFolder",
    "WorkUnits",
    "__version__",
    "batch",
    "evaluate",
    "parse_games",
    "players",
    "read_games",
    "solve",
    "write_games",
]
