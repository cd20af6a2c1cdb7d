"""One learner against a player, as Gymnasium has it."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from emilia._emilia import Board, Color, Engine, Move
from emilia.envs import views
from emilia.envs.rewards import Reward

Observation = npt.NDArray[np.int8]


class OthelloEnv(gymnasium.Env[Observation, np.int64]):
    """Othello against ``opponent``, any player by name: ``"random"``, ``"greedy"``, ``"emilia:level=3"`` and so on.

    What is observed are two planes, own discs and the opponent's; an action is a square, row by row, and
    ``info["action_mask"]`` says which are legal. Whoever cannot place a disc passes by itself. ``color`` is ``"black"``,
    ``"white"`` or ``"alternate"``, which changes sides after every game. An illegal action loses the game, or raises
    ``IllegalMoveError`` with ``illegal="raise"``.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "svg"], "render_fps": 1}

    def __init__(
        self,
        board_size: int = 8,
        opponent: str = "random",
        *,
        start: str = "standard",
        objective: str = "most",
        reward: str = "wdl",
        color: str = "black",
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        if color not in ("black", "white", "alternate"):
            raise ValueError(f"color {color!r} is neither 'black' nor 'white' nor 'alternate'")
        if illegal not in ("lose", "raise"):
            raise ValueError(f"illegal {illegal!r} is neither 'lose' nor 'raise'")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode {render_mode!r} is neither 'ansi' nor 'svg'")
        self._first = views.begin(board_size, start, objective)
        self._reward = Reward(reward)
        self._color, self._illegal, self.render_mode = color, illegal, render_mode
        self._opponent_name = opponent
        # Random play is thrown by the environment's own dice, so that a seed repeats the whole game.
        self._opponent = None if opponent == "random" else Engine(opponent)
        self._games = 0
        self._board, self._side = self._first.copy(), Color.BLACK
        self.observation_space = spaces.Box(0, 1, (2, board_size, board_size), np.int8)
        self.action_space = spaces.Discrete(board_size * board_size)

    @property
    def board(self) -> Board:
        """The board as it stands, apart from the game."""
        return self._board.copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        if seed is not None:
            self._games = 0
            if self._opponent is not None:
                self._opponent = Engine(self._opponent_name)
        second = self._color == "white" or (self._color == "alternate" and self._games % 2 == 1)
        self._games += 1
        self._board = self._first.copy()
        self._side = ~self._board.turn if second else self._board.turn
        self._answer()
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        before = self._reward.potential(self._board, self._side)
        move = views.move_of(int(action), self._board.size)
        if self._illegal == "lose" and not self._board.is_legal(move):
            return self._observation(), self._reward.loss(self._board) - before, True, False, self._info()
        self._board.push(move)
        self._answer()
        over = self._board.is_game_over()
        gained = self._reward.potential(self._board, self._side) - before
        return self._observation(), gained, over, False, self._info()

    def render(self) -> str | None:
        """The board as text or as an SVG picture."""
        return {"ansi": str(self._board), "svg": self._board.svg(), None: None}[self.render_mode]

    def _answer(self) -> None:
        """Plays until the learner can place a disc, or the game is over."""
        while not self._board.is_game_over():
            if self._board.must_pass():
                self._board.push(Move.PASS)
            elif self._board.turn == self._side:
                return
            elif self._opponent is None:
                legal = self._board.legal_moves
                self._board.push(legal[int(self.np_random.integers(len(legal)))])
            else:
                self._board.push(self._opponent.play(self._board))

    def _observation(self) -> Observation:
        return views.planes(self._board, self._side)

    def _info(self) -> dict[str, Any]:
        legal = views.mask(self._board, with_pass=False)
        if self._board.turn != self._side:
            legal[:] = 0
        return {"action_mask": legal, "color": str(self._side)}
