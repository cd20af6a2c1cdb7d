"""Environments: the checkers of the libraries themselves, and our own laws."""

from __future__ import annotations

import warnings
from typing import Any

import emilia
import gymnasium
import numpy as np
import pytest
from emilia import Board
from emilia.envs import OthelloAEC, OthelloEnv, OthelloVectorEnv, Reward, env, raw_env, register
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, performance_benchmark, seed_test


@pytest.mark.parametrize("settings", [{}, {"board_size": 6, "objective": "fewest"}, {"board_size": 10, "reward": "shaped:paper"}])
def test_pettingzoo_finds_nothing_wrong(settings: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Of spaces with planes of any number of channels the checker remarks that they are no pictures.
        warnings.filterwarnings("ignore", message=".*Observation.*")
        api_test(env(**settings), num_cycles=200)
    seed_test(lambda: env(**settings), num_cycles=50)


@pytest.mark.large  # It measures for five seconds.
def test_pettingzoo_can_measure_it(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(env(board_size=6))
    assert "turns per second" in capsys.readouterr().out


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"board_size": 6, "opponent": "greedy", "color": "alternate"},
        {"board_size": 10, "opponent": "alphabeta:depth=1", "reward": "discs", "color": "white"},
        {"reward": "shaped:network", "start": "mirrored", "objective": "fewest"},
    ],
)
def test_gymnasium_finds_nothing_wrong(settings: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(OthelloEnv(**settings), skip_render_check=True)


def played(environment: OthelloEnv, seed: int) -> tuple[list[float], Board]:
    """The rewards of a game of first legal moves, and the last board."""
    _, info = environment.reset(seed=seed)
    rewards = []
    while True:
        action = np.int64(np.flatnonzero(info["action_mask"])[0])
        observation, reward, over, truncated, info = environment.step(action)
        assert observation in environment.observation_space and not truncated
        rewards.append(reward)
        if over:
            return rewards, environment.board


@pytest.mark.parametrize("opponent", ["random", "greedy", "emilia:depth=1"])
def test_a_seed_repeats_a_game(opponent: str) -> None:
    games = [played(OthelloEnv(6, opponent), seed) for seed in [1, 1, 2, 3]]
    assert games[0][1].move_stack == games[1][1].move_stack and games[0][0] == games[1][0]
    if opponent == "random":
        assert len({game[1].transcript() for game in games}) == 3
    for rewards, board in games:
        assert board.is_game_over() and set(rewards[:-1]) == {0.0}
        assert rewards[-1] == {"1-0": 1.0, "0-1": -1.0, "1/2-1/2": 0.0}[board.result()]


def test_rewards() -> None:
    _, board = played(OthelloEnv(8), 4)
    assert sum(played(OthelloEnv(8, reward="discs"), 4)[0]) == board.score()
    assert sum(played(OthelloEnv(8, reward="discs", objective="fewest"), 4)[0]) == -board.score()
    shaped, same = played(OthelloEnv(8, reward="shaped:network"), 4)
    first = Reward("shaped:network").potential(Board(), emilia.BLACK)
    assert same == board and len(set(shaped)) > 10
    assert sum(shaped) == pytest.approx(Reward("wdl").outcome(board, emilia.BLACK) - first)
    _, as_white = played(OthelloEnv(8, reward="discs", color="white"), 4)
    assert as_white.is_game_over()


def test_two_agents_play_a_whole_game() -> None:
    game = raw_env(board_size=4, reward="discs")
    game.reset()
    total = {"black_0": 0.0, "white_0": 0.0}
    for agent in game.agent_iter():
        observation, reward, over, truncated, _ = game.last()
        total[agent] += reward
        assert not truncated and observation["observation"].shape == (2, 4, 4)
        game.step(None if over else int(np.flatnonzero(observation["action_mask"])[-1]))
    assert game.board.is_game_over() and total["black_0"] == -total["white_0"] == game.board.score()
    # A pass is the action after the squares.
    assert any(move.is_pass for move in game.board.move_stack) == (16 in [m.square.index(4) if m.square else 16 for m in game.board.move_stack])


def test_illegal_actions() -> None:
    lose = OthelloEnv(8, reward="discs")
    lose.reset(seed=0)
    _, reward, over, _, _ = lose.step(np.int64(0))
    assert (reward, over, lose.board.ply()) == (-64.0, True, 0)
    strict = OthelloEnv(8, illegal="raise")
    strict.reset(seed=0)
    with pytest.raises(emilia.IllegalMoveError, match="a1 flips nothing"):
        strict.step(np.int64(0))
    game = raw_env()
    game.reset()
    with pytest.raises(emilia.IllegalMoveError):
        game.step(64)


@pytest.mark.parametrize("size", [4, 6, 8])
@pytest.mark.parametrize("color", ["black", "white", "alternate"])
def test_games_in_step_follow_the_rules(size: int, color: str) -> None:
    count = 40
    games = OthelloVectorEnv(count, size, color=color, reward="discs")
    planes, infos = games.reset(seed=9)
    dice = np.random.default_rng(1)
    ended, over = 0, np.zeros(count, np.bool_)
    for _ in range(90):
        mask = infos["action_mask"]
        actions = np.array([dice.choice(np.flatnonzero(row)) if row.any() else 0 for row in mask], np.int64)
        before = planes
        planes, rewards, now, truncated, infos = games.step(actions)
        assert planes in games.observation_space and not truncated.any()
        for at in range(count):
            words = emilia.batch.to_words(planes[at : at + 1].view(np.uint8))[0]
            board = Board.from_words(int(words[0]), int(words[1]), size=size)
            legal = np.zeros(size * size, np.int8)
            for move in board.legal_moves:
                if move.square is not None:
                    legal[move.square.index(size)] = 1
            assert (infos["action_mask"][at] == legal).all() and now[at] == board.is_game_over()
            if over[at]:
                assert rewards[at] == 0 and board.count(emilia.BLACK) + board.count(emilia.WHITE) <= 5
            else:
                assert (planes[at].sum(axis=0) >= before[at].sum(axis=0)).all()
                assert rewards[at] == (board.score() if now[at] else 0)
        ended, over = ended + int(now.sum()), now
    assert ended > count
    again = OthelloVectorEnv(count, size, color=color, reward="discs")
    assert (again.reset(seed=9)[0] == games.reset(seed=9)[0]).all()


def test_games_in_step_lose_by_illegal_actions_and_can_be_shaped() -> None:
    games = OthelloVectorEnv(3, reward="wdl")
    games.reset(seed=1)
    _, rewards, over, _, infos = games.step(np.array([0, -7, 10**9], np.int64))
    assert rewards.tolist() == [-1, -1, -1] and over.all() and not infos["action_mask"].any()
    _, rewards, over, _, infos = games.step(np.array([0, -7, 10**9], np.int64))
    assert rewards.tolist() == [0, 0, 0] and not over.any() and infos["action_mask"].sum() == 12
    shaped = OthelloVectorEnv(16, reward="shaped:network")
    _, infos = shaped.reset(seed=3)
    first = np.tanh(emilia.evaluate(Board()) / 16)
    total, open_ = np.zeros(16), np.ones(16, np.bool_)
    for _ in range(40):
        actions = np.array([np.flatnonzero(row)[0] if row.any() else 0 for row in infos["action_mask"]], np.int64)
        _, rewards, over, _, infos = shaped.step(actions)
        total[open_] += rewards[open_]
        open_ &= ~over
    assert not open_.any() and np.allclose(np.abs(total + first), np.round(np.abs(total + first)), atol=1e-6)


def test_it_is_registered() -> None:
    register()
    register()
    made = gymnasium.make("emilia/Othello-v0", board_size=6, opponent="greedy")
    assert made.reset(seed=1)[0].shape == (2, 6, 6)
    many = gymnasium.make_vec("emilia/Othello-v0", num_envs=5, board_size=6, vectorization_mode="vector_entry_point")
    assert many.reset(seed=1)[0].shape == (5, 2, 6, 6)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: OthelloEnv(7), "not 7"),
        (lambda: OthelloEnv(opponent="nobody"), "there is no player"),
        (lambda: OthelloEnv(reward="gold"), "reward 'gold'"),
        (lambda: OthelloEnv(reward="shaped:gold"), "there is no evaluator \"gold\""),
        (lambda: OthelloEnv(color="red"), "color 'red'"),
        (lambda: OthelloEnv(illegal="ignore"), "illegal 'ignore'"),
        (lambda: OthelloEnv(render_mode="human"), "render_mode 'human'"),
        (lambda: OthelloEnv(6, start=Board(8).to_text()), "board_size is 6, but start is a board of 8×8"),
        (lambda: OthelloEnv(objective="least"), "objective \"least\""),
        (lambda: OthelloAEC(render_mode="human"), "render_mode 'human'"),
        (lambda: OthelloVectorEnv(0), "games are from 1 to"),
        (lambda: OthelloVectorEnv(4, 10), "at most 8×8"),
        (lambda: OthelloVectorEnv(4, color="red"), "color \"red\""),
        (lambda: OthelloVectorEnv(4, reward="shaped:paper"), "shaped by the network alone"),
        (lambda: OthelloVectorEnv(4).step(np.zeros(3, np.int64)), "3 actions do not fit 4 games"),
        (lambda: OthelloVectorEnv(4).reset(seed=[1, 2, 3, 4]), "one seed is for all"),
    ],
)
def test_what_is_wrong_is_named(wrong: Any, sentence: str) -> None:
    with pytest.raises(ValueError) as raised:
        wrong()
    assert sentence in str(raised.value)


def test_pictures() -> None:
    assert OthelloEnv(render_mode="ansi").render() == str(Board())
    assert OthelloAEC(render_mode="svg").render() == Board().svg()
    assert OthelloEnv().render() is None


@pytest.mark.large
def test_openspiel_plays_by_our_rules() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import emilia.envs.openspiel  # noqa: F401
    from open_spiel.python.algorithms import minimax

    theirs, ours = pyspiel.load_game("othello"), pyspiel.load_game("emilia_othello")
    dice = np.random.default_rng(5)
    for _ in range(20):
        one, two = theirs.new_initial_state(), ours.new_initial_state()
        while not one.is_terminal():
            assert one.legal_actions() == two.legal_actions() and one.current_player() == two.current_player()
            action = int(dice.choice(one.legal_actions()))
            one.apply_action(action)
            two.apply_action(action)
        assert two.is_terminal() and one.returns() == two.returns()
    small = pyspiel.load_game("emilia_othello(board_size=4,reward=discs)")
    value, _ = minimax.alpha_beta_search(small)
    assert value == emilia.solve(Board(4)).value
