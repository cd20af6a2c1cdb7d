"""The second student: a small network on top of patterns.

What stands in each place of each shape selects a row of numbers; so do the number of moves of each side and the number
of empty squares. All rows are added up. The first number of the sum is a score by itself, as with tables; all of them
also go through a layer of neurons, which is another every four empty squares; what these say and its squares are
weighted. The rows come in buckets by number of empty squares.

While it learns, a row is a sum itself: what all buckets share, what fillings share that agree on two thirds of their
squares, and what is left. So a filling that is hardly ever seen knows what is known of others.

The program computes with integers: rows in 32nds, the layer in 64ths (one byte each), the output finer. The rows are
fitted as they will be rounded. The file has what the buckets share and what each of them adds, which is nothing for most rows.
"""

import time

import torch
from torch import nn
from torch.nn import functional

import boards
import weights
from clock import say
from shapes import Shapes

# The most empty squares of each bucket of rows but the last, as in crates/eval/src/network_weights.rs.
BUCKET_ENDS = [15, 27, 39]
# Rows beside those of the shapes: moves of either side, up to the last of these, and empty squares.
MOBILITIES = 32
EXTRA = 2 * MOBILITIES + 65
STACKS = 16
STACK_EMPTIES = 4

WIDTH = 64  # numbers in a row
HIDDEN = 16  # neurons
UNIT = 64  # integers per unit of a weight in the layer, and of what neurons say
MOST = 127  # the largest of these
LIMIT = MOST / UNIT
ROW_UNIT = 32  # integers per unit of a row and of the sum
ROW_MOST = 31  # the largest integer of a row: the program adds four of them in one byte
ROW_LIMIT = ROW_MOST / ROW_UNIT
SEEN_MOST = 63  # the largest integer of the sum that neurons see: products of two times two then fit 16 bits
SEEN_LIMIT = SEEN_MOST / ROW_UNIT
PLAIN = 8  # discs per unit of the first number of the sum

DIVIDED = 8  # shapes of so many squares have rows for parts of them
# How far rows are drawn to zero at each step, as a share of the rate: what a bucket adds, and what is left of a shared row.
PULL = 0.025
PULL_SHARED = 0.01
LEAST = 150  # boards that must select a shared row, else it stays zero
LEAST_APART = 1500  # boards of a bucket that must select a row, else the bucket adds nothing to it
CALM = 1e-4  # gradients much smaller than this make small steps: of rows that are hardly ever seen


class Rows(torch.autograd.Function):
    """The sum of the rows of each board. Backwards it adds to the rows in any order, which is quicker than sorting them
    where many rows are wide."""

    @staticmethod
    def forward(context, active, rows):
        context.save_for_backward(active)
        context.size = rows.shape
        return functional.embedding_bag(active, rows, mode="sum")

    @staticmethod
    def backward(context, gradient):
        (active,) = context.saved_tensors
        many = gradient[:, None, :].expand(-1, active.shape[1], -1).reshape(-1, gradient.shape[1])
        total = torch.zeros(context.size, dtype=gradient.dtype, device=gradient.device)
        return None, total.index_add_(0, active.reshape(-1), many)


def rounded(values):
    """As the file will have them; backwards as they are."""
    return values + ((values.clamp(-ROW_LIMIT, ROW_LIMIT) * ROW_UNIT).round() / ROW_UNIT - values).detach()


