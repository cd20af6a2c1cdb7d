"""The network that guesses which move a person makes: a small one of whole numbers for the program, a large one as its
teacher.

It sees the board, the last moves, how many squares are empty, how strong the mover is and whether it is a person. A
residual network of 3×3 convolutions; each block also tells every channel what the whole board holds. The output is one
number a square; the chances are those of a softmax over the legal moves.

The program computes with integers. Activations are 0…127 in units of 1/16, weights one byte with a factor for each
channel, the stream that the blocks add to in units of 1/256.
"""

import struct
import zlib

import torch
from torch import nn
from torch.nn import functional

import boards

RECENT = 3  # how many of the last discs placed the network is shown
PLANES = 5 + RECENT
LOWEST, STEP, RATINGS = 600, 25, 81  # ratings 600, 625, …, 2600
ACTIVATION = 16  # integers per unit of an activation
MOST = 127  # the largest activation and the largest weight
STREAM = 256  # integers per unit of the stream and of the output
SHIFT = 20  # factors are in units of 2^-20
NOWHERE = 255  # where a last move is not known


def planes(own, opponent, recent):
    """What the network sees, batch × PLANES × 8 × 8: own discs, the opponent's, empty squares, where each side could move,
    and the last discs placed, the latest first."""
    empty = ~(own | opponent)
    seen = torch.stack([own, opponent, empty, boards.moves(own, opponent), boards.moves(opponent, own)], dim=1)
    seen = boards.squares(seen.reshape(-1)).reshape(-1, 5, 64)
    squares = torch.arange(64, device=own.device, dtype=torch.uint8)
    placed = (recent[:, :, None] == squares).to(torch.uint8)
    return torch.cat([seen, placed], dim=1).to(torch.float32).reshape(-1, PLANES, 8, 8)


class Rounded(torch.autograd.Function):
    """Rounds, and lets gradients pass as if it had not."""

    @staticmethod
    def forward(_, values):
        return values.round()

    @staticmethod
    def backward(_, gradient):
        return gradient


def activation(x, whole):
    """What a layer hands on: nothing below zero, nothing above the largest activation; in steps if in whole numbers."""
    x = x.clamp(0, MOST / ACTIVATION)
    return Rounded.apply(x * ACTIVATION) / ACTIVATION if whole else x


def bytewise(weight, whole):
    """Weights as they come out of a file of bytes with a factor for each channel."""
    if not whole:
        return weight
    factor = weight.detach().abs().amax(dim=tuple(range(1, weight.dim())), keepdim=True).clamp(min=1e-6) / MOST
    return Rounded.apply(weight / factor) * factor


class Block(nn.Module):
    """Two convolutions beside a shortcut; the first also sees the mean of each channel. It begins as the identity."""

    def __init__(self, channels, depth):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.pooled = nn.Linear(channels, channels, bias=False)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        nn.init.kaiming_normal_(self.first.weight, nonlinearity="relu")
        self.first.weight.data *= depth**-0.5
        for begins_at_zero in (self.first.bias, self.pooled.weight, self.second.weight, self.second.bias):
            nn.init.zeros_(begins_at_zero)

    def forward(self, x, whole):
        seen = activation(x, whole)
        y = functional.conv2d(seen, bytewise(self.first.weight, whole), self.first.bias, padding=1)
        y = y + functional.linear(seen.mean(dim=(2, 3)), bytewise(self.pooled.weight, whole))[:, :, None, None]
        y = activation(y, whole)
        return x + functional.conv2d(y, bytewise(self.second.weight, whole), self.second.bias, padding=1)


class Policy(nn.Module):
    """Boards, last moves, ratings and whether programs move in; 64 numbers a board out."""

    def __init__(self, blocks, channels):
        super().__init__()
        self.channels = channels
        self.stem = nn.Conv2d(PLANES, channels, 3, padding=1)
        self.stage = nn.Embedding(61, channels)
        self.strength = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, channels))
        self.program = nn.Parameter(torch.zeros(channels))
        self.unknown = nn.Parameter(torch.zeros(channels))
        self.blocks = nn.ModuleList([Block(channels, blocks) for _ in range(blocks)])
        self.out = nn.Conv2d(channels, 1, 3, padding=1)
        nn.init.normal_(self.stage.weight, std=0.02)
        nn.init.zeros_(self.out.bias)

    def told(self, empties, rating, program):
        """What every square is told besides the board. Ratings are rounded to STEP; 0 is an unknown one."""
        rounded = ((rating - LOWEST).to(self.program.dtype) / STEP).round().clamp(0, RATINGS - 1)
        strength = self.strength((rounded[:, None] * STEP + LOWEST - 1900) / 400)
        strength = torch.where((rating == 0)[:, None], self.unknown.to(strength.dtype), strength)
        return self.stage(empties) + strength + program[:, None] * self.program

    def forward(self, own, opponent, recent, rating, program, whole=False):
        empties = boards.count(~(own | opponent)).clamp(max=60)
        x = planes(own, opponent, recent).to(memory_format=torch.channels_last)
        x = functional.conv2d(x, bytewise(self.stem.weight, whole), self.stem.bias, padding=1)
        x = x + self.told(empties, rating, program)[:, :, None, None]
        for block in self.blocks:
            x = block(x, whole)
        out = functional.conv2d(activation(x, whole), bytewise(self.out.weight, whole), self.out.bias, padding=1)
        return out.flatten(1)


