#!/usr/bin/env python3
"""Fits how strong the players of tournament games were, from the results alone.

    python3 training/ratings.py --wthor WTHOR --out ratings.tsv

Whole-history ratings (Coulom 2008): a player has one strength a year, a game is won with the chance 1 / (1 + 10^(-d/400))
at d points more, a draw is half of each, and from one year to the next a strength wanders by `--wander` points. In the
first year it is drawn towards the middle as by `--anchor` games drawn against a player of the middle. The strengths are
those that make all this likeliest, found by Newton's method on one player at a time, all players at once.

Games of years divisible by 5 are left out: they are the test. A player's strength in such a year is that between the years
around it; who has no other games is unknown.
"""

import argparse

import numpy

from wthor import Games, names

ELO = 400 / numpy.log(10)  # points per unit of the logistic function
# Where the scale stands: the mean over the seats of all games that are fitted. It puts the best years of world champions at
# about 2400 and the weakest who ever came to a tournament at about 1000.
MIDDLE = 1900


class Nodes:
    """One number for each player in each year he played in, in order of player and year."""

    def __init__(self, games, kept):
        player = numpy.concatenate([games.black[kept], games.white[kept]])
        year = numpy.concatenate([games.year[kept], games.year[kept]])
        keys, seat = numpy.unique(player * 10_000 + year, return_inverse=True)
        self.player, self.year = keys // 10_000, keys % 10_000
        half = len(seat) // 2
        self.black, self.white = seat[:half], seat[half:]
        # Where the years of each player begin and end.
        self.begin = numpy.flatnonzero(numpy.diff(self.player, prepend=-1))
        self.end = numpy.append(self.begin[1:], len(self.player))

    def __len__(self):
        return len(self.player)


def results(games, kept):
    """What black got of each game: 1, a half or 0."""
    return (numpy.sign(games.discs[kept] - 32) + 1) / 2


def fit(nodes, result, wander, anchor, rounds=300, near=1e-3):
    """The strength of each node, in units of the logistic function, and how uncertain it is (one deviation)."""
    strength = numpy.zeros(len(nodes))
    first = numpy.zeros(len(nodes), bool)
    first[nodes.begin] = True
    # What the years before and after say, as a spring between neighbours of one player.
    same = numpy.flatnonzero(~first)
    spring = numpy.zeros(len(nodes))
    spring[same] = 1 / ((nodes.year[same] - nodes.year[same - 1]) * (wander / ELO) ** 2)
    for _ in range(rounds):
        chance = 1 / (1 + numpy.exp(strength[nodes.white] - strength[nodes.black]))
        pull, stiffness = result - chance, chance * (1 - chance)
        slope = numpy.bincount(nodes.black, pull, len(nodes)) - numpy.bincount(nodes.white, pull, len(nodes))
        bend = numpy.bincount(nodes.black, stiffness, len(nodes)) + numpy.bincount(nodes.white, stiffness, len(nodes))
        even = 1 / (1 + numpy.exp(-strength))
        slope += numpy.where(first, anchor * (0.5 - even), 0)
        bend += numpy.where(first, anchor * even * (1 - even), 0)
        difference = strength[same] - strength[same - 1]
        slope[same] -= spring[same] * difference
        slope[same - 1] += spring[same] * difference
        bend += spring
        bend[same - 1] += spring[same]
        step, variance = solve(nodes, bend, spring, slope)
        # Opponents move at the same time: a whole step would overshoot.
        strength += 0.7 * numpy.clip(step, -1, 1)
        if numpy.abs(step).max() < near:
            break
    return strength, numpy.sqrt(variance)


def solve(nodes, bend, spring, slope):
    """Newton's step for each player: the tridiagonal systems of all players, eliminated forwards and back, and the
    diagonal of their inverses."""
    size = len(bend)
    step, variance = numpy.empty(size), numpy.empty(size)
    for begin, end in zip(nodes.begin, nodes.end):
        matrix = numpy.diag(bend[begin:end])
        for at in range(1, end - begin):
            matrix[at, at - 1] = matrix[at - 1, at] = -spring[begin + at]
        inverse = numpy.linalg.inv(matrix)
        step[begin:end] = inverse @ slope[begin:end]
        variance[begin:end] = numpy.diag(inverse)
    return step, variance


class Ratings:
    """Ratings by player and year, as the file has them; between and beyond the years of a player, the nearest ones."""

    def __init__(self, player, year, rating):
        self.years, self.ratings = {}, {}
        for who in numpy.unique(player):
            mine = player == who
            self.years[int(who)], self.ratings[int(who)] = year[mine], rating[mine]

    @staticmethod
    def read(path):
        """From the file that this script writes."""
        with open(path, encoding="utf-8") as file:
            rows = [line.split("\t")[:3] for line in file if line[0].isdigit()]
        player, year, rating = (numpy.array(column, numpy.int64) for column in zip(*rows))
        return Ratings(player, year, rating)

    def of(self, players, years):
        """The rating of each player in a year; 0 where nothing is known. The player 0 is nobody in particular."""
        found = numpy.zeros(len(players), numpy.int64)
        for at, (player, year) in enumerate(zip(players.tolist(), years.tolist())):
            if player != 0 and player in self.years:
                found[at] = round(float(numpy.interp(year, self.years[player], self.ratings[player])))
        return found


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wthor", required=True, help="folder of the database")
    parser.add_argument("--out", required=True, help="the ratings, one line for each player and year")
    parser.add_argument("--wander", type=float, default=60, help="points that a strength changes by in a year")
    parser.add_argument("--anchor", type=float, default=2, help="drawn games against a player of the middle")
    return parser.parse_args()


def main():
    options = arguments()
    games = Games(options.wthor)
    # Player 0 is everybody whose name was not written down.
    kept = ~games.for_test() & (games.black != 0) & (games.white != 0) & (games.black != games.white)
    nodes, result = Nodes(games, kept), results(games, kept)
    strength, deviation = fit(nodes, result, options.wander, options.anchor)
    seats = numpy.bincount(nodes.black, minlength=len(nodes)) + numpy.bincount(nodes.white, minlength=len(nodes))
    rating = MIDDLE + ELO * (strength - numpy.average(strength, weights=seats))
    chance = 1 / (1 + numpy.exp(strength[nodes.white] - strength[nodes.black]))
    likelihood = numpy.log(numpy.where(result == 1, chance, numpy.where(result == 0, 1 - chance,
                                                                        numpy.sqrt(chance * (1 - chance)))))
    print(f"{int(kept.sum()):,} games of {len(nodes.begin):,} players, {len(nodes):,} ratings; "
          f"log likelihood a game {likelihood.mean():.4f}")
    who = names(options.wthor)
    with open(options.out, "w", encoding="utf-8") as file:
        file.write("player\tyear\trating\tdeviation\tgames\tname\n")
        for at in range(len(nodes)):
            name = who[nodes.player[at]] if nodes.player[at] < len(who) else "?"
            file.write(f"{nodes.player[at]}\t{nodes.year[at]}\t{rating[at]:.0f}\t{ELO * deviation[at]:.0f}\t"
                       f"{seats[at]}\t{name}\n")


if __name__ == "__main__":
    main()
