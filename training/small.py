"""The second student: a small network on top of patterns.

What stands in each place of each shape selects a row of numbers; so do the number of moves of each side and the number
of empty squares. All rows are added up. The first number of the sum is a score by itself, as with tables; all of them
also go through two small layers, which are others every four empty squares. The rows come in buckets by number of
empty squares.

The program computes with integers: rows and the first layer in 64ths (one byte each), the second layer finer.
"""

import torch
from torch import nn
from torch.nn import functional

import boards
import weights

# The most empty squares of each bucket of rows but the last, as in crates/eval/src/network_weights.rs.
BUCKET_ENDS = [15, 27, 39]
# Rows beside those of the shapes: moves of either side, up to the last of these, and empty squares.
MOBILITIES = 32
EXTRA = 2 * MOBILITIES + 65
STACKS = 16
STACK_EMPTIES = 4

UNIT = 64  # integers per unit of an activation
MOST = 127  # the largest integer of a row, of a weight in the first layer, and of an activation
PLAIN = 8  # discs per unit of the first number of the sum


class Small(nn.Module):
    """Parameters: rows, weights and bias of the first layer, those of the second, the share of the plain sum."""

    title = "small network on patterns"

    def __init__(self, shapes, width=16, hidden=16, ends=BUCKET_ENDS, name="network", columns=None, squares=None):
        """Rows beyond so many columns, and those of shapes with more than so many squares, stay zero: the file says so in
        few bytes."""
        super().__init__()
        self.shapes, self.width, self.hidden, self.ends, self.name = shapes, width, hidden, ends, name
        self.bucket_rows = shapes.weights + EXTRA
        # Rows begin at zero, so those never seen stay there; the first layer tells the columns apart.
        self.rows = nn.Parameter(torch.zeros((len(ends) + 1) * self.bucket_rows, width))
        first = torch.randn(1, hidden, 2 * width) * (2 * width) ** -0.5
        self.first = nn.Parameter(first.expand(STACKS, -1, -1).clone())
        self.first_bias = nn.Parameter(torch.full((STACKS, hidden), 0.1))
        self.second = nn.Parameter((torch.randn(1, hidden) * 2.0).expand(STACKS, -1).clone())
        self.second_bias = nn.Parameter(torch.zeros(STACKS))
        self.plain = nn.Parameter(torch.ones(STACKS))
        self.register_buffer("used", self._used(columns, squares), persistent=False)

    def _used(self, columns, squares):
        """1 where a row may hold something, 0 where it must not."""
        rows = torch.ones(self.bucket_rows)
        start = 0
        for shape in self.shapes.shapes:
            end = start + 3 ** len(shape)
            if squares is not None and len(shape) > squares:
                rows[start:end] = 0
            start = end
        kept = torch.arange(self.width) < (self.width if columns is None else columns)
        return rows.repeat(len(self.ends) + 1)[:, None] * kept[None, :]

    @torch.no_grad()
    def begin_with(self, tables):
        """Takes the plain sum from fitted tables, so that the layers only have to learn what tables cannot say."""
        table = tables.tables.reshape(boards.PHASES, -1)
        begin = 0
        for bucket, end in enumerate([*self.ends, 64]):
            phases = boards.phase_of(torch.arange(begin, end + 1)).unique().tolist()
            start = bucket * self.bucket_rows
            mean = table[phases].mean(dim=0) / PLAIN
            self.rows[start : start + self.shapes.weights, 0] = mean.clamp(-MOST / UNIT, MOST / UNIT)
            begin = end + 1
        self.confine()

    def refines(self, other):
        """Whether everything that the other network can say can be said by this one."""
        return isinstance(other, Small) and other.hidden == self.hidden and set(other.ends) <= set(self.ends)

    @torch.no_grad()
    def go_on_from(self, other):
        """Says what the other network says, which this one refines."""
        for mine, known in zip(self.parameters(), other.parameters()):
            if mine is not self.rows:
                mine.copy_(known)
        ends = torch.tensor(other.ends)
        for bucket, end in enumerate([*self.ends, 64]):
            start = int(torch.bucketize(end, ends)) * self.bucket_rows
            self.rows[bucket * self.bucket_rows :][: self.bucket_rows] = other.rows[start : start + self.bucket_rows]
        self.confine()

    def _active(self, own, opponent):
        """The rows of each board, and its stack of layers."""
        empties = boards.count(~(own | opponent))
        mobility = boards.count(boards.moves(own, opponent)).clamp(max=MOBILITIES - 1)
        theirs = boards.count(boards.moves(opponent, own)).clamp(max=MOBILITIES - 1)
        extra = torch.stack([mobility, MOBILITIES + theirs, 2 * MOBILITIES + empties], dim=1) + self.shapes.weights
        active = torch.cat([self.shapes.active(own, opponent), extra.to(torch.int32)], dim=1)
        ends = torch.tensor(self.ends, device=own.device)
        bucket = torch.bucketize(empties, ends).to(torch.int32)
        return active + (bucket * self.bucket_rows)[:, None], (empties // STACK_EMPTIES).clamp(max=STACKS - 1)

    def forward(self, own, opponent):
        active, stack = self._active(own, opponent)
        total = functional.embedding_bag(active, self.rows, mode="sum")
        seen = torch.cat([total, -total], dim=1).clamp(0, MOST / UNIT)
        # All stacks at once cost less than one set of weights for each board.
        first = self.first.reshape(STACKS * self.hidden, -1)
        every = functional.linear(seen, first).reshape(-1, STACKS, self.hidden)
        mine = every.gather(1, stack[:, None, None].expand(-1, 1, self.hidden)).squeeze(1)
        neurons = (mine + self.first_bias[stack]).clamp(0, MOST / UNIT)
        out = (neurons * self.second[stack]).sum(dim=1) + self.second_bias[stack]
        return out + self.plain[stack] * total[:, 0] * PLAIN

    @torch.no_grad()
    def confine(self):
        """Keeps what becomes one byte within its bounds, and what is not used at zero."""
        self.rows.clamp_(-MOST / UNIT, MOST / UNIT).mul_(self.used)
        self.first.clamp_(-MOST / UNIT, MOST / UNIT)

    @torch.no_grad()
    def quantised(self, parameters):
        """The integers of the file. The constants of both layers hold the half that rounds the shift after them."""
        rows, first, first_bias, second, second_bias, plain = parameters

        def whole(values, factor, most):
            return (values * factor).round().clamp(-most, most).to(torch.int32)

        return [
            whole(rows, UNIT, MOST),
            whole(first, UNIT, MOST),
            whole(first_bias, UNIT * UNIT, 1 << 20) + UNIT // 2,
            whole(second, 128, 32767),
            whole(second_bias, 128 * UNIT, 1 << 24) + UNIT // 2,
            whole(plain, 128 * PLAIN, 32767),
        ]

    @torch.no_grad()
    def whole_scores(self, whole, own, opponent):
        """Scores in discs as the program computes them, bit by bit."""
        rows, first, first_bias, second, second_bias, plain = whole
        active, stack = self._active(own, opponent)
        total = functional.embedding_bag(active, rows.to(torch.float32), mode="sum").round()
        seen = torch.cat([total, -total], dim=1).clamp(0, MOST)
        out = torch.zeros(own.shape[0], dtype=torch.float64, device=own.device)
        for at in range(STACKS):
            mine = stack == at
            neurons = seen[mine] @ first[at].to(torch.float32).T + first_bias[at]
            neurons = torch.floor(neurons / UNIT).clamp(0, MOST).to(torch.float64)
            weighted = neurons @ second[at].to(torch.float64) + total[mine, 0].to(torch.float64) * plain[at]
            out[mine] = torch.floor((weighted + second_bias[at]) / UNIT)
        return (out / 128).clamp(-64, 64).to(torch.float32)

    def write(self, path, whole):
        """Writes the file of weights; returns its size."""
        rows, first, first_bias, second, second_bias, plain = [part.cpu().numpy() for part in whole]
        rows = rows.reshape(len(self.ends) + 1, self.bucket_rows, self.width)
        sizes = [self.shapes.weights, self.width, self.hidden, STACKS, EXTRA, len(self.ends) + 1, *self.ends]
        shapes, extra = rows[:, : self.shapes.weights], rows[:, self.shapes.weights :]
        layers = [first, first_bias, second, second_bias, plain]
        return weights.write_network(path, self.shapes, sizes, shapes, extra, layers)
