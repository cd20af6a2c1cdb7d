"""Environments for reinforcement learning: ``pip install emilia[rl]``.

``OthelloAEC`` is for two agents, as PettingZoo has it; ``OthelloEnv`` for one agent against any player of ours, as
Gymnasium has it; ``OthelloVectorEnv`` for thousands of games in step against random play. ``emilia.envs.openspiel`` makes
OpenSpiel play by our rules. All take ``board_size``, ``start``, ``objective`` and ``reward``:

* ``"wdl"``: 1 for a win, -1 for a loss, at the end.
* ``"discs"``: the margin in discs, at the end.
* ``"shaped:network"``, or the name of a textbook evaluator: how much better each move has made the position, between -1 and
  1; over a game it adds up to what ``"wdl"`` would have given, less what the first position was thought to be worth.
"""

from emilia.envs.rewards import Reward
from emilia.envs.single import OthelloEnv
from emilia.envs.two import OthelloAEC, env, raw_env
from emilia.envs.vector import OthelloVectorEnv

__all__ = ["OthelloAEC", "OthelloEnv", "OthelloVectorEnv", "Reward", "env", "raw_env", "register"]


def register() -> None:
    """Makes the environments known to Gymnasium: ``gymnasium.make("emilia/Othello-v0", opponent="greedy")``."""
    import gymnasium

    if "emilia/Othello-v0" not in gymnasium.registry:
        gymnasium.register(
            "emilia/Othello-v0",
            entry_point="emilia.envs.single:OthelloEnv",
            vector_entry_point="emilia.envs.vector:OthelloVectorEnv",
        )
