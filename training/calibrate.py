#!/usr/bin/env python3
"""Makes all scores of a network larger or smaller by one factor, and lets stages of the game agree, without training it.

    python3 training/calibrate.py network.bin --by 1.04 --ends 'leaves/ends-*.emd' --vectors network.vectors --out new

A student of a cautious teacher is cautious itself: `emilia evaltest --wthor WTHOR --other-years` tells as the slope by what its
scores have to be multiplied to come nearest to the truth. And where best lines end, it says too much for the side to move, by
another constant every four empty squares, for each of which it has another layer: a search compares scores of several stages.
`--ends` takes that away; crates/learn/examples/leaves.rs makes such files. Written are `OUT.bin` and, for the boards of `--vectors`, the scores
that the program must give them, `OUT.vectors`.
"""

import argparse

import torch

import data
import files
from clock import say
from shapes import Shapes
from small import BUCKET_ENDS, STACKS, UNIT, Small
from student import vectors

HALF = UNIT // 2  # the constant of the last layer holds the half that rounds the shift after it
DECIDED = 50  # boards worth so many discs say nothing about those near a window
ENOUGH = 1000  # boards that a stage must have


def multiplied(whole, factor):
    """The integers of a network whose scores are so many times those of this one: its last layer is multiplied."""
    *before, out, out_bias, plain = whole
    out, out_bias, plain = ((part * factor).round().to(torch.int32) for part in (out, out_bias - HALF, plain))
    return [*before, out, out_bias + HALF, plain]


def excess(scores, truth, stack):
    """How many discs too much is said at each stage, whatever factor would suit it; a stage of too few boards takes over from the
    next one if that is earlier in the game, and says nothing too much at the beginning."""
    found = torch.zeros(STACKS)
    for at in reversed(range(STACKS)):
        mine = (stack == at) & (truth.abs() < DECIDED)
        if int(mine.sum()) >= ENOUGH:
            said = torch.stack([scores[mine], torch.ones(int(mine.sum()))], dim=1)
            found[at] = -torch.linalg.lstsq(said, truth[mine, None]).solution[1, 0]
        elif at + 1 < STACKS:
            found[at] = found[at + 1]
    return found


def lowered(whole, discs):
    """The integers of a network that says so many discs less at each stage."""
    *before, out_bias, plain = whole
    return [*before, out_bias - (discs * files.UNITS * UNIT).round().to(torch.int32).reshape(out_bias.shape), plain]


def boards_of(path):
    """Own discs and the opponent's of each line of a file of vectors."""
    with open(path, encoding="ascii") as file:
        lines = [[int(word, 16) for word in line.split()[:2]] for line in file]
    return torch.tensor([[discs - (discs >> 63 << 64) for discs in line] for line in lines]).T


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", help="the file of weights")
    parser.add_argument("--by", type=float, required=True, metavar="FACTOR", help="what all scores are multiplied by")
    parser.add_argument("--ends", nargs="+", default=[], help="files of boards at which best lines end, with their scores")
    parser.add_argument("--vectors", required=True, help="boards with scores, of which the boards are taken")
    parser.add_argument("--out", required=True, help="how the names of what is written begin")
    options = parser.parse_args()
    if not 0.5 <= options.by <= 2:
        raise SystemExit(f"--by {options.by}: from 0.5 to 2")
    small = Small(Shapes(), BUCKET_ENDS)
    whole = multiplied(small.read(options.network), options.by)
    if options.ends:
        ends = data.Store(options.ends, "cpu", say)
        scores = small.whole_scores(whole, ends.own, ends.opponent)
        stack = small._active(ends.own, ends.opponent)[1]
        discs = excess(scores, ends.discs(slice(None)), stack)
        say("discs too much every four empty squares: " + " ".join(f"{some:.2f}" for some in discs.tolist()))
        whole = lowered(whole, discs)
    own, opponent = boards_of(options.vectors)
    size = small.write(f"{options.out}.bin", whole)
    vectors(small, whole, own, opponent, f"{options.out}.vectors")
    print(f"{options.out}.bin: {size:,} bytes; {options.out}.vectors: {len(own)} boards")


if __name__ == "__main__":
    main()
