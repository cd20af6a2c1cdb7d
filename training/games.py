"""Games of self-play, replayed in bulk into positions with scores."""

import torch

import boards
from files import EXACT, PASS, RANDOM, UNITS

# The share of the score in which best play ended, where it followed, in the score of a searched position: searches
# err in the same way everywhere, ends of games differ by chance.
OUTCOME = 0.4


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
        exact = here & (how[:, ply] == EXACT)
        later_known = torch.where(here, exact | (later_known & ~random[:, ply]), later_known)
        later = torch.where(exact, score[:, ply], torch.where(here, -later, later))
        outcome[:, ply], known[:, ply] = later, later_known
    mixed = torch.where(known, score + OUTCOME * (outcome - score), score)
    found = []
    for ply in range(plies.shape[1]):
        placing = square[:, ply] < PASS
        usable = placing & (how[:, ply] > 0)
        empties = boards.count(~(own | opponent)).to(torch.uint8)
        scores = (mixed[:, ply] * UNITS).to(torch.int16)
        found.append([part[usable] for part in (own, opponent, scores, how[:, ply], empties)])
        placed = torch.ones_like(own) << square[:, ply].clamp(max=63)
        next_own, next_opponent = boards.played(own, opponent, placed)
        passing = square[:, ply] == PASS
        own, opponent = (
            torch.where(placing, next_own, torch.where(passing, opponent, own)),
            torch.where(placing, next_opponent, torch.where(passing, own, opponent)),
        )
    return [torch.cat(parts) for parts in zip(*found)]
