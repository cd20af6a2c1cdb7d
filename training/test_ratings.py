"""Tests of tournament games and ratings, which need numpy alone: python3 -m unittest discover training"""

import os
import struct
import sys
import tempfile
import unittest

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import ratings
import wthor

SHIPPED = os.path.join(HERE, "..", "data", "wthor")


class Wthor(unittest.TestCase):
    def test_games_of_the_shipped_years_are_read(self):
        games = wthor.Games(SHIPPED)
        self.assertEqual(sorted(set(games.year.tolist())), [1978, 1980, 1985])
        self.assertEqual(int(games.for_test().sum()), len(games) - int((games.year == 1978).sum()))
        # All games are turned so that the first disc is placed on f5.
        self.assertEqual(set(games.squares[:, 0].tolist()), {37})
        self.assertEqual(games.squares[games.squares != wthor.NO_MOVE].max(), 63)
        self.assertGreater(len(wthor.names(SHIPPED)), 4000)

    def test_a_published_game_is_read_as_it_was_played(self):
        game = bytes.fromhex("4600bd012c021f27382e2318191a0f42414a2f2224101125392643444b544c3f5556535235492b0e0d403a304d"
                             "2021341f2a3d29331617153e474e58571b121c51480b0c")
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "WTH_1980.wtb"), "wb") as file:
                file.write(bytes.fromhex("14010405010000000000bc0700000000") + game)
            games = wthor.Games(folder)
        self.assertEqual((games.year[0], games.black[0], games.white[0], games.discs[0]), (1980, 445, 556, 31))
        names = ["abcdefgh"[square % 8] + str(square // 8 + 1) for square in games.squares[0][:6]]
        self.assertEqual(names, ["f5", "f4", "e3", "d2", "e2", "f2"])

    def test_other_files_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "some.wtb")
            self.assertRaisesRegex(ValueError, "no .wtb files", wthor.Games, folder)
            for content in (b"short", struct.pack("<IIHHI", 0, 2, 0, 1990, 0) + bytes(68)):
                with open(path, "wb") as file:
                    file.write(content)
                self.assertRaisesRegex(ValueError, "some.wtb", wthor.Games, folder)


class Some:
    """Games between players of known strength."""

    def __init__(self, strengths, many, seed=1):
        draw = numpy.random.default_rng(seed)
        players = len(strengths)
        self.black = draw.integers(1, players + 1, many)
        self.white = (self.black + draw.integers(1, players, many) - 1) % players + 1
        self.year = draw.choice([2001, 2002, 2004, 2005], many)
        chance = 1 / (1 + 10 ** ((strengths[self.white - 1] - strengths[self.black - 1]) / 400))
        self.discs = numpy.where(draw.random(many) < chance, 40, 24)


class Ratings(unittest.TestCase):
    def test_strengths_that_made_the_results_are_found(self):
        truth = numpy.linspace(-300, 300, 12)
        games = Some(truth, 8000)
        kept = games.year % 5 != 0
        nodes = ratings.Nodes(games, kept)
        strength, deviation = ratings.fit(nodes, ratings.results(games, kept), wander=30, anchor=2)
        found = ratings.ELO * strength
        expected = truth[nodes.player - 1]
        error = (found - found.mean()) - (expected - expected.mean())
        self.assertEqual(len(nodes), 36, "a player has one strength a year, and none in a test year")
        self.assertLess(numpy.abs(error).max(), 75)
        self.assertLess(numpy.sqrt((error**2).mean()), 1.6 * ratings.ELO * deviation.mean())

    def test_draws_are_half_of_each(self):
        games = Some(numpy.array([0.0, 0.0]), 200)
        games.discs[:] = 32
        nodes = ratings.Nodes(games, games.year > 0)
        strength, _ = ratings.fit(nodes, ratings.results(games, games.year > 0), 60, 2)
        self.assertLess(numpy.abs(strength).max(), 1e-6)

    def test_years_without_games_lie_between_those_with(self):
        found = ratings.Ratings(numpy.array([7, 7, 9]), numpy.array([2004, 2006, 2001]), numpy.array([1500, 1700, 2000]))
        players = numpy.array([7, 7, 7, 9, 5, 0])
        years = numpy.array([2005, 2004, 2010, 1990, 2000, 2000])
        self.assertEqual(found.of(players, years).tolist(), [1600, 1500, 1700, 2000, 0, 0])


if __name__ == "__main__":
    unittest.main()
