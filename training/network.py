"""The teacher: a residual network that looks at the whole board."""

import torch
from torch import nn
from torch.nn import functional

import boards

PLANES = 7
SCALE = 16.0  # discs per unit of the network's output


def planes(own, opponent):
    """What the network sees, batch × PLANES × 8 × 8: own discs, the opponent's, empty squares (so that the edge of the
    board can be told), where each side could move, and on all squares how much of the game is left and whether the
    number of empty squares is odd."""
    empty = ~(own | opponent)
    seen = torch.stack([own, opponent, empty, boards.moves(own, opponent), boards.moves(opponent, own)], dim=1)
    seen = boards.squares(seen.reshape(-1)).reshape(-1, 5, 64)
    left = boards.count(empty)
    whole = torch.stack([left.to(torch.float32) / 60, (left & 1).to(torch.float32)], dim=1)
    seen = torch.cat([seen.to(torch.float32), whole[:, :, None].expand(-1, -1, 64)], dim=1)
    return seen.reshape(-1, PLANES, 8, 8)


class Block(nn.Module):
    """Two convolutions beside a shortcut. It begins as the identity, so no normalisation is needed. Every third block
    also tells each channel what the whole board holds."""

    def __init__(self, channels, depth, whole_board):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        nn.init.kaiming_normal_(self.first.weight, nonlinearity="relu")
        self.first.weight.data *= depth**-0.5
        nn.init.zeros_(self.first.bias)
        nn.init.zeros_(self.second.weight)
        nn.init.zeros_(self.second.bias)
        self.whole = nn.Linear(2 * channels, channels) if whole_board else None

    def forward(self, x):
        y = functional.relu(self.first(functional.relu(x)))
        if self.whole is not None:
            summary = torch.cat([y.mean(dim=(2, 3)), y.amax(dim=(2, 3))], dim=1)
            y = y + self.whole(summary)[:, :, None, None]
        return x + self.second(y)


class Teacher(nn.Module):
    """Boards in, discs for the side to move out."""

    def __init__(self, blocks, channels):
        super().__init__()
        self.stem = nn.Conv2d(PLANES, channels, 3, padding=1)
        self.blocks = nn.Sequential(*[Block(channels, blocks, at % 3 == 2) for at in range(blocks)])
        self.narrow = nn.Conv2d(channels, 32, 1)
        self.wide = nn.Linear(32 * 64, 256)
        self.out = nn.Linear(256, 1)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, own, opponent):
        x = planes(own, opponent).to(memory_format=torch.channels_last)
        x = functional.relu(self.blocks(self.stem(x)))
        x = functional.relu(self.narrow(x)).flatten(1)
        x = functional.relu(self.wide(x))
        return self.out(x).squeeze(1).float() * SCALE


def quick(teacher):
    """The teacher compiled for the graphics card, or as it is where there is none."""
    if next(teacher.parameters()).device.type != "cuda":
        return teacher
    # What cannot be compiled is still right, only slower.
    torch._dynamo.config.suppress_errors = True
    return torch.compile(teacher, dynamic=False)


@torch.no_grad()
def ask(teacher, own, opponent, batch=32_768):
    """The teacher's scores of boards, in discs."""
    device = own.device.type
    answers = []
    for at in range(0, own.shape[0], batch):
        some, others = own[at : at + batch], opponent[at : at + batch]
        size = some.shape[0]
        if device == "cuda":
            # Always as many boards: what is compiled is compiled for one number of them.
            some, others = (functional.pad(discs, (0, batch - size)) for discs in (some, others))
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            answers.append(teacher(some, others)[:size])
    return torch.cat(answers).clamp(-64, 64) if answers else torch.zeros(0, device=own.device)


class Asked:
    """The teacher of a checkpoint, to be called with boards."""

    def __init__(self, path, device):
        saved = torch.load(path, map_location=device, weights_only=True)
        teacher = Teacher(saved["blocks"], saved["channels"])
        teacher.load_state_dict(saved["smooth"])
        self.teacher = quick(teacher.to(device).to(memory_format=torch.channels_last).eval())

    def __call__(self, own, opponent):
        return ask(self.teacher, own, opponent)
