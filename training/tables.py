"""The first student: tables of patterns. The score is a sum over places; what stands there has a weight, which depends
on the phase of the game; and a constant depends on the number of empty squares."""

import torch
from torch import nn
from torch.nn import functional

import boards
import weights


class Tables(nn.Module):
    """Weights in discs."""

    name = "patterns"
    title = "tables of patterns"

    def __init__(self, shapes):
        super().__init__()
        self.shapes = shapes
        self.tables = nn.Parameter(torch.zeros(boards.PHASES * shapes.weights, 1))
        self.bias = nn.Parameter(torch.zeros(65))

    def forward(self, own, opponent):
        return self._sum(own, opponent, self.tables, self.bias)

    def _sum(self, own, opponent, tables, bias):
        empties = boards.count(~(own | opponent))
        phase = boards.phase_of(empties).to(torch.int32)
        active = self.shapes.active(own, opponent) + (phase * self.shapes.weights)[:, None]
        return functional.embedding_bag(active, tables, mode="sum").squeeze(1) + bias[empties]

    def groups(self):
        """The parameters as an optimiser takes them."""
        return [{"params": list(self.parameters()), "weight_decay": 0.0}]

    def hasten(self, own, opponent):
        """Nothing to make quicker."""

    def leave_out(self, some):
        """All weights are kept."""

    def confine(self, rate):
        """Nothing to keep within bounds."""

    @torch.no_grad()
    def quantised(self, parameters):
        """Tables and constants rounded as the file rounds them, still in discs."""
        units = 128 / weights.PATTERN_UNIT
        return [(parameter * units).round().clamp(-16000, 16000) / units for parameter in parameters]

    @torch.no_grad()
    def whole_scores(self, whole, own, opponent):
        """Scores in discs as the program computes them."""
        return self._sum(own, opponent, *whole).clamp(-64, 64)

    def write(self, path, whole):
        """Writes the file of weights; returns its size."""
        tables = whole[0].reshape(boards.PHASES, -1).cpu().numpy()
        return weights.write_patterns(path, self.shapes, tables, whole[1].cpu().numpy())