def legal_only(logits, own, opponent):
    """The same with the squares where nobody may move out of the question."""
    return logits.float().masked_fill(boards.squares(boards.moves(own, opponent)) == 0, -1e9)


class Whole:
    """A network in whole numbers, as the program computes it, bit by bit."""

    def __init__(self, policy):
        with torch.no_grad():
            policy = policy.to("cpu").double()
            self.channels = policy.channels
            self.stem = self._layer(policy.stem.weight, policy.stem.bias, 1)
            ratings = torch.arange(RATINGS) * STEP + LOWEST
            empties, people = torch.zeros(RATINGS, dtype=torch.int64), torch.zeros(RATINGS, dtype=torch.float64)
            told = policy.told(empties, ratings, people) - policy.stage(empties)
            self.stage = self._stream(policy.stage.weight)
            self.strength = self._stream(torch.cat([told, policy.unknown[None]]))
            self.blocks = [
                (
                    self._layer(block.first.weight, block.first.bias, ACTIVATION, ACTIVATION),
                    # The program adds the 64 squares up and does not divide.
                    self._layer(block.pooled.weight, None, ACTIVATION * 64, ACTIVATION),
                    self._layer(block.second.weight, block.second.bias, ACTIVATION),
                )
                for block in policy.blocks
            ]
            self.out = self._layer(policy.out.weight, policy.out.bias, ACTIVATION)

    @staticmethod
    def _stream(values):
        return (values * STREAM).round().to(torch.int64)

    @staticmethod
    def _layer(weight, bias, inputs, outputs=STREAM):
        """Bytes, a factor for each channel in units of 2^-SHIFT, and constants that hold the half that rounds: an output
        is (sum of bytes times inputs · factor + constant) >> SHIFT."""
        factor = weight.abs().amax(dim=tuple(range(1, weight.dim()))).clamp(min=1e-6) / MOST
        shape = [-1] + [1] * (weight.dim() - 1)
        whole = (weight / factor.reshape(shape)).round().to(torch.int64)
        factors = (factor / inputs * outputs * (1 << SHIFT)).round().to(torch.int64)
        constants = torch.zeros(len(factors), dtype=torch.int64)
        if bias is not None:
            constants = (bias * outputs * (1 << SHIFT)).round().to(torch.int64) + (1 << SHIFT - 1)
        return whole, factors, constants

    @staticmethod
    def _convolved(x, weight):
        """Exact, because no sum of these sizes leaves what a double holds."""
        return functional.conv2d(x.double(), weight.double(), padding=1).to(torch.int64)

    def __call__(self, own, opponent, recent, rating):
        """The numbers of the squares in units of 1/STREAM, for people."""
        weight, factors, constants = self.stem
        x = self._convolved(planes(own, opponent, recent), weight) * factors[:, None, None] + constants[:, None, None]
        rows = ((rating - LOWEST) / STEP).round().clamp(0, RATINGS - 1).to(torch.int64)
        rows = torch.where(rating == 0, RATINGS, rows)
        empties = boards.count(~(own | opponent)).clamp(max=60)
        x = (x >> SHIFT) + (self.stage[empties] + self.strength[rows])[:, :, None, None]
        for first, pooled, second in self.blocks:
            seen = self._seen(x)
            weight, factors, constants = first
            y = self._convolved(seen, weight) * factors[:, None, None] + constants[:, None, None]
            whole = (seen.sum(dim=(2, 3)) @ pooled[0].T) * pooled[1]
            y = ((y + whole[:, :, None, None]) >> SHIFT).clamp(0, MOST)
            weight, factors, constants = second
            x = x + ((self._convolved(y, weight) * factors[:, None, None] + constants[:, None, None]) >> SHIFT)
        weight, factors, constants = self.out
        return ((self._convolved(self._seen(x), weight) * factors[:, None, None] + constants[:, None, None]) >> SHIFT).flatten(1)

    @staticmethod
    def _seen(x):
        """The stream as activations: from units of 1/STREAM to 1/ACTIVATION, rounded."""
        unit = STREAM // ACTIVATION
        return torch.div(x + unit // 2, unit, rounding_mode="floor").clamp(0, MOST)

    def write(self, path):
        """Writes the file that crates/human/src/weights.rs reads; returns its size.

        `EMILIA-H`, one byte version (1), three zero bytes, as 32-bit little-endian numbers the length of what follows and
        its CRC-32; then channels and blocks (32 bits each), the rows of stages and of ratings, the last of them for an
        unknown one (16 bits a number), and the layers in order: weights (a byte each; outputs, inputs, rows, columns),
        factors (32 bits), constants (64 bits; the layer of the means has none).
        """
        parts = [struct.pack("<II", self.channels, len(self.blocks))]
        parts += [rows.clamp(-32768, 32767).numpy().astype("<i2").tobytes() for rows in (self.stage, self.strength)]
        for weight, factors, constants in [self.stem, *[layer for block in self.blocks for layer in block], self.out]:
            parts += [weight.numpy().astype("<i1").tobytes(), factors.numpy().astype("<i4").tobytes()]
            if weight.dim() == 4:
                parts.append(constants.numpy().astype("<i8").tobytes())
        body = b"".join(parts)
        content = b"EMILIA-H\x01\0\0\0" + struct.pack("<II", len(body), zlib.crc32(body)) + body
        with open(path, "wb") as file:
            file.write(content)
        return len(content)
