"""Othello boards in bulk: own discs and the opponent's as int64 tensors, one bit per square, a1 = bit 0, h8 = bit 63.

Everything here works on whole batches and on any device. PyTorch has no unsigned shifts, so each shift to the right
is masked; the masks also stop discs from wrapping around the edge of the board.
"""

import torch

ALL = -1  # every square


def signed(mask):
    """The int64 with the same bits as this unsigned number."""
    return mask - (1 << 64) if mask >= 1 << 63 else mask


NOT_A = signed(0xFEFEFEFEFEFEFEFE)
NOT_H = signed(0x7F7F7F7F7F7F7F7F)

# The eight directions: how far a bit moves, and which squares can be reached.
DIRECTIONS = [
    (1, NOT_A),
    (-1, NOT_H),
    (8, ALL),
    (-8, signed(0x00FFFFFFFFFFFFFF)),
    (9, NOT_A),
    (-9, signed(0x007F7F7F7F7F7F7F)),
    (7, NOT_H),
    (-7, signed(0x00FEFEFEFEFEFEFE)),
]


def moved(discs, direction):
    """All discs one step further; those at the edge are gone."""
    step, reach = direction
    return ((discs << step) if step > 0 else (discs >> -step)) & reach


def moves(own, opponent):
    """Where the side to move may place a disc."""
    empty = ~(own | opponent)
    found = torch.zeros_like(own)
    for direction in DIRECTIONS:
        line = moved(own, direction) & opponent
        for _ in range(5):
            line = line | (moved(line, direction) & opponent)
        found = found | (moved(line, direction) & empty)
    return found


def flips(own, opponent, placed):
    """What a disc on the one square in `placed` turns."""
    turned = torch.zeros_like(own)
    for direction in DIRECTIONS:
        line = moved(placed, direction) & opponent
        for _ in range(5):
            line = line | (moved(line, direction) & opponent)
        closed = (moved(line, direction) & own) != 0
        turned = turned | torch.where(closed, line, torch.zeros_like(line))
    return turned


def played(own, opponent, placed):
    """The board after the move, seen by the other side: its own discs, and the opponent's."""
    turned = flips(own, opponent, placed)
    return opponent & ~turned, own | turned | placed


def squares(discs):
    """One byte a square, 0 or 1: batch × 64."""
    shifts = torch.arange(64, device=discs.device, dtype=torch.int64)
    return ((discs[:, None] >> shifts) & 1).to(torch.uint8)


def count(discs):
    """How many discs."""
    discs = discs - ((discs >> 1) & 0x5555555555555555)
    discs = (discs & 0x3333333333333333) + ((discs >> 2) & 0x3333333333333333)
    discs = (discs + (discs >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((discs * 0x0101010101010101) >> 56) & 0x7F


def random_ply(own, opponent):
    """One random legal move on each board; a side that cannot move passes. Returns the boards after it, seen by the
    side that is then to move, and whether anybody could move at all."""
    able = moves(own, opponent)
    passing = able == 0
    own, opponent = torch.where(passing, opponent, own), torch.where(passing, own, opponent)
    able = torch.where(passing, moves(own, opponent), able)
    alive = able != 0
    lots = torch.rand((own.shape[0], 64), device=own.device) * squares(able)
    placed = torch.bitwise_left_shift(torch.ones_like(own), lots.argmax(dim=1))
    after_own, after_opponent = played(own, opponent, placed)
    return torch.where(alive, after_own, own), torch.where(alive, after_opponent, opponent), alive


def _exchange(discs, mask, distance):
    """Exchanges the squares in `mask` with those `distance` bits above."""
    difference = ((discs >> distance) ^ discs) & mask
    return discs ^ difference ^ (difference << distance)


def mirrored_columns(discs):
    """Left and right exchanged."""
    for mask, distance in [(0x5555555555555555, 1), (0x3333333333333333, 2), (0x0F0F0F0F0F0F0F0F, 4)]:
        discs = _exchange(discs, mask, distance)
    return discs


def mirrored_rows(discs):
    """Top and bottom exchanged."""
    for mask, distance in [(0x00FF00FF00FF00FF, 8), (0x0000FFFF0000FFFF, 16), (0x00000000FFFFFFFF, 32)]:
        discs = _exchange(discs, mask, distance)
    return discs


def transposed(discs):
    """Columns become rows."""
    for mask, distance in [(0x00AA00AA00AA00AA, 7), (0x0000CCCC0000CCCC, 14), (0x00000000F0F0F0F0, 28)]:
        discs = _exchange(discs, mask, distance)
    return discs


def randomly_turned(own, opponent):
    """Each board in one of its eight symmetric forms, chosen at random."""
    for symmetry in (transposed, mirrored_columns, mirrored_rows):
        chosen = torch.rand(own.shape[0], device=own.device) < 0.5
        own = torch.where(chosen, symmetry(own), own)
        opponent = torch.where(chosen, symmetry(opponent), opponent)
    return own, opponent


# The most empty squares of each phase but the last, as in crates/eval/src/layout.rs.
PHASE_ENDS = [5, 8, 11, 14, 17, 20, 23, 27, 31, 36, 41, 47, 53]
PHASES = len(PHASE_ENDS) + 1


def phase_of(empties):
    """The phase of boards with so many empty squares; phase 0 is the end of the game."""
    ends = torch.tensor(PHASE_ENDS, device=empties.device, dtype=torch.int64)
    return torch.bucketize(empties.to(torch.int64), ends)
