"""Games of self-play (`.emg`), replayed in bulk into positions with scores.

A file has a header of 16 bytes and then games: the first board (own discs, the opponent's), the number of plies, three
bytes a ply (square or 64 for a pass; score in discs; how it was found, plus 128 if the move was not meant to be the
best), and a checksum. docs/training.md has the details.
"""

import numpy
import torch

import boards
import data

MAGIC = b"EMILIAG1"
HEAD, PLY, SUM = 17, 3, 2
RANDOM = 128
PASS = 64

# The share of the score in which best play ended, where it followed, in the score of a searched position: searches
# err in the same way everywhere, ends of games differ by chance.
OUTCOME = 0.4


def read(path, begin, numbers, part):
    """Games from byte `begin` on, those before being `numbers` many: bytes of the plies, one row a game, padded with
    255; the first boards; how many bytes and games were read. Of every 64 games one is for testing."""
    with open(path, "rb") as file:
        if begin == 0:
            if file.read(8) != MAGIC:
                raise data.BadData(f"{path}: this is no file of self-play games")
            begin = 16
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


def positions(first, plies, device):
    """All positions of the games on which a disc was placed and whose score is known: own discs, the opponent's,
    scores in 128ths of a disc, how they were found, empty squares."""
    if plies.size == 0:
        return None
    own = torch.from_numpy(first[:, 0].copy()).to(device)
    opponent = torch.from_numpy(first[:, 1].copy()).to(device)
    plies = torch.from_numpy(plies).to(device)
    square = plies[:, :, 0].long()
    score = plies[:, :, 1].to(torch.int8).float()
    how = plies[:, :, 2] & (RANDOM - 1)
    random = plies[:, :, 2] >= RANDOM
    played = square <= PASS
    # From the last ply back: the exact score that good play led to, for the side to move at each ply.
    outcome = torch.zeros_like(score)
    known = torch.zeros_like(random)
    later, later_known = torch.zeros_like(score[:, 0]), torch.zeros_like(random[:, 0])
    for ply in reversed(range(plies.shape[1])):
        here = played[:, ply]
        exact = here & (how[:, ply] == data.EXACT)
        later_known = torch.where(here, exact | (later_known & ~random[:, ply]), later_known)
        later = torch.where(exact, score[:, ply], torch.where(here, -later, later))
        outcome[:, ply], known[:, ply] = later, later_known
    mixed = torch.where(known, score + OUTCOME * (outcome - score), score)
    found = []
    for ply in range(plies.shape[1]):
        placing = square[:, ply] < PASS
        usable = placing & (how[:, ply] > 0)
        empties = boards.count(~(own | opponent)).to(torch.uint8)
        scores = (mixed[:, ply] * data.UNITS).to(torch.int16)
        found.append([part[usable] for part in (own, opponent, scores, how[:, ply], empties)])
        placed = torch.ones_like(own) << square[:, ply].clamp(max=63)
        next_own, next_opponent = boards.played(own, opponent, placed)
        passing = square[:, ply] == PASS
        own, opponent = (
            torch.where(placing, next_own, torch.where(passing, opponent, own)),
            torch.where(placing, next_opponent, torch.where(passing, own, opponent)),
        )
    return [torch.cat(parts) for parts in zip(*found)]
