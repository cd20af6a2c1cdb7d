"""Thousands of games in step against random play, as ``gymnasium.vector`` has it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from emilia import batch
from emilia._emilia import VectorGames
from emilia.envs.rewards import Reward

Observations = npt.NDArray[np.int8]


class OthelloVectorEnv(VectorEnv[Observations, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """``num_envs`` games on boards of 4×4, 6×6 or 8×8, like ``OthelloEnv`` each, against random play.

    ``infos["action_mask"]`` has a row for each game. A game that is over begins anew with the next step, whose action then
    counts for nothing. ``reward`` may be ``"wdl"``, ``"discs"`` or, on 8×8, ``"shaped:network"``.
    """

    def __init__(
        self,
        num_envs: int = 1,
        board_size: int = 8,
        *,
        start: str = "standard",
        objective: str = "most",
        reward: str = "wdl",
        color: str = "black",
        render_mode: str | None = None,
    ) -> None:
        shaped = Reward(reward).evaluator
        if shaped not in (None, "network") or (shaped and board_size != 8):
            raise ValueError(f"reward {reward!r}: games in step are shaped by the network alone, on boards of 8×8")
        self._games = VectorGames(num_envs, board_size, start, objective, "wdl" if shaped else reward, color)
        self._sign = 1.0 if objective == "most" else -1.0
        self._potential: npt.NDArray[np.float64] | None = np.zeros(num_envs) if shaped else None
        self.num_envs, self.render_mode = num_envs, render_mode
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}
        self.single_observation_space = spaces.Box(0, 1, (2, board_size, board_size), np.int8)
        self.single_action_space = spaces.Discrete(board_size * board_size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        if isinstance(seed, list):
            raise ValueError("one seed is for all games together")
        super().reset(seed=seed, options=options)
        drawn = int(self.np_random.integers(2**63)) if seed is None else seed
        planes, masks = self._games.reset(drawn)
        if self._potential is not None:
            self._potential = self._judged()
        return planes, {"action_mask": masks}

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Observations, npt.NDArray[Any], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        planes, masks, rewards, over = self._games.step(np.asarray(actions, np.int64))
        if self._potential is not None:
            # A game that has just begun has gained nothing yet.
            begun = planes.sum(axis=(1, 2, 3)) <= 5
            worth = np.where(over, rewards, self._judged())
            rewards = np.where(begun, 0.0, worth - self._potential)
            self._potential = worth
        return planes, rewards, over, np.zeros(self.num_envs, np.bool_), {"action_mask": masks}

    def _judged(self) -> npt.NDArray[np.float64]:
        return self._sign * np.tanh(batch.evaluate(self._games.words()).astype(np.float64) / 16.0)
