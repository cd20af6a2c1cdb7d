#!/usr/bin/env python3
"""Lets the teacher score many positions: those of the data and boards a few random moves beside them, which is what a
search looks at.

    python3 training/label.py --teacher teacher.pt --data 'data/*.emd' --count 10000000 --out labelled.emd

student.py does the same in memory; this writes a file for `emilia train`.
"""

import argparse
import time

import numpy
import torch

import boards
import data
import files
import network
from clock import save, say

TEACHER = 60  # how a score was obtained, as `.emd` files say it: taken for a very deep search


class Labelled:
    """Positions with scores in 128ths of a disc, on the device. Those with fewer than so many empty squares are not taken."""

    def __init__(self, most, device, fewest=0):
        self.own = torch.zeros(most, dtype=torch.int64, device=device)
        self.opponent = torch.zeros(most, dtype=torch.int64, device=device)
        self.score = torch.zeros(most, dtype=torch.int16, device=device)
        self.size, self.fewest = 0, fewest

    def __len__(self):
        return self.size

    def add(self, own, opponent, discs):
        """Adds as many as there is room for."""
        if self.fewest:
            taken = boards.count(~(own | opponent)) >= self.fewest
            own, opponent, discs = own[taken], opponent[taken], discs[taken]
        fits = min(own.shape[0], self.own.shape[0] - self.size)
        there = slice(self.size, self.size + fits)
        self.own[there], self.opponent[there] = own[:fits], opponent[:fits]
        self.score[there] = (discs[:fits] * files.UNITS).round().to(torch.int16)
        self.size += fits

    def shuffle(self):
        """Puts them into a random order."""
        order = torch.randperm(self.size, device=self.own.device)
        self.own, self.opponent, self.score = self.own[order], self.opponent[order], self.score[order]

    def keep(self, path):
        """Writes them to a file from which another run can take them, whole or not at all."""
        save({name: getattr(self, name)[: self.size] for name in ("own", "opponent", "score")}, path)

    def take(self, path):
        """Adds what another run has kept."""
        kept = torch.load(path, map_location=self.own.device, weights_only=True)
        self.add(kept["own"], kept["opponent"], kept["score"].to(torch.float32) / files.UNITS)

    def write(self, path):
        """Writes a file of them."""
        whole = slice(0, self.size)
        records = numpy.zeros(self.size, files.RECORD)
        records["own"], records["opponent"] = self.own[whole].cpu(), self.opponent[whole].cpu()
        records["score"], records["how"] = self.score[whole].cpu(), TEACHER
        records["empties"] = boards.count(~(self.own[whole] | self.opponent[whole])).cpu()
        records["game"] = numpy.arange(self.size)
        files.write(path, records)

    def is_full(self):
        """Whether there is no room left."""
        return self.size == self.own.shape[0]


def beside(store, at, most_plies):
    """Boards of the store after 0 to `most_plies` random plies, seen by a side that can move. Also how many plies were
    played, and which boards are usable: games may end on the way."""
    own, opponent = store.own[at], store.opponent[at]
    # Few plies are likelier: the lines of good play are what a search returns to.
    plies = (torch.rand(at.shape[0], device=own.device) ** 1.5 * (most_plies + 1)).to(torch.int64)
    usable = torch.ones_like(plies, dtype=torch.bool)
    for ply in range(most_plies):
        going = plies > ply
        next_own, next_opponent, alive = boards.random_ply(own, opponent)
        own, opponent = torch.where(going, next_own, own), torch.where(going, next_opponent, opponent)
        usable &= alive | ~going
    passing = boards.moves(own, opponent) == 0
    own, opponent = torch.where(passing, opponent, own), torch.where(passing, own, opponent)
    usable &= boards.moves(own, opponent) != 0
    return own, opponent, plies + passing, usable


@torch.no_grad()
def label(teacher, store, labelled, minutes, most_plies=5, faith=0.5, batch=262_144):
    """Fills `labelled` until it is full or the time is up. Where the data knows an exact score, the result lies between
    it and the teacher's: the share `faith` of the truth."""
    begun = told = time.monotonic()
    while not labelled.is_full() and time.monotonic() - begun < minutes * 60:
        at = store.draw(batch)
        own, opponent, plies, usable = beside(store, at, most_plies)
        at, own, opponent, plies = at[usable], own[usable], opponent[usable], plies[usable]
        discs = teacher(own, opponent)
        share = faith * data.trust(store.how[at]) * (plies == 0)
        labelled.add(own, opponent, discs + share * (store.discs(at) - discs))
        if time.monotonic() - told > 20:
            told = time.monotonic()
            say(f"labelled {len(labelled):,} positions, {len(labelled) / (told - begun):,.0f}/s")
    say(f"labelled {len(labelled):,} positions in {time.monotonic() - begun:.0f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--teacher", required=True, help="the teacher's checkpoint")
    parser.add_argument("--data", nargs="+", required=True, help="files of positions, or patterns in quotes")
    parser.add_argument("--count", type=int, default=10_000_000)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--plies", type=int, default=5, help="the most random plies")
    parser.add_argument("--out", required=True, help="the file to write")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    store = data.Store(options.data, options.device, say)
    labelled = Labelled(options.count, options.device)
    teacher = network.Asked(options.teacher, options.device)
    label(teacher, store, labelled, options.minutes, options.plies, batch=min(options.count, 262_144))
    labelled.write(options.out)


if __name__ == "__main__":
    main()
