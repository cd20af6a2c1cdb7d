#!/usr/bin/env python3
"""Games of the teacher against itself, tens of thousands at once on the device.

    python3 training/play.py --teacher teacher.half --test exam.emd --data 'data/*.emd' --minutes 3 --out played.emd

At each turn the teacher scores the boards after every move, a search of one ply, and one of them is played on: the best
in cold games, now and then a worse one in warm games. Every board that was scored is a board to learn from. Those on
which the game went on get a better score than the teacher's own, because it is known what came of them: the mean of
what the search of one ply said there and at the following turns, later ones counting less by `TRACE` a ply, up to the
end of the game or to a move that was not the best.

With a mover, a small network that chooses the moves, the teacher is only asked about the boards of the games, an eighth of
the questions: what it says of a board takes the place of the search of one ply.

Called by itself, the script says how near such scores come to the truth, by `TRACE`, and writes the boards of the games
to a file from which a teacher can learn more. student.py plays in memory.
"""

import argparse

import torch

import boards
import data
import measure
import network
from clock import Clock, say
from label import Labelled, beside
from small import Mover

# Of 0.5, 0.7, 0.8 … nearest to exact scores; docs/training.md has the table.
TRACE = 0.5
# The same where a mover plays, nearest among 0.5, 0.6, 0.7 … again.
MOVER_TRACE = 0.65
# How much worse a move may be, in discs, that still counts as good play.
SLACK = 0.5
# Warmth of a game in discs: a move worse by so much is played e times less often than the best; and shares of the games.
WARMTHS = [0.1, 1.0, 3.0, 8.0]
SHARES = [0.4, 0.3, 0.2, 0.1]
# Shares where boards beside the games are not kept: worse moves must lead to them.
MOVER_SHARES = [0.25, 0.3, 0.25, 0.2]


def final(own, opponent):
    """The score of a finished game for the first side, empty squares to the winner."""
    ahead = boards.count(own) - boards.count(opponent)
    return (ahead + ahead.sign() * boards.count(~(own | opponent))).to(torch.float32)


class After:
    """The boards after all moves of some boards: the number of the board before, the square of the move, the board as
    the side sees it that is then to move, what a score for that side counts for the side that moved, and whether the
    game is over."""

    def __init__(self, own, opponent):
        able = boards.squares(boards.moves(own, opponent)).nonzero()
        self.before, self.square = able[:, 0], able[:, 1]
        placed = torch.ones_like(self.square) << self.square
        next_own, next_opponent = boards.played(own[self.before], opponent[self.before], placed)
        passing = boards.moves(next_own, next_opponent) == 0
        self.own = torch.where(passing, next_opponent, next_own)
        self.opponent = torch.where(passing, next_own, next_opponent)
        self.sign = torch.where(passing, 1.0, -1.0)
        self.over = passing & (boards.moves(self.own, self.opponent) == 0)


class Turn:
    """One turn of all games that are not over: their numbers and boards, what is said of these, and the move that was
    made: its score, whether it was as good as the best, whether it ended the game, and what a score after it counts for
    the side that made it; and whether the game is left after it, with fewer than so many empty squares or because it is
    the last turn. Of a board is said what the search of one ply found, or what `judge` says, if there is one."""

    def __init__(self, number, own, opponent, score, warmth, keep, judge, fewest, last=False):
        self.number, self.own, self.opponent = number, own, opponent
        after = After(own, opponent)
        found = score(after.own, after.opponent)
        values = torch.where(after.over, final(after.own, after.opponent), found) * after.sign
        every = torch.full((own.shape[0], 64), -torch.inf, device=own.device)
        every[after.before, after.square] = values
        best = every.amax(dim=1)
        self.said = best if judge is None else judge(own, opponent)
        luck = -torch.log(-torch.log(torch.rand_like(every).clamp(1e-9, 1 - 1e-7)))
        square = (every / warmth[number, None] + luck).argmax(dim=1)
        made = after.square == square[after.before]
        if judge is None:
            keep(after.own[~made & ~after.over], after.opponent[~made & ~after.over], found[~made & ~after.over])
        self.made = values[made]
        self.good = self.made >= best - SLACK
        self.over, self.sign = after.over[made], after.sign[made]
        self.next_own, self.next_opponent = after.own[made], after.opponent[made]
        self.left = ~self.over & ((boards.count(~(self.next_own | self.next_opponent)) < fewest) | last)


@torch.no_grad()
def play(score, own, opponent, warmth, keep=lambda own, opponent, discs: None, judge=None, fewest=0, most_turns=64):
    """Plays games from these boards, on which the side to move can move, to the end, or until fewer than so many squares
    are empty, or for so many turns. Boards beside the games go to `keep` with their scores. Returns the turns."""
    number = torch.arange(own.shape[0], device=own.device)
    turns = []
    while number.shape[0]:
        last = len(turns) + 1 == most_turns
        turn = Turn(number, own, opponent, score, warmth, keep, judge, fewest, last)
        turns.append(turn)
        on = ~turn.over & ~turn.left
        number, own, opponent = number[on], turn.next_own[on], turn.next_opponent[on]
    return turns


def outcomes(turns, games, trace=TRACE):
    """What came of the board of each turn, one tensor a turn."""
    later = torch.zeros(games, device=turns[0].own.device)
    found = []
    for turn in reversed(turns):
        came = torch.where(turn.over, turn.made, (1 - trace) * turn.said + trace * turn.sign * later[turn.number])
        came = torch.where(turn.good & ~turn.left, came, turn.said)
        later[turn.number] = came
        found.append(came)
    return found[::-1]


