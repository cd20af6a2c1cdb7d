"""What a move is worth to a learner."""

from __future__ import annotations

import math
from dataclasses import dataclass

from emilia._emilia import Board, Color, evaluate

# What counts as a clear advantage: discs for the network, points for the textbook evaluators, whose scales differ.
_CLEAR = {"network": 16.0, "disc": 16.0}
_CLEAR_POINTS = 100.0


@dataclass(frozen=True)
class Reward:
    """A way to reward, by its name: ``"wdl"``, ``"discs"`` or ``"shaped:EVALUATOR"``."""

    name: str

    def __post_init__(self) -> None:
        if self.evaluator is not None:
            size = 8 if self.evaluator == "network" else 4
            evaluate(Board(size), self.evaluator)
        elif self.name not in ("wdl", "discs"):
            raise ValueError(f"reward {self.name!r} is neither 'wdl' nor 'discs' nor 'shaped:' and an evaluator")

    @property
    def evaluator(self) -> str | None:
        """Who judges positions on the way, if anybody does."""
        kind, _, evaluator = self.name.partition(":")
        return evaluator if kind == "shaped" else None

    def potential(self, board: Board, color: Color) -> float:
        """What a position is worth to a side, from -1 to 1; nothing without an evaluator."""
        if board.is_game_over():
            return self.outcome(board, color)
        if self.evaluator is None:
            return 0.0
        value = math.tanh(evaluate(board, self.evaluator) / _CLEAR.get(self.evaluator, _CLEAR_POINTS))
        value = value if board.turn == color else -value
        return value if board.objective == "most" else -value

    def outcome(self, board: Board, color: Color) -> float:
        """What a finished game is worth to a side."""
        margin = board.score() if color == Color.BLACK else -board.score()
        margin = margin if board.objective == "most" else -margin
        if self.name == "discs":
            return float(margin)
        return float((margin > 0) - (margin < 0))

    def loss(self, board: Board) -> float:
        """What a game is worth that is lost by an illegal move."""
        return -float(board.size * board.size) if self.name == "discs" else -1.0
