"""Tests of the teacher's games against itself, which need PyTorch: python3 -m unittest discover training"""

import os
import sys
import unittest

try:
    import torch
except ImportError as error:
    raise unittest.SkipTest("PyTorch is not installed") from error

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import boards
import data
import endings
import label
import play
from test_training import random_boards


def slow_flips(own, opponent, square):
    """What a disc on this square turns, found square by square on sets of (column, row)."""
    turned = set()
    for step in [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]:
        line, at = [], (square[0] + step[0], square[1] + step[1])
        while at in opponent:
            line.append(at)
            at = at[0] + step[0], at[1] + step[1]
        if at in own:
            turned.update(line)
    return turned


class SlowGame:
    """Othello as a beginner would write it."""

    def __init__(self, own, opponent):
        self.own, self.opponent = ({(at % 8, at // 8) for at in range(64) if discs >> at & 1} for discs in (own, opponent))

    def moves(self):
        free = {(x, y) for x in range(8) for y in range(8)} - self.own - self.opponent
        return sorted((y * 8 + x for x, y in free if slow_flips(self.own, self.opponent, (x, y))))

    def play(self, at):
        """The game after this move, passes made, and whether the same side moves again."""
        square = at % 8, at // 8
        turned = slow_flips(self.own, self.opponent, square)
        after = SlowGame(0, 0)
        after.own, after.opponent = self.opponent - turned, self.own | turned | {square}
        if after.moves():
            return after, False
        after.own, after.opponent = after.opponent, after.own
        return after, True

    def final(self):
        ahead = len(self.own) - len(self.opponent)
        free = 64 - len(self.own) - len(self.opponent)
        return ahead + free * ((ahead > 0) - (ahead < 0))

    def bits(self):
        return tuple(sum(1 << y * 8 + x for x, y in discs) for discs in (self.own, self.opponent))


class Play(unittest.TestCase):
    def test_boards_after_all_moves_are_those_of_the_slow_game(self):
        torch.manual_seed(3)
        passes = 0
        for plies in (30, 54, 57):
            own, opponent = random_boards(plies, 25)
            some = boards.moves(own, opponent) != 0
            own, opponent = own[some], opponent[some]
            after, found = play.After(own, opponent), []
            for board in range(own.shape[0]):
                game = SlowGame(own[board].item() % (1 << 64), opponent[board].item() % (1 << 64))
                for move in game.moves():
                    next_game, again = game.play(move)
                    over = not next_game.moves()
                    passes += again
                    found.append((board, move, *next_game.bits(), 1.0 if again else -1.0, over, next_game.final()))
            unsigned = [[discs % (1 << 64) for discs in side.tolist()] for side in (after.own, after.opponent)]
            rest = [after.sign.tolist(), after.over.tolist(), play.final(after.own, after.opponent).tolist()]
            self.assertEqual(list(zip(after.before.tolist(), after.square.tolist(), *unsigned, *rest)), found)
        self.assertGreater(passes, 5)

    def test_with_exact_scores_good_games_come_to_what_they_are_worth(self):
        torch.manual_seed(4)
        own, opponent = random_boards(56, 30)
        some = boards.moves(own, opponent) != 0
        own, opponent = own[some], opponent[some]

        def worth(game):
            scores = []
            for move in game.moves():
                after, again = game.play(move)
                scores.append(after.final() if not after.moves() else worth(after) * (1 if again else -1))
            return max(scores)

        def score(own, opponent):
            pairs = zip(own.tolist(), opponent.tolist())
            games = [SlowGame(discs % (1 << 64), others % (1 << 64)) for discs, others in pairs]
            return torch.tensor([float(worth(game)) if game.moves() else 0.0 for game in games])

        kept = []
        warmth = torch.full(own.shape, 4.0)
        turns = play.play(score, own, opponent, warmth, lambda *some: kept.extend(zip(*some)))
        self.assertGreater(len(kept), 10)
        self.assertTrue(any(not good for turn in turns for good in turn.good.tolist()))
        for turn, came in zip(turns, play.outcomes(turns, own.shape[0])):
            self.assertTrue(torch.equal(came, score(turn.own, turn.opponent)))
        self.assertTrue(all(score(*(part[None] for part in some[:2])).item() == some[2].item() for some in kept))
        # A mover chooses, another says what boards are worth: nothing else is asked about or kept.
        asked = []

        def judge(own, opponent):
            asked.append(len(own))
            return score(own, opponent)

        many = len(kept)
        turns = play.play(score, own, opponent, warmth, lambda *some: kept.extend(zip(*some)), judge)
        self.assertEqual((len(kept), asked), (many, [len(turn.own) for turn in turns]))
        for turn, came in zip(turns, play.outcomes(turns, own.shape[0], play.MOVER_TRACE)):
            self.assertTrue(torch.allclose(came, score(turn.own, turn.opponent)))

    def test_games_are_left_where_endings_are_not_wanted(self):
        torch.manual_seed(5)
        own, opponent = random_boards(40, 30)
        some = boards.moves(own, opponent) != 0
        own, opponent = own[some], opponent[some]

        def score(own, opponent):
            return boards.count(own).to(torch.float32) - boards.count(opponent).to(torch.float32)

        turns = play.play(score, own, opponent, torch.full(own.shape, 1.0), fewest=12)
        fewest = [boards.count(~(turn.own | turn.opponent)).min().item() for turn in turns]
        self.assertEqual(min(fewest), 12)
        # Nothing came of the last boards yet: what is said of them counts.
        last, came = turns[-1], play.outcomes(turns, own.shape[0])[-1]
        self.assertTrue(last.left.any())
        self.assertTrue(torch.equal(came[last.left], last.said[last.left]))
        labelled = label.Labelled(1000, "cpu", 15)
        for turn in turns:
            labelled.add(turn.own, turn.opponent, turn.said)
        taken = boards.count(~(labelled.own | labelled.opponent))[: len(labelled)]
        self.assertEqual(len(labelled), sum((boards.count(~(turn.own | turn.opponent)) >= 15).sum() for turn in turns))
        self.assertEqual(taken.min().item(), 15)

    def test_boards_that_searches_met_are_played_for_a_few_turns(self):
        torch.manual_seed(6)
        met, labelled = data.Store([], "cpu"), label.Labelled(500, "cpu")
        met.own, met.opponent = random_boards(30, 40)

        def count(own, opponent):
            return boards.count(own).to(torch.float32) - boards.count(opponent).to(torch.float32)

        play.fill_from_met(count, met, labelled, 200, 25, count)
        taken = boards.count(~(labelled.own | labelled.opponent))[: len(labelled)]
        first = boards.count(~(met.own | met.opponent))
        # Rounds are whole, and a board is followed for three turns.
        self.assertGreaterEqual(len(labelled), 200)
        self.assertLess(len(labelled), 200 + 25 * play.MET_TURNS)
        self.assertEqual(taken.max().item(), first.max().item())
        self.assertEqual(taken.min().item(), first.min().item() - play.MET_TURNS + 1)
        # Of the last turn counts what is said of its boards.
        last = taken == first.min() - play.MET_TURNS + 1
        discs = labelled.score[: len(labelled)][last].to(torch.float32) / 128
        self.assertTrue(torch.equal(discs, count(labelled.own, labelled.opponent)[: len(labelled)][last]))
        # Where there is no board or no room, nothing happens.
        play.fill_from_met(count, data.Store([], "cpu"), labelled, 50, 25, count)
        full = label.Labelled(10, "cpu")
        play.fill_from_met(count, met, full, 50, 25, count)
        self.assertTrue(full.is_full())

    def test_what_comes_later_counts_less(self):
        def turn(best, made, over):
            values = {"said": best, "made": made, "sign": -1.0}
            fields = {name: torch.tensor([value]) for name, value in values.items()}
            fields |= {"number": torch.tensor([0]), "good": torch.tensor([made > best - play.SLACK])}
            fields |= {"over": torch.tensor([over]), "left": torch.tensor([False])}
            return type("Some", (), {**fields, "own": torch.tensor([1])})

        good = [turn(2.0, 2.0, False), turn(-4.0, -4.0, False), turn(6.0, 6.0, True)]
        self.assertEqual([round(came.item(), 3) for came in play.outcomes(good, 1, 0.5)], [3.5, -5.0, 6.0])
        bad = [turn(2.0, 2.0, False), turn(-4.0, -7.0, False), turn(8.0, 8.0, True)]
        self.assertEqual([round(came.item(), 3) for came in play.outcomes(bad, 1, 0.5)], [3.0, -4.0, 8.0])


class Endings(unittest.TestCase):
    def test_boards_near_the_end_are_different_and_of_each_kind(self):
        torch.manual_seed(6)
        store = data.Store([], "cpu")
        store.own, store.opponent = random_boards(46, 400)
        store.empties = boards.count(~(store.own | store.opponent)).to(torch.uint8)
        found, empties = endings.drawn(store, 300, 6)
        self.assertEqual(len(found.unique(dim=0)), len(found))
        self.assertFalse((found[:, 0] & found[:, 1]).any())
        self.assertTrue(torch.equal(boards.count(~(found[:, 0] | found[:, 1])), empties))
        self.assertTrue((boards.moves(found[:, 0], found[:, 1]) != 0).all())
        counts = torch.bincount(empties, minlength=17)
        self.assertEqual(counts[:5].sum().item(), 0)
        self.assertTrue((counts[8:15] == counts[14]).all(), counts)
        self.assertLess(counts[16].item(), counts[14].item())


if __name__ == "__main__":
    unittest.main()
