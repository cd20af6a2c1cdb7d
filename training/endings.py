#!/usr/bin/env python3
"""Boards near the end, as a search meets them, to be solved.

    python3 training/endings.py --data 'data/*.emd' --count 20000000 --out endings
    for file in endings/*.emd; do emilia data $file --solve 16 --out solved/${file##*/}; done

Positions of the data are played on with up to `--plies` random moves, and of those with few empty squares as many are
taken of each number of them as `SHARES` says: solving takes ten times as long with four more. The files are small, so that
they can be solved one after the other while a teacher learns from what is there; student.py takes them as `--solved`.
"""

import argparse
import os

import numpy
import torch

import boards
import data
import files
from clock import say
from label import beside

# How many boards of each number of empty squares, beside each other.
SHARES = {5: 0.5, **{empties: 1.0 for empties in range(6, 15)}, 15: 0.5, 16: 0.25}


def drawn(store, count, plies):
    """Different boards near the end, about so many, in random order."""
    near = torch.nonzero((store.empties >= min(SHARES)) & (store.empties <= max(SHARES) + plies)).squeeze(1)
    if len(near) == 0:
        raise SystemExit("the data has no position near the end")
    at = near[torch.randint(len(near), (4 * count,), device=near.device)]
    own, opponent, _, usable = beside(store, at, plies)
    found = torch.stack([own, opponent], dim=1)[usable].unique(dim=0)
    found = found[torch.randperm(len(found), device=found.device)]
    empties = boards.count(~(found[:, 0] | found[:, 1]))
    parts = []
    for number, share in SHARES.items():
        of_these = torch.nonzero(empties == number).squeeze(1)
        parts.append(of_these[: int(count * share / sum(SHARES.values()))])
    taken = torch.cat(parts)
    taken = taken[torch.randperm(len(taken), device=taken.device)]
    return found[taken], empties[taken]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", nargs="+", required=True, help="files of positions, or patterns in quotes")
    parser.add_argument("--out", required=True, help="the folder for the files")
    parser.add_argument("--count", type=int, default=20_000_000, help="boards in all, about")
    parser.add_argument("--file", type=int, default=200_000, help="boards in a file, about")
    parser.add_argument("--plies", type=int, default=6, help="the most random plies")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    store = data.Store(options.data, options.device, say)
    os.makedirs(options.out, exist_ok=True)
    for number in range(-(-options.count // options.file)):
        found, empties = drawn(store, options.file, options.plies)
        records = numpy.zeros(len(found), files.RECORD)
        records["own"], records["opponent"] = found[:, 0].cpu(), found[:, 1].cpu()
        records["empties"] = empties.cpu()
        files.write(os.path.join(options.out, f"{number:04}.emd"), records)
    say(f"{number + 1} files of about {len(found):,} boards")


if __name__ == "__main__":
    main()
