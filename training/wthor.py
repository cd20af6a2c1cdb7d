"""Tournament games as the French federation's WTHOR database keeps them, one file a year: `WTH_2001.wtb`.

A header of 16 bytes (the number of games at byte 4, the year at byte 10), then 68 bytes a game: tournament, black and
white player as 16-bit numbers, black's discs at the end, black's discs after best play from 24 empty squares, and 60
moves of one byte each, ten times the row plus the column, 0 when there are no more. Passes are not written.
"""

import glob
import os
import struct

import numpy

HEADER = 16
GAME = numpy.dtype([("tournament", "<u2"), ("black", "<u2"), ("white", "<u2"), ("discs", "u1"), ("best", "u1"),
                    ("moves", "u1", 60)])
NO_MOVE = 255
# Games of these years are the test: nothing is ever fitted to them.
TEST = 5


def read_year(path):
    """The games of one file, and their year."""
    with open(path, "rb") as file:
        content = file.read()
    if len(content) < HEADER:
        raise ValueError(f"{path}: {len(content)} bytes are no WTHOR file")
    (count,), (year,) = struct.unpack_from("<I", content, 4), struct.unpack_from("<H", content, 10)
    if len(content) != HEADER + count * GAME.itemsize:
        raise ValueError(f"{path}: {count} games do not take {len(content)} bytes")
    return numpy.frombuffer(content, GAME, count, HEADER), year


def squares(moves):
    """Moves as numbers of squares, a1 = 0, h8 = 63; where there is none, NO_MOVE."""
    row, column = moves // 10, moves % 10
    return numpy.where(moves == 0, NO_MOVE, 8 * (row - 1) + column - 1).astype(numpy.uint8)


class Games:
    """All games of a folder: `year`, `black`, `white` (numbers of players), `discs` of black at the end, `squares`."""

    def __init__(self, folder):
        paths = sorted(glob.glob(os.path.join(folder, "*.wtb")))
        if not paths:
            raise ValueError(f"{folder}: no .wtb files")
        years = [read_year(path) for path in paths]
        games = numpy.concatenate([games for games, _ in years])
        self.year = numpy.concatenate([numpy.full(len(games), year, numpy.int64) for games, year in years])
        self.black, self.white = games["black"].astype(numpy.int64), games["white"].astype(numpy.int64)
        self.discs = games["discs"].astype(numpy.int64)
        self.squares = squares(games["moves"])

    def __len__(self):
        return len(self.year)

    def for_test(self):
        """Which games are the test."""
        return self.year % TEST == 0


def names(folder):
    """Who the players are, by number."""
    found = [path for path in glob.glob(os.path.join(folder, "*")) if path.upper().endswith(".JOU")]
    if not found:
        raise ValueError(f"{folder}: no file of players, WTH.JOU")
    with open(found[0], "rb") as file:
        content = file.read()[HEADER:]
    return [content[at : at + 20].split(b"\0")[0].decode("latin-1") for at in range(0, len(content) - 19, 20)]
