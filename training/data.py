"""Training data on the device: all positions of some files."""

import glob
import os

import numpy
import torch

import games
from files import EXACT, GAME_RESULT, HEADER, UNITS, read, read_games, together

END = 10  # empty squares: with fewer, programs search to the end and no evaluation is asked


def trust(how):
    """How much a score is trusted: 1 if exact; searched ones by depth; the result of a game little, and least what nobody
    knows how it was found. As in crates/learn/src/training/set.rs."""
    how = how.to(torch.float32)
    searched = (0.3 + 0.04 * how).clamp(max=0.9)
    rest = torch.where(how == GAME_RESULT, 0.15, torch.where(how == 0, 0.1, searched))
    return torch.where(how == EXACT, 1.0, rest)


class Store:
    """All positions of some files, on the device: `.emd`, or games of self-play, `.emg`, of which some are kept for
    tests. Files may still grow: `refresh` reads what is new. Without `results`, positions of which only the result of the
    game is known are left out; of the `END` last positions of games only the share `endings` is kept."""

    FIELDS = {
        "own": torch.int64,
        "opponent": torch.int64,
        "score": torch.int16,
        "how": torch.uint8,
        "empties": torch.uint8,
    }

    def __init__(self, patterns, device, say=print, part="train", most=200_000_000, results=True, endings=1.0):
        self.patterns, self.device, self.say, self.part, self.most = patterns, device, say, part, most
        self.results, self.endings = results, endings
        self.taken, self.read_to = {}, {}
        for name, kind in Store.FIELDS.items():
            setattr(self, name, torch.zeros(0, dtype=kind, device=device))
        self.refresh()

    def __len__(self):
        return self.own.shape[0]

    def refresh(self):
        """Reads what has been added to the files since the last time; files named by a pattern may be new. Returns how
        many positions are new. `taken` says how many positions, or games, of each file were read."""
        before = len(self)
        found, some_games = [], []
        for path in sorted({path for pattern in self.patterns for path in glob.glob(pattern)}):
            if path.endswith(".emg"):
                begin, number = self.read_to.get(path, (0, 0))
                if os.path.getsize(path) > max(begin, HEADER):
                    first, plies, begin, number = read_games(path, begin, number, self.part)
                    self.read_to[path] = (begin, number)
                    self.taken[path] = number
                    some_games.append((first, plies))
            else:
                found.append(self._positions(path))
        # Games are replayed many at a time: a file alone would keep no device busy.
        for first, plies in together(some_games):
            found.append(games.positions(first, plies, self.device))
        found = [self._wanted(columns) for columns in found if columns is not None]
        for at, name in enumerate(Store.FIELDS):
            joined = torch.cat([getattr(self, name), *[columns[at] for columns in found]])
            setattr(self, name, joined[: self.most])
        new = len(self) - before
        if new:
            self.say(f"{self.part}: {len(self):,} positions in {len(self.taken)} files, {new:,} of them new")
        return new

    def _wanted(self, columns):
        _, _, _, how, empties = columns
        wanted = (empties >= END) | (torch.rand(how.shape, device=how.device) < self.endings)
        if not self.results:
            wanted &= how != GAME_RESULT
        return [column[wanted] for column in columns]

    def _positions(self, path):
        done = self.read_to.get(path, 0)
        records = read(path, done, self.say)
        self.taken[path] = self.read_to[path] = done + len(records)
        # Boards whose sides overlap are no boards.
        records = records[(records["own"] & records["opponent"]) == 0]
        columns = [numpy.ascontiguousarray(records[name]) for name in Store.FIELDS]
        return [torch.from_numpy(column).to(self.device) for column in columns]

    def draw(self, size):
        """Indices of a random batch."""
        return torch.randint(len(self), (size,), device=self.device)

    def discs(self, at):
        """The scores of these positions in discs."""
        return self.score[at].to(torch.float32) / UNITS
