"""Engines, analyses, the solver and evaluations, held to published results where there are any."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import emilia
import pytest
from emilia import Board, Engine

DATA = Path(__file__).parents[3] / "data"


def test_every_player_plays() -> None:
    names = [name for name, about in emilia.players() if about]
    assert {"emilia", "alphabeta", "greedy", "random", "gtp"} <= set(names)
    for engine in [Engine(depth=3), Engine(level=1), Engine(nodes=500), Engine(time=0.01), Engine("greedy")]:
        board = Board(6)
        while not board.is_game_over():
            board.push(engine.play(board))
        assert board.empties < 32
        with pytest.raises(emilia.EngineError, match="the game is over"):
            engine.play(board)


def test_an_answer_is_the_same_every_time() -> None:
    board = Board.from_text("f5d6c3d3c4f4")
    answers = [Engine(depth=8).analyse(board, multipv=3).result() for _ in range(2)]
    lines = [[(found.move, found.value, found.line) for found in answer.moves] for answer in answers]
    assert lines[0] == lines[1] and len(lines[0]) >= 3
    values = [found.value for found in answers[0].moves if found.value is not None]
    assert values == sorted(values, reverse=True)
    assert answers[0].best == answers[0].line[0] == answers[0].moves[0].move
    assert answers[0].nodes == answers[1].nodes > 0 and answers[0].source == "search"
    assert answers[0].moves[0].unit == "discs" and answers[0].moves[0].bound == "exact"


def test_an_analysis_goes_deeper_until_it_is_stopped() -> None:
    engine = Engine()
    depths = []
    with engine.analyse(Board()) as analysis:
        for report in analysis:
            assert report.best in Board().legal_moves
            depths.append(report.depth)
            if report.depth >= 6:
                break
    assert depths == sorted(depths) and depths[-1] >= 6
    assert analysis.result().stopped
    # The engine is free again.
    assert engine.play(Board(), depth=2) in Board().legal_moves


def test_an_engine_answers_one_question_at_a_time() -> None:
    engine = Engine()
    analysis = engine.analyse(Board())
    for busy in [lambda: engine.play(Board()), lambda: engine.analyse(Board()), engine.forget]:
        with pytest.raises(emilia.EngineError, match="still analysing; stop that first"):
            busy()
    analysis.stop()
    answer = analysis.result()
    assert list(analysis)[-1].best == answer.best and list(analysis) == []
    engine.forget()


def test_threads_may_share_an_engine_and_others_run_meanwhile() -> None:
    engine = Engine(depth=6)
    moves: list[emilia.Move] = []
    threads = [threading.Thread(target=lambda: moves.append(engine.play(Board()))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(moves) == 3 and len(set(moves)) == 1


def test_the_solver_finds_published_scores() -> None:
    # FForum's test positions: the score of every move was published with them.
    lines = (DATA / "endgame" / "fforum-1-19.obf").read_text().splitlines()
    lines = [line for line in lines if line.strip() and not line.startswith("%")]
    for line in lines[:4]:
        text, *scored = line.split(";")
        board = Board.from_text(text)
        published = {move.strip().lower(): int(score) for move, score in (part.split(":") for part in scored if ":" in part)}
        report = emilia.solve(board, multipv=99)
        found = {str(line.move): line.value for line in report.moves}
        assert report.exact and {move: found[move] for move in published} == published
        outcome = emilia.solve(board, aim="outcome").value
        best = max(published.values())
        assert outcome is not None and (outcome > 0) == (best > 0) and (outcome < 0) == (best < 0)


def test_small_boards_have_the_values_that_are_known() -> None:
    # The table in the repository says where each value was published.
    header, four, *_ = [line.split("\t") for line in (DATA / "solved" / "game-values.tsv").read_text().splitlines()]
    known = dict(zip(header, four, strict=False))
    assert known["board"] == "4x4"
    report = emilia.solve(Board(4))
    assert report.value == float(known["difference_empties_to_winner"]) and report.exact
    fewest = emilia.solve(Board(4, objective="fewest"))
    assert fewest.exact and fewest.value != report.value
    over = Board.from_text("e6f4e3f6g5d6e7f5c5")
    assert emilia.solve(over).moves == [] and emilia.solve(over).value is None


def test_evaluations() -> None:
    board = Board.from_text("f5d6c3")
    value = emilia.evaluate(board)
    assert -10 < value < 10 and value != 0
    for number in range(8):
        assert emilia.evaluate(board.transform(number)) == value
    assert emilia.evaluate(board, "disc") == -3 and emilia.evaluate(Board(12), "paper") == 0


def test_weights_of_a_file() -> None:
    file = Path(__file__).parents[2] / "eval" / "weights" / "network.bin"
    board = Board.from_text("f5d6c3")
    assert emilia.evaluate(board, weights=emilia.Weights(file)) == emilia.evaluate(board)
    assert Engine(depth=3, weights=file).play(board) == Engine(depth=3).play(board)


@pytest.mark.parametrize(
    ("wrong", "kind", "sentence"),
    [
        (lambda: Engine("alphabet"), ValueError, "did you mean alphabeta?"),
        (lambda: Engine("alphabeta:detph=3"), ValueError, "did you mean depth?"),
        (lambda: Engine("greedy", depth=3), ValueError, "greedy has no setting \"depth\""),
        (lambda: Engine("emilia:depth=3", depth=3), ValueError, "depth is set twice"),
        (lambda: Engine(level=31), ValueError, "level=31"),
        (lambda: Engine(level=3, depth=3), ValueError, "choose one of level"),
        (lambda: Engine(time=-1), ValueError, "time=-1: expected seconds"),
        (lambda: Engine(time=float("nan")), ValueError, "time=NaN: expected seconds"),
        (lambda: Engine(weights="missing.bin"), ValueError, "missing.bin"),
        (lambda: Engine().play(Board(), level=0), ValueError, "levels go from 1 to 30, not 0"),
        (lambda: Engine().play(Board(), depth=0), ValueError, "at least 1"),
        (lambda: Engine().play("f5"), TypeError, "Board"),  # type: ignore[arg-type]
        (lambda: Engine().analyse(Board(), multipv=0), ValueError, "multipv is at least 1"),
        (lambda: emilia.solve(Board(), aim="x"), ValueError, "aim \"x\""),  # type: ignore[arg-type]
        (lambda: emilia.solve(Board(), threads=0), ValueError, "threads=0"),
        (lambda: emilia.evaluate(Board(6)), ValueError, "judges boards of 8×8, not 6×6"),
        (lambda: emilia.evaluate(Board(), "discs"), ValueError, "there is no evaluator \"discs\""),
        (lambda: emilia.Weights("missing.bin"), OSError, "missing.bin"),
        (lambda: emilia.Weights(__file__), ValueError, "test_engine.py: this is no"),
        (lambda: Engine("gtp:no-such-program-anywhere").play(Board()), emilia.EngineError, "cannot be started"),
    ],
)
def test_what_is_wrong_is_named(wrong: Any, kind: type[Exception], sentence: str) -> None:
    with pytest.raises(kind) as raised:
        wrong()
    assert sentence in str(raised.value)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as Unix does")
@pytest.mark.parametrize(
    "work",
    ["emilia.Engine().play(board, time=3000)", "emilia.Engine().analyse(board).result()", "emilia.solve(emilia.Board(10))"],
)
def test_ctrl_c_ends_it(work: str) -> None:
    # The signal is sent by another thread of the same Python, which must run while the first one thinks. Otherwise it would
    # think for the better part of an hour, or for ever.
    program = (
        "import emilia, os, signal, threading\n"
        # Who is started in the background by a shell has inherited that Ctrl-C is ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "board = emilia.Board()\n"
        "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        f"{work}\n"
    )
    child = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=100)
    assert b"KeyboardInterrupt" in child.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only Unix forks")
def test_a_child_process_may_go_on_with_an_engine() -> None:
    program = (
        "import os, emilia\n"
        "engine = emilia.Engine(depth=4)\n"
        "before = engine.play(emilia.Board())\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    os._exit(0 if engine.play(emilia.Board()) == before else 3)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
