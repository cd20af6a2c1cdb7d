"""How fast the batches are on one core: ``python -m emilia.bench``.

Other packages are measured beside, in turns with ours, if they are installed: OpenSpiel (``open_spiel``) and Pgx (``pgx``
with ``jax``, on the processor). Figures of one machine say little about another; the ratios do.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from emilia import Board, __version__, batch
from emilia._emilia import VectorGames


@dataclass(frozen=True)
class Figure:
    """So many of something in a second, the best of several rounds."""

    what: str
    who: str
    per_second: float


def midgame_boards(count: int, seed: int = 0) -> batch.Words:
    """Boards from all stages of random games, in no order."""
    games = max(count // 30, 1) + 64
    moves, _ = batch.random_games(games, seed)
    boards, found = batch.start(games), []
    for ply in range(54):
        squares = moves[:, ply].copy()
        # A square that cannot be placed on means that the side to move had to pass.
        legal = batch.legal_moves(boards)
        passing = (legal >> np.minimum(squares, 63).astype(np.uint64)) & np.uint64(1) == 0
        on = squares != 255
        boards, squares, moves, passing = boards[on], squares[on], moves[on], passing[on]
        boards[passing] = boards[passing][:, ::-1]
        boards = batch.play(boards, squares)
        # Where neither side can place a disc the game has ended.
        found.append(boards[batch.legal_moves(boards) != 0])
    everything = np.concatenate(found)
    order = np.random.default_rng(seed).permutation(len(everything))
    return np.resize(everything[order], (count, 2))


def first_moves(boards: batch.Words) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The first legal move of each board."""
    legal = batch.legal_moves(boards)
    lowest = legal & (~legal + np.uint64(1))
    return np.log2(lowest.astype(np.float64)).astype(np.uint8)


def best(work: Callable[[], int], rounds: int) -> float:
    """How many ``work`` does in a second of the processor, the best of some rounds.

    What counts is the time of one core, all threads together: what else the machine does and how many cores a package takes
    make no difference.
    """
    speeds = []
    for _ in range(rounds):
        begin = time.process_time()
        count = work()
        speeds.append(count / max(time.process_time() - begin, 1e-9))
    return max(speeds)


def own_work(count: int) -> dict[str, Callable[[], int]]:
    """What is measured of our own."""
    boards = midgame_boards(count)
    moves = first_moves(boards)
    legal, after = np.empty(count, np.uint64), np.empty((count, 2), np.uint64)
    games = max(count // 20, 1000)

    def counted(work: Callable[[], object], number: int) -> Callable[[], int]:
        def run() -> int:
            work()
            return number

        return run

    games_in_step = in_step()
    return {
        "legal moves, boards": counted(lambda: batch.legal_moves(boards, out=legal), count),
        "play, boards": counted(lambda: batch.play(boards, moves), count),
        "play into an array, boards": counted(lambda: batch.play(boards, moves, out=after), count),
        "network, boards": counted(lambda: batch.evaluate(boards), count),
        "canonical form, boards": counted(lambda: batch.canonical(boards), count),
        "terminal, boards": counted(lambda: batch.is_over(boards), count),
        "random games, games": counted(lambda: batch.random_games(games), games),
        "games in step, moves": games_in_step,
        "one board, moves": one_board,
    }


def in_step(together: int = 4096) -> Callable[[], int]:
    """What ``emilia.envs.OthelloVectorEnv`` does: a learner that takes the first legal move, against random play."""
    games = VectorGames(together)
    _, masks = games.reset(0)

    def run() -> int:
        nonlocal masks
        for _ in range(30):
            _, masks, _, _ = games.step(masks.argmax(axis=1))
        return 30 * together

    return run


def one_board() -> int:
    """Random games on a ``Board``, a move at a time."""
    dice, count = random.Random(0), 0
    for _ in range(20):
        board = Board()
        while not board.is_game_over():
            legal = board.legal_moves
            board.push(legal[dice.randrange(len(legal))])
            count += 1
    return count


def open_spiel_work() -> Callable[[], int]:
    """Random games of OpenSpiel's Othello, a move at a time."""
    import pyspiel

    game = pyspiel.load_game("othello")

    def run() -> int:
        dice, count = random.Random(0), 0
        for _ in range(20):
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[dice.randrange(len(legal))])
                count += 1
        return count

    return run


def pgx_work(together: int = 4096) -> Callable[[], int]:
    """Random games of Pgx on the processor, thousands of boards in step."""
    import jax
    import pgx

    jax.config.update("jax_platforms", "cpu")  # type: ignore[no-untyped-call, unused-ignore]
    env = pgx.make("othello")
    init, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))

    @jax.jit  # type: ignore[untyped-decorator, unused-ignore]
    def choose(key: Any, mask: Any) -> Any:
        return jax.random.categorical(key, jax.numpy.where(mask, 0.0, -1e9), axis=-1)

    def run() -> int:
        key = jax.random.PRNGKey(0)
        state = init(jax.random.split(key, together))
        count = 0
        for _ in range(30):
            key, now = jax.random.split(key)
            state = step(state, choose(now, state.legal_action_mask))
            count += together
        state.observation.block_until_ready()
        return count

    run()
    return run


OTHERS: dict[str, Callable[[], Callable[[], int]]] = {
    "OpenSpiel": open_spiel_work,
    "Pgx": pgx_work,
}


def figures(count: int, rounds: int, others: bool) -> tuple[list[Figure], list[str]]:
    """Everything that is measured, and who is not installed."""
    measured = [Figure(what, "emilia", best(work, rounds)) for what, work in own_work(count).items()]
    missing = []
    for who, make in OTHERS.items() if others else ():
        try:
            work = make()
        except ImportError:
            missing.append(who)
            continue
        # In turns, so that both have the same machine.
        pairs = [(best(work, 1), best(one_board, 1)) for _ in range(rounds)]
        measured.append(Figure("one board, moves", who, max(theirs for theirs, _ in pairs)))
        measured.append(Figure("one board, moves", f"emilia beside {who}", max(ours for _, ours in pairs)))
    return measured, missing


def main(arguments: list[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m emilia.bench", description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--boards", type=int, default=1_000_000, help="boards in a batch (default: 1000000)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, of which the best counts (default: 5)")
    parser.add_argument("--alone", action="store_true", help="do not measure other packages beside")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    asked = parser.parse_args(arguments)
    if asked.boards < 1 or asked.rounds < 1:
        parser.error("boards and rounds are at least 1")
    measured, missing = figures(asked.boards, asked.rounds, not asked.alone)
    if asked.json:
        print(json.dumps({"version": __version__, "figures": [asdict(figure) for figure in measured]}))
        return 0
    print(f"emilia {__version__}, Python {platform.python_version()}, per second of one core, {asked.boards} boards")
    for figure in measured:
        print(f"{figure.per_second:>15,.0f} /s  {figure.what:28} {figure.who}")
    played = {figure.who: figure.per_second for figure in measured if figure.what == "one board, moves"}
    random_plies = next(figure.per_second for figure in measured if figure.what == "random games, games") * 60
    for who in OTHERS:
        if who in played:
            beside = played[f"emilia beside {who}"] / played[who]
            print(f"{who}: a Board plays {beside:.1f} times as many moves, a batch of random games {random_plies / played[who]:.0f} times")
    for who in missing:
        print(f"{who} is not installed and was not measured")
    return 0


if __name__ == "__main__":
    sys.exit(main())
