"""The files of training data, read and written with numpy alone: positions (`.emd`) and games of self-play (`.emg`).

A file of positions has a header of 16 bytes (`EMILIAD1`, version, bytes of a record) and records of 24 bytes: own discs,
the opponent's, the score for the side to move in 128ths of a disc, how it was obtained, empty squares, number of the game.

A file of games has a header of 16 bytes and then games: the first board (own discs, the opponent's), the number of
plies, three bytes a ply (square or 64 for a pass; score in discs; how it was found, plus 128 if the move was not meant
to be the best), and a checksum. docs/training.md has the details.
"""

import os

import numpy

POSITIONS = b"EMILIAD1"
HEADER = 16
RECORD = numpy.dtype(
    [
        ("own", "<i8"),
        ("opponent", "<i8"),
        ("score", "<i2"),
        ("how", "u1"),
        ("empties", "u1"),
        ("game", "<u4"),
    ]
)
UNITS = 128  # of a disc

EXACT = 100
GAME_RESULT = 150

GAMES = b"EMILIAG1"
HEAD, PLY, SUM = 17, 3, 2
RANDOM = 128
PASS = 64


class BadData(Exception):
    """A file is no training data; the message names it."""


def read(path, skip=0):
    """The whole records of a file after the first `skip`. A record that is still being written is left for later."""
    size = os.path.getsize(path)
    if size < HEADER:
        return numpy.zeros(0, RECORD)
    with open(path, "rb") as file:
        header = file.read(HEADER)
    version, record = numpy.frombuffer(header[8:], "<u4")
    if header[:8] != POSITIONS or version != 1 or record != RECORD.itemsize:
        raise BadData(f"{path}: this is no file of training data, version 1")
    whole = (size - HEADER) // RECORD.itemsize
    if whole <= skip:
        return numpy.zeros(0, RECORD)
    return numpy.fromfile(path, RECORD, count=whole - skip, offset=HEADER + skip * RECORD.itemsize)


def write(path, records):
    """Writes a file of these records, whole or not at all."""
    with open(path + ".unfinished", "wb") as file:
        file.write(POSITIONS + numpy.array([1, RECORD.itemsize], "<u4").tobytes())
        records.astype(RECORD).tofile(file)
    os.replace(path + ".unfinished", path)


def read_games(path, begin, numbers, part):
    """Games from byte `begin` on, those before being `numbers` many: bytes of the plies, one row a game, padded with
    255; the first boards; how many bytes and games were read. Of every 64 games one is for testing."""
    with open(path, "rb") as file:
        if begin == 0:
            if file.read(8) != GAMES:
                raise BadData(f"{path}: this is no file of self-play games")
            begin = HEADER
        file.seek(begin)
        content = file.read()
    starts, lengths = [], []
    at, number = 0, numbers
    while at + HEAD <= len(content):
        length = content[at + HEAD - 1]
        end = at + HEAD + PLY * length + SUM
        if end > len(content):
            break
        if part == "all" or (number % 64 == 0) == (part == "test"):
            starts.append(at)
            lengths.append(length)
        at, number = end, number + 1
    longest = max(lengths, default=0)
    whole = numpy.frombuffer(content, numpy.uint8)
    plies = numpy.full((len(starts), longest, PLY), 255, numpy.uint8)
    first = numpy.zeros((len(starts), 16), numpy.uint8)
    for row, (start, length) in enumerate(zip(starts, lengths)):
        first[row] = whole[start : start + 16]
        plies[row, :length] = whole[start + HEAD : start + HEAD + PLY * length].reshape(length, PLY)
    return first.view("<i8"), plies, begin + at, number


def together(some, most=50_000):
    """Joins the games of several files to batches of at least so many games, but the last."""
    waiting = []
    for at, (first, plies) in enumerate(some):
        waiting.append((first, plies))
        if sum(len(first) for first, _ in waiting) < most and at + 1 < len(some):
            continue
        longest = max(plies.shape[1] for _, plies in waiting)
        padded = [
            numpy.pad(plies, ((0, 0), (0, longest - plies.shape[1]), (0, 0)), constant_values=255)
            for _, plies in waiting
        ]
        yield numpy.concatenate([first for first, _ in waiting]), numpy.concatenate(padded)
        waiting = []
