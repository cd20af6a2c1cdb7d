#!/usr/bin/env python3
"""Makes all scores of a network larger or smaller by one factor, without training it.

    python3 training/calibrate.py network.bin --by 1.04 --vectors network.vectors --out new

A student of a cautious teacher is cautious itself: `emilia evaltest --wthor WTHOR --other-years` tells as the slope by what its
scores have to be multiplied to come nearest to the truth. Written are `OUT.bin` and, for the boards of `--vectors`, the scores
that the program must give them, `OUT.vectors`.
"""

import argparse

import torch

from shapes import Shapes
from small import BUCKET_ENDS, UNIT, Small
from student import vectors

HALF = UNIT // 2  # the constant of the last layer holds the half that rounds the shift after it


def multiplied(whole, factor):
    """The integers of a network whose scores are so many times those of this one: its last layer is multiplied."""
    *before, out, out_bias, plain = whole
    out, out_bias, plain = ((part * factor).round().to(torch.int32) for part in (out, out_bias - HALF, plain))
    return [*before, out, out_bias + HALF, plain]


def boards_of(path):
    """Own discs and the opponent's of each line of a file of vectors."""
    with open(path, encoding="ascii") as file:
        lines = [[int(word, 16) for word in line.split()[:2]] for line in file]
    return torch.tensor([[discs - (discs >> 63 << 64) for discs in line] for line in lines]).T


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", help="the file of weights")
    parser.add_argument("--by", type=float, required=True, metavar="FACTOR", help="what all scores are multiplied by")
    parser.add_argument("--vectors", required=True, help="boards with scores, of which the boards are taken")
    parser.add_argument("--out", required=True, help="how the names of what is written begin")
    options = parser.parse_args()
    if not 0.5 <= options.by <= 2:
        raise SystemExit(f"--by {options.by}: from 0.5 to 2")
    small = Small(Shapes(), BUCKET_ENDS)
    whole = multiplied(small.read(options.network), options.by)
    own, opponent = boards_of(options.vectors)
    size = small.write(f"{options.out}.bin", whole)
    vectors(small, whole, own, opponent, f"{options.out}.vectors")
    print(f"{options.out}.bin: {size:,} bytes; {options.out}.vectors: {len(own)} boards")


if __name__ == "__main__":
    main()
