"""Counts the positions of Othello that differ by more than a symmetry, ply by ply: ``python count_positions.py --plies 10``.

Every board of a ply is played on by every move, turned into the one that stands for all eight symmetries, and counted once. The
side to move is always the first of the two words, so that boards with the colours changed are the same position. A ply is a disc
that is placed: passes are made when they are due, but the position before one and the position after it are two. The parts that ``batch`` does run at tens of millions of boards a second; most of the time goes into sorting.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
from emilia import batch

CHUNK = 1 << 20
"""How many boards are played on at a time."""

BUCKETS = 64
"""Into how many parts the boards of a ply are divided, so that only one of them must be sorted at a time."""


def distinct(boards: batch.Words) -> batch.Words:
    """Each board once, in order."""
    ordered = boards[np.lexsort((boards[:, 1], boards[:, 0]))]
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return ordered[new]


def children(boards: batch.Words, size: int) -> batch.Words:
    """What can come of these boards by one disc, up to symmetry."""
    moves = batch.legal_moves(boards, size)
    passing = (moves == 0) & ~batch.is_over(boards, size)
    boards = np.where(passing[:, np.newaxis], boards[:, ::-1], boards)
    moves[passing] = batch.legal_moves(boards[passing], size)
    found = []
    for row in range(size):
        for column in range(size):
            square = 8 * row + column
            able = boards[(moves >> np.uint64(square)) & np.uint64(1) == 1]
            found.append(batch.play(able, np.full(len(able), square, dtype=np.uint8), size))
    return distinct(batch.canonical(np.concatenate(found), size))


def bucket(boards: batch.Words) -> np.ndarray:
    """The part that a board belongs to."""
    mixed = (boards[:, 0] ^ (boards[:, 1] * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xD6E8FEB86659FD93)
    return (mixed >> np.uint64(58)).astype(np.uint8)


def next_ply(boards: batch.Words, size: int) -> Iterator[batch.Words]:
    """The boards one ply later, in parts that have none in common."""
    parts: list[list[batch.Words]] = [[] for _ in range(BUCKETS)]
    for begin in range(0, len(boards), CHUNK):
        found = children(boards[begin : begin + CHUNK], size)
        buckets = bucket(found)
        order = np.argsort(buckets, kind="stable")
        ends = np.cumsum(np.bincount(buckets, minlength=BUCKETS))
        for part, some in zip(parts, np.split(found[order], ends[:-1])):
            part.append(some)
    for part in parts:
        if part:
            yield distinct(np.concatenate(part))
        part.clear()


def counts(plies: int, size: int = 8) -> Iterator[int]:
    """How many positions there are after 0, 1, 2 … plies."""
    boards = batch.canonical(batch.start(1, size), size)
    yield len(boards)
    for ply in range(1, plies + 1):
        if ply == plies:
            # The last ply is only counted; so only one of its parts is in memory at a time.
            yield sum(len(part) for part in next_ply(boards, size))
        else:
            boards = np.concatenate(list(next_ply(boards, size)))
            yield len(boards)


def main() -> None:
    parser = argparse.ArgumentParser(description="Count the positions of Othello ply by ply, up to symmetry.")
    parser.add_argument("--plies", type=int, default=9, help="how far to go; 8×8 takes 1 GB at ply 11 and 5 GB at ply 12")
    parser.add_argument("--size", type=int, choices=(4, 6, 8), default=8, help="side of the board")
    arguments = parser.parse_args()
    for ply, count in enumerate(counts(arguments.plies, arguments.size)):
        print(f"{ply:3} {count:>15,}", flush=True)


if __name__ == "__main__":
    main()
