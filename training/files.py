"""The files of training data, read and written with numpy alone: positions (`.emd`) and games of self-play (`.emg`).

A file of positions has a header of 16 bytes (`EMILIAD1`, version, bytes of a record) and blocks: the number of their
records, a CRC-32 of that number and the records, and the records of 24 bytes: own discs, the opponent's, the score for
the side to move in 128ths of a disc, how it was obtained, empty squares, number of the game. Files of version 1 have no
blocks, only records, and damage to them goes unnoticed.

A file of games has a header of 16 bytes and then games: the first board (own discs, the opponent's), the number of
plies, three bytes a ply (square or 64 for a pass; score in discs; how it was found, plus 128 if the move was not meant
to be the best), and a checksum. docs/training.md has the details.
"""

import os
import struct
import zlib

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
VERSION, UNPROTECTED = 2, 1
BLOCK = 4096  # records at most
UNITS = 128  # of a disc

EXACT = 100
GAME_RESULT = 150

GAMES = b"EMILIAG1"
HEAD, PLY, SUM = 17, 3, 2
RANDOM = 128
PASS = 64


class BadData(Exception):
    """A file is no training data; the message names it."""


def read(path, skip=0, say=print):
    """The whole records of a file after the first `skip`, which were read before. What is still being written is left
    for later; what is damaged is refused. Of an old file, which has no checksums, that is said."""
    size = os.path.getsize(path)
    if size < HEADER:
        return numpy.zeros(0, RECORD)
    with open(path, "rb") as file:
        header = file.read(HEADER)
        version, record = struct.unpack("<II", header[8:])
        if header[:8] != POSITIONS or version not in (VERSION, UNPROTECTED) or record != RECORD.itemsize:
            raise BadData(f"{path}: this is no file of training data, version 1 or 2")
        if version == VERSION:
            return _blocks(path, file, size, skip)
    whole = (size - HEADER) // RECORD.itemsize
    if skip == 0:
        say(f"{path}: an old file without checksums, damage may go unnoticed")
    if whole <= skip:
        return numpy.zeros(0, RECORD)
    return numpy.fromfile(path, RECORD, count=whole - skip, offset=HEADER + skip * RECORD.itemsize)


def _blocks(path, file, size, skip):
    """The records of the whole blocks after the first `skip` records, their checksums compared."""
    found, at, passed = [], HEADER, 0
    while at + 8 <= size:
        file.seek(at)
        head = file.read(8)
        count, checksum = struct.unpack("<II", head)
        if not 1 <= count <= BLOCK:
            raise BadData(f"{path}: the block after {passed} positions is damaged")
        at += 8 + count * RECORD.itemsize
        if at > size:
            break
        if passed >= skip:
            records = file.read(count * RECORD.itemsize)
            if zlib.crc32(records, zlib.crc32(head[:4])) != checksum:
                raise BadData(f"{path}: the block after {passed} positions is damaged: its checksum is wrong")
            found.append(numpy.frombuffer(records, RECORD))
        passed += count
    return numpy.concatenate(found) if found else numpy.zeros(0, RECORD)


def write(path, records):
    """Writes a file of these records, whole or not at all."""
    records = records.astype(RECORD)
    with open(path + ".unfinished", "wb") as file:
        file.write(POSITIONS + struct.pack("<II", VERSION, RECORD.itemsize))
        for begin in range(0, len(records), BLOCK):
            block = records[begin : begin + BLOCK]
            count, content = struct.pack("<I", len(block)), block.tobytes()
            file.write(count + struct.pack("<I", zlib.crc32(content, zlib.crc32(count))) + content)
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
