"""Two agents in turn, as PettingZoo has it."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from emilia._emilia import Board, Color
from emilia.envs import views
from emilia.envs.rewards import Reward

_AGENTS = {"black_0": Color.BLACK, "white_0": Color.WHITE}


def env(**settings: Any) -> Any:
    """The environment with PettingZoo's guards: an illegal move loses, wrong calls are named."""
    guarded = wrappers.TerminateIllegalWrapper(raw_env(**settings), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(guarded))


def raw_env(**settings: Any) -> OthelloAEC:
    """The environment itself; an illegal move raises ``IllegalMoveError``."""
    return OthelloAEC(**settings)


class OthelloAEC(AECEnv):  # type: ignore[misc, unused-ignore]
    """Othello for the agents ``"black_0"`` and ``"white_0"``.

    What an agent observes are two planes, own discs and the opponent's, and which actions are legal; an action is a square,
    row by row, and the last one is the pass, legal only where nothing else is.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi", "svg"],
        "name": "othello_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        board_size: int = 8,
        *,
        start: str = "standard",
        objective: str = "most",
        reward: str = "wdl",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode {render_mode!r} is neither 'ansi' nor 'svg'")
        self._first = views.begin(board_size, start, objective)
        self._reward = Reward(reward)
        self.render_mode = render_mode
        self.possible_agents = list(_AGENTS)
        cells = board_size * board_size
        self.action_spaces = {agent: spaces.Discrete(cells + 1) for agent in _AGENTS}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (2, board_size, board_size), np.int8),
                    "action_mask": spaces.Box(0, 1, (cells + 1,), np.int8),
                }
            )
            for agent in _AGENTS
        }
        self._board = self._first.copy()

    @property
    def board(self) -> Board:
        """The board as it stands, apart from the game."""
        return self._board.copy()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game; nothing in it is left to chance, so the seed changes nothing."""
        self._board = self._first.copy()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self._info(agent) for agent in self.agents}
        self.agent_selection = next(agent for agent, color in _AGENTS.items() if color == self._board.turn)

    def observe(self, agent: str) -> dict[str, Any]:
        return {"observation": views.planes(self._board, _AGENTS[agent]), "action_mask": self._mask(agent)}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        before = self._reward.potential(self._board, _AGENTS[agent])
        self._board.push(views.move_of(int(action), self._board.size))
        gained = self._reward.potential(self._board, _AGENTS[agent]) - before
        self.rewards = {other: gained if other == agent else -gained for other in self.agents}
        over = self._board.is_game_over()
        self.terminations = dict.fromkeys(self.agents, over)
        self.agent_selection = next(other for other in self.possible_agents if other != agent)
        self.infos = {other: self._info(other) for other in self.agents}
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as text or as an SVG picture."""
        return {"ansi": str(self._board), "svg": self._board.svg(), None: None}[self.render_mode]

    def close(self) -> None:
        """Nothing is held open."""

    def _mask(self, agent: str) -> Any:
        legal = views.mask(self._board, with_pass=True)
        return legal if self._board.turn == _AGENTS[agent] else np.zeros_like(legal)

    def _info(self, agent: str) -> dict[str, Any]:
        return {"action_mask": self._mask(agent)}
