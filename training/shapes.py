"""The shapes of the board that the evaluation looks at: the same list as crates/eval/src/shape.rs, whose tests compare
it with shapes.txt beside this file.

A shape mirrored and turned lies on the board in up to eight places. Its filling is a number in base three, the first
square counting least: 0 for an empty square, 1 for an own disc, 2 for the opponent's. Where a shape is its own mirror
image, both ways to read it share one weight, the one of the smaller filling.
"""

import os
import zlib

import numpy
import torch

import boards

USUAL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shapes.txt")


def _symmetries():
    """The eight symmetries, each as a list: where square i goes."""
    found = []
    for code in range(8):
        goes = []
        for square in range(64):
            column, row = square % 8, square // 8
            if code & 1:
                column, row = row, column
            if code & 2:
                column = 7 - column
            if code & 4:
                row = 7 - row
            goes.append(row * 8 + column)
        found.append(goes)
    return found


def _canonical(squares):
    """For each filling of a shape, the filling whose weight it shares."""
    fillings = numpy.arange(3 ** len(squares))
    for goes in _symmetries():
        moved = [goes[square] for square in squares]
        if set(moved) != set(squares) or moved == list(squares):
            continue
        mirrored = numpy.zeros_like(fillings)
        for at, square in enumerate(moved):
            digit = fillings // 3 ** squares.index(square) % 3
            mirrored += digit * 3**at
        return numpy.minimum(fillings, mirrored)
    return fillings


class Shapes:
    """All shapes of a list, and where each place finds its weights."""

    def __init__(self, path=USUAL):
        with open(path, encoding="utf-8") as file:
            lines = [line.split("=")[0].strip() for line in file if line.strip()]
        # Weights say for which list they were made.
        self.fingerprint = zlib.crc32("\n".join(lines).encode())
        self.shapes = [[(int(s[1]) - 1) * 8 + "abcdefgh".index(s[0]) for s in line.split()] for line in lines]
        columns, starts, canonical = [], [], []
        start = 0
        for squares in self.shapes:
            known = set()
            for goes in _symmetries():
                place = [goes[square] for square in squares]
                if frozenset(place) in known:
                    continue
                known.add(frozenset(place))
                column = numpy.zeros(64, numpy.float32)
                for at, square in enumerate(place):
                    column[square] = 3**at
                columns.append(column)
                starts.append(start)
            canonical.append(start + _canonical(squares))
            start += 3 ** len(squares)
        self.weights = start
        self.places = len(starts)
        self.canonical = torch.from_numpy(numpy.concatenate(canonical)).to(torch.int32)
        # What each disc adds to the filling of each place. Single precision holds these numbers exactly.
        self.steps = torch.from_numpy(numpy.stack(columns, axis=1))
        self.starts = torch.tensor(starts, dtype=torch.float32)

    def to(self, device):
        """The same, on a device."""
        # With shorter products fillings would be other ones, and nobody would notice but the loss.
        if torch.get_float32_matmul_precision() != "highest":
            raise ValueError("fillings are sums of products in single precision: the precision must be \"highest\"")
        self.canonical = self.canonical.to(device)
        self.steps, self.starts = self.steps.to(device), self.starts.to(device)
        return self

    def active(self, own, opponent):
        """The weights that a board uses, one per place, tied ones replaced by the one they are tied to: int32."""
        discs = boards.squares(own).to(torch.float32) + 2 * boards.squares(opponent).to(torch.float32)
        return self.canonical[(discs @ self.steps + self.starts).to(torch.int32)]

    def own_weights(self):
        """Which weights stand for themselves, in order: those that a file holds."""
        numbers = torch.arange(self.weights, dtype=torch.int32)
        return numbers[self.canonical.cpu() == numbers].long()
