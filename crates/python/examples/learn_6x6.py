"""A small agent that learns 6×6 Othello by playing against itself: ``python learn_6x6.py``.

It values the board after each of its moves by tables over lines and corners ("n-tuples"), plays the best with some moves at
random, and moves the value of each position a little towards the next one's (temporal difference learning). Hundreds of games
are played in step. Within five minutes on a laptop it beats ``greedy``, which flips as many discs as it can, in most games.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import numpy.typing as npt
from emilia import Board, Color, Engine, Square, batch

SIZE = 6
CELLS = SIZE * SIZE


def places(squares: list[tuple[int, int]]) -> list[list[int]]:
    """Where a pattern lies on the board: turned and mirrored in all eight ways."""
    found = set()
    last = SIZE - 1
    for flip in (False, True):
        pattern = [(column, row) for row, column in squares] if flip else squares
        for _ in range(4):
            pattern = [(column, last - row) for row, column in pattern]
            found.add(tuple(row * SIZE + column for row, column in pattern))
    return [list(place) for place in sorted(found)]


PATTERNS = [
    [(0, column) for column in range(6)],
    [(1, column) for column in range(6)],
    [(2, column) for column in range(6)],
    [(step, step) for step in range(6)],
    [(row, column) for row in range(3) for column in range(3)],
    [(0, column) for column in range(4)] + [(1, column) for column in range(4)],
]


class Agent:
    """Values of boards as the side sees them that is to move, learned from games."""

    def __init__(self, rate: float = 0.01) -> None:
        self.tuples = [np.array(places(pattern)) for pattern in PATTERNS]
        self.powers = [3 ** np.arange(tuples.shape[1]) for tuples in self.tuples]
        self.weights = [np.zeros(3 ** tuples.shape[1]) for tuples in self.tuples]
        self.rate = rate

    def indices(self, boards: batch.Words) -> list[npt.NDArray[np.int64]]:
        """Which entries of each table count for each board."""
        planes = batch.to_planes(boards, SIZE).reshape(len(boards), 2, CELLS)
        cells = planes[:, 0].astype(np.int64) + 2 * planes[:, 1]
        return [cells[:, tuples] @ powers for tuples, powers in zip(self.tuples, self.powers, strict=True)]

    def values(self, boards: batch.Words) -> npt.NDArray[np.float64]:
        """What boards are worth to the side to move, from -1 to 1."""
        pairs = zip(self.weights, self.indices(boards), strict=True)
        return np.tanh(sum((weights[at].sum(axis=1) for weights, at in pairs), np.zeros(len(boards))))

    def learn(self, boards: batch.Words, targets: npt.NDArray[np.float64]) -> None:
        """Moves the values of boards a little towards these; an entry that several boards share, by their mean."""
        step = self.rate * (targets - self.values(boards))
        for weights, at in zip(self.weights, self.indices(boards), strict=True):
            sums = np.bincount(at.ravel(), np.repeat(step, at.shape[1]), len(weights))
            weights += sums / np.maximum(np.bincount(at.ravel(), minlength=len(weights)), 1)

    def choose(self, boards: batch.Words, dice: np.random.Generator, chance: float) -> tuple[Any, Any, Any]:
        """For each board that has a move: its number, the board after the move that was chosen, and its value."""
        number, square = np.nonzero(batch.to_mask(batch.legal_moves(boards, SIZE), SIZE).reshape(len(boards), CELLS))
        moves = (8 * (square // SIZE) + square % SIZE).astype(np.uint8)
        after = batch.play(boards[number], moves, SIZE)
        # What is good for the side that is to move then is bad for the one that moves now.
        values = -self.values(after)
        lottery = dice.random(len(boards)) < chance
        order = np.where(lottery[number], dice.random(len(values)), values)
        best = np.lexsort((-order, number))
        chosen = best[np.unique(number[best], return_index=True)[1]]
        return number[chosen], after[chosen], values[chosen]


def train(agent: Agent, games: int, seed: int = 0, together: int = 256, chance: float = 0.1) -> None:
    """Lets the agent play against itself, so many games in step."""
    dice = np.random.default_rng(seed)
    boards = batch.start(together, SIZE)
    began = 0
    while began < games:
        # Whoever has no move passes; where nobody has one, the game is over and its result is learned.
        stuck = np.flatnonzero(batch.legal_moves(boards, SIZE) == 0)
        if len(stuck):
            passed = np.ascontiguousarray(boards[stuck][:, ::-1])
            over = batch.legal_moves(passed, SIZE) == 0
            results = np.sign(batch.scores(boards[stuck], SIZE))
            agent.learn(boards[stuck], np.where(over, results, -agent.values(passed)))
            boards[stuck] = passed
            boards[stuck[over]] = batch.start(int(over.sum()), SIZE)
            began += int(over.sum())
        number, after, values = agent.choose(boards, dice, chance)
        agent.learn(boards[number], values)
        boards[number] = after


class Learned:
    """The agent as a player."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    def play(self, board: Board) -> Square:
        after = [board.copy(stack=False) for _ in board.legal_moves]
        for next_board, move in zip(after, board.legal_moves, strict=True):
            next_board.push(move)
        best = int(np.argmin(self.agent.values(batch.from_boards(after))))
        square = board.legal_moves[best].square
        assert square is not None
        return square


def match(agent: Agent, opponent: str, games: int, seed: int = 1) -> float:
    """The share of points that the agent takes, from openings of four random moves, each with both colours."""
    dice, player, points = np.random.default_rng(seed), Learned(agent), 0.0
    for game in range(games):
        if game % 2 == 0:
            opening = dice.integers(0, 30, 4)
        board, engine, own = Board(SIZE), Engine(opponent), Color.BLACK if game % 2 == 0 else Color.WHITE
        for pick in opening:
            board.push(board.legal_moves[int(pick) % len(board.legal_moves)])
        while not board.is_game_over():
            if board.must_pass():
                board.push("pass")
            else:
                board.push(player.play(board) if board.turn == own else engine.play(board))
        points += 0.5 if board.winner is None else float(board.winner == own)
    return points / games


def main() -> None:
    parser = argparse.ArgumentParser(description="Teach an agent 6×6 Othello by self-play and let it play greedy.")
    parser.add_argument("--games", type=int, default=40_000, help="games to learn from (default: 40000)")
    parser.add_argument("--seed", type=int, default=0, help="where the dice begin (default: 0)")
    asked = parser.parse_args()
    agent, begin = Agent(), time.perf_counter()
    for part in range(8):
        train(agent, asked.games // 8, asked.seed + part)
        seconds = time.perf_counter() - begin
        print(f"{(part + 1) * (asked.games // 8):>7} games, {seconds:4.0f} s: {match(agent, 'greedy', 100):.0%} against greedy")


if __name__ == "__main__":
    main()
