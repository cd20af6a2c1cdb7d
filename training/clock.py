"""How far a run of limited time has come, the learning rate that follows, and lines that are shown at once."""

import math
import os
import time


class Clock:
    """Time spent on a run, which may be interrupted and resumed."""

    def __init__(self, minutes, spent=0.0):
        self.limit, self.begun = minutes * 60, time.monotonic() - spent

    def spent(self):
        """Seconds of work so far, those before an interruption included."""
        return time.monotonic() - self.begun

    def share(self):
        """The share of the time that is used, 0…1."""
        return min(self.spent() / self.limit, 1.0)

    def is_over(self):
        """Whether the time is up."""
        return self.spent() >= self.limit


def one_cycle(share, most, warm=0.05):
    """The learning rate after this share of a run: up quickly, then down to nothing along a cosine."""
    if share < warm:
        return most * max(share / warm, 0.02)
    return most * max(0.5 * (1 + math.cos(math.pi * (share - warm) / (1 - warm))), 1e-3)


def say(*words):
    """Prints a line that is not held back."""
    print(*words, flush=True)


def save(what, path):
    """Writes a checkpoint, whole or not at all."""
    import torch

    torch.save(what, path + ".unfinished")
    os.replace(path + ".unfinished", path)