def warmths(games, device, shares=SHARES):
    """A warmth for each game."""
    drawn = torch.multinomial(torch.tensor(shares, device=device), games, replacement=True)
    return torch.tensor(WARMTHS, device=device)[drawn]


# Turns that are played after the last board that is kept: later ones would hardly count in what came of it.
AFTER = 6


# Turns played from boards that searches have met: what comes of these is what counts, the games beyond lead elsewhere.
MET_TURNS = 3


def fill(teacher, store, labelled, aside, clock, games=65_536, most_plies=5, mover=None, met=None):
    """Plays rounds of games from boards of the store, or a few random moves beside them, until the time is up or there is
    no room: boards of the games go to `labelled`, those after moves that were not made to `aside`. With a mover there are
    none of these. Where `labelled` takes no endings, none are played. After each round with a mover as many boards come
    from a few turns of best play after boards that searches have met, if there are any."""
    played, told = 0, 0.0
    fewest = max(labelled.fewest - AFTER, 0)
    first = torch.nonzero(store.empties >= labelled.fewest + most_plies).squeeze(1) if fewest else None
    while not labelled.is_full() and not clock.is_over():
        at = store.draw(games) if first is None else first[torch.randint(len(first), (games,), device=first.device)]
        own, opponent, _, usable = beside(store, at, most_plies)
        own, opponent = own[usable], opponent[usable]
        if mover is None:
            warmth = warmths(own.shape[0], own.device)
            turns, trace = play(teacher, own, opponent, warmth, aside.add, fewest=fewest), TRACE
        else:
            warmth = warmths(own.shape[0], own.device, MOVER_SHARES)
            turns, trace = play(mover, own, opponent, warmth, judge=teacher, fewest=fewest), MOVER_TRACE
        before = len(labelled)
        for turn, came in zip(turns, outcomes(turns, own.shape[0], trace)):
            labelled.add(turn.own, turn.opponent, came)
        played += own.shape[0]
        if mover is not None and met is not None:
            fill_from_met(teacher, met, labelled, len(labelled) - before, games, mover)
        if clock.spent() - told > 10:
            told = clock.spent()
            say(f"{told:5.0f} s: {played:,} games, {len(labelled):,} boards and {len(aside):,} beside them")


def fill_from_met(teacher, met, labelled, count, games, mover):
    """Adds about so many boards of the first turns after boards that searches have met, whose files may still grow."""
    met.refresh()
    full = min(len(labelled) + count, labelled.own.shape[0])
    while len(met) and len(labelled) < full:
        own, opponent, _, usable = beside(met, met.draw(games), 0)
        own, opponent = own[usable], opponent[usable]
        warmth = torch.full((own.shape[0],), min(WARMTHS), device=own.device)
        turns = play(mover, own, opponent, warmth, judge=teacher, most_turns=MET_TURNS)
        for turn, came in zip(turns, outcomes(turns, own.shape[0], MOVER_TRACE)):
            labelled.add(turn.own, turn.opponent, came)


def examine(teacher, test, most=20_000, mover=None):
    """How far from exact scores the teacher is, and what came of its games without a worse move."""
    at = measure.exam(test)[:most]
    own, opponent, truth = test.own[at], test.opponent[at], test.discs(at)
    warmth = torch.full((len(at),), 1e-3, device=own.device)
    judge = None if mover is None else teacher
    turns = play(mover or teacher, own, opponent, warmth, judge=judge)
    kinds = [("teacher alone", teacher(own, opponent)), ("first turn", turns[0].said)]
    kinds += [(f"trace {trace}", outcomes(turns, len(at), trace)[0]) for trace in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)]
    if mover is not None:
        kinds.append(("mover alone", mover(own, opponent)))
    for name, discs in kinds:
        error = discs - truth
        say(f"{name:14} mean absolute {error.abs().mean():.3f} rms {error.square().mean().sqrt():.3f} "
            f"mean {error.mean():+.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--teacher", required=True, help="the teacher's checkpoint")
    parser.add_argument("--mover", help="weights of a small network that chooses the moves")
    parser.add_argument("--test", nargs="+", default=[], help="files of positions with exact scores")
    parser.add_argument("--data", nargs="+", default=[], help="files of positions that games begin with")
    parser.add_argument("--examine", type=int, default=20_000, help="how many of these, at most")
    parser.add_argument("--out", help="the file to write")
    parser.add_argument("--count", type=int, default=50_000_000, help="boards in it, at most")
    parser.add_argument("--games", type=int, default=262_144, help="games at once")
    parser.add_argument("--fewest", type=int, default=0, help="empty squares of boards in it, at least")
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    teacher = network.Asked(options.teacher, options.device)
    mover = Mover(options.mover, options.device) if options.mover else None
    if options.test:
        test = data.Store(options.test, options.device, say, part="all", results=False)
        examine(teacher, test, options.examine, mover)
    if options.out:
        labelled, none = Labelled(options.count, options.device, options.fewest), Labelled(0, options.device)
        store = data.Store(options.data, options.device, say)
        fill(teacher, store, labelled, none, Clock(options.minutes), options.games, mover=mover)
        labelled.write(options.out)


if __name__ == "__main__":
    main()