class Small(nn.Module):
    """Parameters: shared rows, rows of the buckets, rows of parts of shapes; weights and constants of the neurons and of the
    output; the share of the plain sum."""

    title = "small network on patterns"

    def __init__(self, shapes, ends=BUCKET_ENDS, name="network", columns=None, squares=None):
        """Rows beyond so many columns, and those of shapes with more than so many squares, stay zero: the file says so in
        few bytes."""
        super().__init__()
        self.shapes, self.ends, self.name = shapes, ends, name
        self.bucket_rows = shapes.weights + EXTRA
        # Rows begin at zero, so those never seen stay there; the first layer tells the columns apart.
        self.shared = nn.Parameter(torch.zeros(self.bucket_rows, WIDTH))
        self.apart = nn.Parameter(torch.zeros((len(ends) + 1) * self.bucket_rows, WIDTH))
        self.parts = nn.Parameter(torch.zeros(sum(2 * rows for *_, rows in self._divided()), WIDTH))
        first = torch.randn(1, HIDDEN, 2 * WIDTH) * (2 * WIDTH) ** -0.5
        self.first = nn.Parameter(first.expand(STACKS, -1, -1).clone())
        self.first_bias = nn.Parameter(torch.full((STACKS, HIDDEN), 0.1))
        out = torch.cat([torch.randn(1, HIDDEN) * 2.0, torch.zeros(1, HIDDEN)], dim=1)
        self.out = nn.Parameter(out.expand(STACKS, -1).clone())
        self.out_bias = nn.Parameter(torch.zeros(STACKS, 1))
        self.plain = nn.Parameter(torch.ones(STACKS, 1))
        used = self._used(columns, squares)
        self.register_buffer("used", used, persistent=False)
        self.register_buffer("used_apart", used.repeat(len(ends) + 1, 1), persistent=False)
        self.add_up = lambda active, rows: functional.embedding_bag(active, rows, mode="sum")
        self.quick_active, self.quick_layers = self._active, self._layers

    def _divided(self):
        """The large shapes: where their rows begin, fillings of their first, middle and last squares, and how many rows
        the first two, or the last two, of these need."""
        start = 0
        for shape in self.shapes.shapes:
            if len(shape) >= DIVIDED:
                outer = 3 ** (len(shape) // 3)
                middle = 3 ** len(shape) // outer**2
                yield start, (outer, middle, outer), outer * middle
            start += 3 ** len(shape)

    def _used(self, columns, squares):
        """1 where a row may hold something, 0 where it must not."""
        rows = torch.ones(self.bucket_rows)
        start = 0
        for shape in self.shapes.shapes:
            end = start + 3 ** len(shape)
            if squares is not None and len(shape) > squares:
                rows[start:end] = 0
            start = end
        kept = torch.arange(WIDTH) < (WIDTH if columns is None else columns)
        return rows[:, None] * kept[None, :]

    @torch.no_grad()
    def leave_out(self, some, least=None, least_apart=None):
        """Shared rows that fewer than so many of these boards select, an iterable of pairs, stay zero, and buckets add
        nothing to rows that fewer than so many boards of theirs select: the file is smaller."""
        least, least_apart = least or LEAST, least_apart or LEAST_APART
        count = torch.zeros(len(self.used_apart), dtype=torch.int32, device=self.used.device)
        for own, opponent in some:
            active = self._active(own, opponent)[0].reshape(-1)
            count += torch.bincount(active, minlength=len(count)).to(torch.int32)
        every = count.reshape(-1, self.bucket_rows).sum(dim=0)
        self.used *= (every >= least)[:, None]
        self.used_apart *= ((count >= least_apart) & (every >= least).repeat(len(self.ends) + 1))[:, None]
        say(f"{self.name}: {int((every >= least).sum()):,} of {len(every):,} rows are used, "
            f"{int(self.used_apart.any(dim=1).sum()):,} of {len(count):,} of the buckets")

    def divided_rows(self, shared, parts):
        """The rows that all buckets share: what parts of shapes share and what they do not, put together."""
        pieces, at, begin = [], 0, 0
        for start, (last, middle, first), rows in self._divided():
            pieces.append(shared[at:start])
            size = last * middle * first
            whole = shared[start : start + size].reshape(last, middle, first, WIDTH)
            whole = whole + parts[begin : begin + rows].reshape(1, middle, first, WIDTH)
            whole = whole + parts[begin + rows : begin + 2 * rows].reshape(last, middle, 1, WIDTH)
            pieces.append(whole.reshape(size, WIDTH))
            at, begin = start + size, begin + 2 * rows
        pieces.append(shared[at:])
        return rounded(torch.cat(pieces) * self.used)

    def rows(self, shared, apart, parts):
        """The rows of all buckets: what they share and what each adds."""
        every = self.divided_rows(shared, parts) + rounded(apart * self.used_apart).reshape(-1, self.bucket_rows, WIDTH)
        return every.reshape(-1, WIDTH).clamp(-ROW_LIMIT, ROW_LIMIT)

    def groups(self):
        """The parameters as an optimiser takes them."""
        rows = [self.shared, self.apart, self.parts]
        others = [parameter for parameter in self.parameters() if all(parameter is not some for some in rows)]
        return [{"params": others, "weight_decay": 0.0}, {"params": rows, "weight_decay": 0.0, "eps": CALM}]

    def _active(self, own, opponent):
        """The rows of each board, and its stack of layers."""
        empties = boards.count(~(own | opponent))
        mobility = boards.count(boards.moves(own, opponent)).clamp(max=MOBILITIES - 1)
        theirs = boards.count(boards.moves(opponent, own)).clamp(max=MOBILITIES - 1)
        extra = torch.stack([mobility, MOBILITIES + theirs, 2 * MOBILITIES + empties], dim=1) + self.shapes.weights
        active = torch.cat([self.shapes.active(own, opponent), extra.to(torch.int32)], dim=1)
        bucket = sum((empties > end).to(torch.int32) for end in self.ends)
        return active + (bucket * self.bucket_rows)[:, None], (empties // STACK_EMPTIES).clamp(max=STACKS - 1)

    def _layers(self, total, stack):
        """Scores from sums of rows."""
        # All stacks at once cost less than one set of weights for each board.
        mine = functional.one_hot(stack, STACKS).to(total.dtype)
        seen = torch.cat([total, -total], dim=1).clamp(0, SEEN_LIMIT)
        every = functional.linear(seen, self.first.reshape(STACKS * HIDDEN, -1)).reshape(-1, STACKS, HIDDEN)
        neurons = ((every * mine[:, :, None]).sum(dim=1) + mine @ self.first_bias).clamp(0, LIMIT)
        neurons = torch.cat([neurons, neurons.square() * (UNIT / 128)], dim=1)
        out = (neurons * (mine @ self.out)).sum(dim=1, keepdim=True) + mine @ self.out_bias
        return (out + (mine @ self.plain) * total[:, :1] * PLAIN).squeeze(1)

    def forward(self, own, opponent):
        rows = self.rows(self.shared, self.apart, self.parts)
        if not torch.is_grad_enabled():
            # What is compiled is compiled for learning.
            active, stack = self._active(own, opponent)
            return self._layers(functional.embedding_bag(active, rows, mode="sum"), stack)
        active, stack = self.quick_active(own, opponent)
        return self.quick_layers(self.add_up(active, rows), stack)

    def hasten(self, own, opponent):
        """Finds the quickest way to learn from so many boards on this device; what fails is left as it was."""
        if own.device.type != "cuda":
            return

        def seconds():
            begun = 0.0
            for step in range(4):
                torch.cuda.synchronize()
                begun = time.monotonic() if step == 1 else begun
                self(own, opponent).sum().backward()
                self.zero_grad(set_to_none=True)
            torch.cuda.synchronize()
            return (time.monotonic() - begun) / 3

        took = seconds()
        trials = [("add_up", Rows.apply), ("quick_active", torch.compile(self._active, dynamic=False)),
                  ("quick_layers", torch.compile(self._layers, dynamic=False))]
        for name, other in trials:
            before, expected = getattr(self, name), self(own, opponent).detach()
            setattr(self, name, other)
            try:
                now = seconds()
                right = torch.allclose(self(own, opponent), expected, atol=0.05)
            except Exception as fault:  # whatever a compiler may think of
                now, right = float("inf"), False
                say(f"{name}: {fault}")
            say(f"{self.name}: {name} {took * 1000:.1f} ms a step, another way {now * 1000:.1f}, {'same' if right else 'other'} scores")
            if right and now < took:
                took = now
            else:
                setattr(self, name, before)
        self.zero_grad(set_to_none=True)

    @torch.no_grad()
    def confine(self, rate):
        """Keeps what becomes one byte within its bounds, and draws to zero what rows need not have of their own."""
        self.first.clamp_(-LIMIT, LIMIT)
        for rows, pull in ((self.shared, PULL_SHARED), (self.apart, PULL)):
            rows.copy_(functional.softshrink(rows, pull * rate))

    @torch.no_grad()
    def quantised(self, parameters):
        """The integers of the file: shared rows, what buckets add, the layers. The constants hold the half that rounds the
        shift after them."""
        shared, apart, parts, first, first_bias, out, out_bias, plain = parameters

        def whole(values, factor, most):
            return (values * factor).round().clamp(-most, most).to(torch.int32)

        together = whole(self.divided_rows(shared, parts), ROW_UNIT, ROW_MOST)
        rows = whole(self.rows(shared, apart, parts), ROW_UNIT, ROW_MOST).reshape(-1, self.bucket_rows, WIDTH)
        return [
            together,
            rows - together,
            whole(first, UNIT, MOST),
            whole(first_bias, UNIT * ROW_UNIT, 1 << 20) + ROW_UNIT // 2,
            whole(out, 128, 32767),
            whole(out_bias, 128 * UNIT, 1 << 24) + UNIT // 2,
            whole(plain, 128 * PLAIN * UNIT // ROW_UNIT, 32767),
        ]

    @torch.no_grad()
    def whole_scores(self, whole, own, opponent):
        """Scores in discs as the program computes them, bit by bit."""
        shared, apart, first, first_bias, out, out_bias, plain = whole
        active, stack = self._active(own, opponent)
        rows = (shared + apart).reshape(-1, WIDTH).to(torch.float32)
        total = functional.embedding_bag(active, rows, mode="sum").round()
        seen = torch.cat([total, -total], dim=1).clamp(0, SEEN_MOST).to(torch.float64)
        scores = torch.zeros(own.shape[0], dtype=torch.float64, device=own.device)
        for at in range(STACKS):
            mine = stack == at
            neurons = seen[mine] @ first[at].to(torch.float64).T + first_bias[at]
            neurons = torch.floor(neurons / ROW_UNIT).clamp(0, MOST)
            neurons = torch.cat([neurons, torch.floor(neurons.square() / 128)], dim=1)
            weighted = neurons @ out[at].to(torch.float64) + total[mine, 0].to(torch.float64) * plain[at]
            scores[mine] = torch.floor((weighted + out_bias[at]) / UNIT)
        return (scores / 128).clamp(-64, 64).to(torch.float32)

    def _sizes(self):
        return [self.shapes.weights, WIDTH, HIDDEN, STACKS, EXTRA, len(self.ends) + 1, *self.ends]

    def write(self, path, whole):
        """Writes the file of weights; returns its size."""
        shared, apart, *layers = [part.cpu().numpy() for part in whole]
        return weights.write_network(path, self.shapes, self._sizes(), shared, apart, layers)

    @torch.no_grad()
    def read(self, path):
        """Takes over what is in a file of weights; returns the integers."""
        shared, apart, layers = weights.read_network(path, self.shapes, self._sizes())
        whole = [torch.from_numpy(part).to(torch.int32) for part in (shared, apart, *layers)]
        first, first_bias, out, out_bias, plain = (part.to(torch.float32) for part in whole[2:])
        values = [
            whole[0] / ROW_UNIT,
            whole[1].reshape(-1, WIDTH) / ROW_UNIT,
            torch.zeros_like(self.parts),
            first / UNIT,
            (first_bias - ROW_UNIT // 2) / (UNIT * ROW_UNIT),
            out / 128,
            (out_bias - UNIT // 2) / (128 * UNIT),
            plain / (128 * PLAIN * UNIT // ROW_UNIT),
        ]
        for parameter, value in zip(self.parameters(), values):
            parameter.copy_(value)
        return whole


class Mover:
    """The network of a file of weights, to be called with boards: it scores them quickly."""

    def __init__(self, path, device, batch=262_144):
        small = Small(Shapes())
        small.read(path)
        small.shapes.to(device)
        self.small, self.batch = small.to(device), batch
        self.rows = small.rows(small.shared, small.apart, small.parts).detach()
        self.active, self.layers = self.small._active, self.small._layers
        if self.rows.device.type == "cuda":
            # What cannot be compiled is still right, only slower.
            torch._dynamo.config.suppress_errors = True
            self.active, self.layers = (torch.compile(way, dynamic=False) for way in (self.active, self.layers))

    @torch.no_grad()
    def __call__(self, own, opponent):
        answers = [torch.zeros(0, device=own.device)]
        for own, opponent in zip(own.split(self.batch), opponent.split(self.batch)):
            size = own.shape[0]
            if own.device.type == "cuda":
                # Always as many boards: what is compiled is compiled for one number of them.
                own, opponent = (functional.pad(discs, (0, self.batch - size)) for discs in (own, opponent))
            active, stack = self.active(own, opponent)
            total = functional.embedding_bag(active, self.rows, mode="sum")
            answers.append(self.layers(total, stack)[:size])
        return torch.cat(answers).clamp(-64, 64)
