"""OpenSpiel's algorithms on our rules, at every size: ``pip install open_spiel``.

>>> import pyspiel, emilia.envs.openspiel                        # doctest: +SKIP
>>> game = pyspiel.load_game("emilia_othello(board_size=6)")     # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from emilia._emilia import Board, Color
from emilia.envs import views
from emilia.envs.rewards import Reward

_TYPE = pyspiel.GameType(
    short_name="emilia_othello",
    long_name="Othello by the rules of Emilia",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"board_size": 8, "objective": "most", "reward": "wdl"},
)


class OthelloGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """The game; its actions are the squares row by row, and the pass after them."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**_TYPE.parameter_specification, **(params or {})}
        self.size, self.objective = int(given["board_size"]), str(given["objective"])
        self.reward = Reward(str(given["reward"]))
        if self.reward.evaluator is not None:
            raise ValueError("OpenSpiel rewards the end of a game: reward is 'wdl' or 'discs'")
        cells = self.size * self.size
        most = float(cells) if self.reward.name == "discs" else 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=cells + 1,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            # Every other move could be a pass.
            max_game_length=2 * cells,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self) -> OthelloState:
        return OthelloState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> OthelloObserver:
        return OthelloObserver(self.size)


class OthelloState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A position of the game; player 0 is Black."""

    def __init__(self, game: OthelloGame) -> None:
        super().__init__(game)
        self.board = Board(game.size, objective=game.objective)  # type: ignore[arg-type]
        self._reward = game.reward

    def current_player(self) -> int:
        if self.board.is_game_over():
            return int(pyspiel.PlayerId.TERMINAL)
        return 0 if self.board.turn == Color.BLACK else 1

    def _legal_actions(self, player: int) -> list[int]:
        return [int(action) for action in np.flatnonzero(views.mask(self.board, with_pass=True))]

    def _apply_action(self, action: int) -> None:
        self.board.push(views.move_of(action, self.board.size))

    def _action_to_string(self, player: int, action: int) -> str:
        return str(views.move_of(action, self.board.size))

    def is_terminal(self) -> bool:
        return self.board.is_game_over()

    def returns(self) -> list[float]:
        if not self.board.is_game_over():
            return [0.0, 0.0]
        black = self._reward.outcome(self.board, Color.BLACK)
        return [black, -black]

    def __str__(self) -> str:
        return str(self.board)


class OthelloObserver:
    """What a player sees: own discs and the opponent's, in planes."""

    def __init__(self, size: int) -> None:
        self.tensor = np.zeros(2 * size * size, np.float32)
        self.dict = {"observation": self.tensor.reshape(2, size, size)}

    def set_from(self, state: OthelloState, player: int) -> None:
        self.dict["observation"][:] = views.planes(state.board, Color.BLACK if player == 0 else Color.WHITE)

    def string_from(self, state: OthelloState, player: int) -> str:
        return str(state.board)


pyspiel.register_game(_TYPE, OthelloGame)
