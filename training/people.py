#!/usr/bin/env python3
"""Fits the network that guesses the moves of people, to tournament games.

    python3 training/people.py --wthor WTHOR --ratings ratings.tsv --blocks 14 --channels 128 --float --export large.half
    python3 training/people.py --wthor WTHOR --ratings ratings.tsv --teacher large.half --out human

The first command fits a large network, the second the one for the program, which learns half from the moves made and half
from the chances that the large one gives. Years divisible by 5 are the test. Every
`--every` seconds a checkpoint is written, from which the same command goes on, and the share of moves guessed in the test
years. `OUT.bin` are the weights in whole numbers, `OUT.txt` says how they were made, `OUT.vectors` holds boards and
what the program must find for them.
"""

import argparse
import copy
import os
import shlex
import sys
import time

import numpy
import torch
from torch.nn import functional

import boards
import policy
from clock import Clock, one_cycle, save, say
from ratings import Ratings
from wthor import NO_MOVE, Games, names

# Some positions are shown without their last moves or without the rating: both may be missing when the program plays.
FORGET_MOVES, FORGET_RATING = 0.15, 0.1


class Moves:
    """Every disc placed in some games: the board before it, the last discs placed, who placed it, and where."""

    def __init__(self, games, chosen, ratings, programs, device):
        squares = torch.from_numpy(games.squares[chosen]).to(device)
        strengths = [torch.from_numpy(ratings.of(seat[chosen], games.year[chosen])) for seat in (games.black, games.white)]
        machines = [torch.from_numpy(programs[seat[chosen]]) for seat in (games.black, games.white)]
        strengths, machines = (torch.stack(seats, dim=1).to(device) for seats in (strengths, machines))
        count = len(squares)
        own = torch.full((count,), 1 << 28 | 1 << 35, device=device)
        opponent = torch.full((count,), 1 << 27 | 1 << 36, device=device)
        side = torch.zeros(count, dtype=torch.int64, device=device)
        recent = torch.full((count, policy.RECENT), policy.NOWHERE, dtype=torch.uint8, device=device)
        playing = torch.ones(count, dtype=torch.bool, device=device)
        found = []
        for ply in range(60):
            square = squares[:, ply]
            playing &= square != NO_MOVE
            # Who cannot move passes.
            passes = playing & (boards.moves(own, opponent) == 0)
            own, opponent = torch.where(passes, opponent, own), torch.where(passes, own, opponent)
            side = torch.where(passes, 1 - side, side)
            able = boards.moves(own, opponent)
            placed = torch.bitwise_left_shift(torch.ones_like(own), square.clamp(max=63).long())
            # A game goes as far as its moves are legal.
            playing &= (able & placed) != 0
            kept = playing.nonzero().squeeze(1)
            rating = strengths.gather(1, side[:, None]).squeeze(1)
            program = machines.gather(1, side[:, None]).squeeze(1)
            number = torch.full_like(kept, ply + 1)
            found.append([own[kept], opponent[kept], recent[kept], rating[kept].to(torch.int16), program[kept],
                          square[kept], number.to(torch.uint8)])
            after = boards.played(own, opponent, placed)
            own, opponent = torch.where(playing, after[0], own), torch.where(playing, after[1], opponent)
            side = torch.where(playing, 1 - side, side)
            recent = torch.cat([square[:, None], recent[:, :-1]], dim=1)
        columns = [torch.cat(parts) for parts in zip(*found)]
        self.own, self.opponent, self.recent, self.rating, self.program, self.square, self.number = columns
        self.chances = None

    def __len__(self):
        return len(self.own)

    def __getitem__(self, at):
        """Boards, last moves, ratings, programs and the squares chosen, for the positions at these numbers."""
        return (self.own[at], self.opponent[at], self.recent[at], self.rating[at].long(), self.program[at].float(),
                self.square[at].long())


def turnings(device):
    """Where each square goes under each of the eight symmetries, and where each comes from. The 256 columns of the first
    send what is no square to no square."""
    square = torch.arange(64, device=device)
    to = torch.full((8, 256), policy.NOWHERE, device=device)
    back = torch.empty((8, 64), dtype=torch.int64, device=device)
    for which in range(8):
        row, column = (square % 8, square // 8) if which & 1 else (square // 8, square % 8)
        column = 7 - column if which & 2 else column
        row = 7 - row if which & 4 else row
        to[which, :64] = 8 * row + column
        back[which, to[which, :64]] = square
    return to, back


def turned(own, opponent, recent, square, chances, which, to, back):
    """A batch, each position in the form that `which` says (0…7), with the tables of `turnings`."""
    for bit, symmetry in enumerate((boards.transposed, boards.mirrored_columns, boards.mirrored_rows)):
        wanted = (which >> bit & 1) == 1
        own, opponent = torch.where(wanted, symmetry(own), own), torch.where(wanted, symmetry(opponent), opponent)
    if chances is not None:
        chances = chances.gather(1, back[which])
    return own, opponent, to[which].gather(1, recent.long()).to(torch.uint8), to[which, square], chances


def forgetful(batch):
    """The same with some last moves and some ratings left out."""
    own, opponent, recent, rating, program, square = batch
    forgets = torch.rand(len(own), device=own.device) < FORGET_MOVES
    recent = torch.where(forgets[:, None], policy.NOWHERE, recent)
    rating = torch.where(torch.rand(len(own), device=own.device) < FORGET_RATING, 0, rating)
    return own, opponent, recent, rating, program, square


@torch.no_grad()
def ask(network, batch, device, whole):
    """The chances of all squares in a batch."""
    with torch.autocast(torch.device(device).type, dtype=torch.bfloat16, enabled=device != "cpu"):
        logits = network(*batch[:5], whole=whole)
    return functional.softmax(policy.legal_only(logits, batch[0], batch[1]), dim=1)


@torch.no_grad()
def label(teacher, moves, device, size, turns):
    """Keeps with each position what the teacher makes of it, the mean over so many of its eight forms."""
    moves.chances = torch.empty((len(moves), 64), dtype=torch.float16, device=device)
    to, back = turnings(device)
    for at in torch.arange(len(moves), device=device).split(size):
        batch, total = moves[at], 0
        first = torch.randint(8, (len(at),), device=device)
        for turn in range(turns):
            which = (first + turn * 8 // turns) % 8
            own, opponent, recent, _, _ = turned(*batch[:3], batch[5], None, which, to, back)
            chances = ask(teacher, (own, opponent, recent, *batch[3:5]), device, False)
            total = total + chances.gather(1, to[which, :64])
        moves.chances[at] = (total / turns).half()


@torch.no_grad()
def measured(network, moves, device, whole, most, size=16_384, alter=lambda batch: batch):
    """The share of moves guessed, first or among three, over all and between moves 15 and 40, forced ones counted or not,
    and the mean log loss: a dictionary."""
    at = torch.arange(0, len(moves), max(len(moves) // most, 1), device=device)
    columns = []
    for some in at.split(size):
        batch = alter(moves[some])
        chances = ask(network, batch, device, whole)
        mine = chances.gather(1, batch[5][:, None]).squeeze(1)
        ahead = (chances > mine[:, None]).sum(dim=1)
        choices = boards.count(boards.moves(batch[0], batch[1]))
        columns.append(torch.stack([ahead.float(), -mine.clamp(min=1e-9).log(), choices.float(), moves.number[some].float()]))
    ahead, loss, choices, number = torch.cat(columns, dim=1)
    middle, free = (number >= 15) & (number <= 40), choices > 1

    def share(chosen, places):
        return 100 * (ahead[chosen] < places).double().mean().item()

    everywhere = torch.ones_like(free)
    return {"top-1": share(everywhere, 1), "top-3": share(everywhere, 3), "unforced": share(free, 1),
            "unforced top-3": share(free, 3), "middle": share(middle, 1), "middle unforced": share(middle & free, 1),
            "loss": loss.mean().item()}


def in_words(result):
    """One line of what was measured."""
    return ", ".join(f"{name} {value:.2f}" for name, value in result.items())


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wthor", required=True, help="folder of the database")
    parser.add_argument("--ratings", required=True, help="what ratings.py made of it")
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--channels", type=int, default=96)
    parser.add_argument("--float", action="store_true", help="no whole numbers: a teacher")
    parser.add_argument("--teacher", help="an exported network whose chances are learnt, too")
    parser.add_argument("--share", type=float, default=0.5, help="how much the teacher's chances count")
    parser.add_argument("--turns", type=int, default=4, help="in how many symmetric forms the teacher is asked")
    parser.add_argument("--checkpoint", help="where the state of the training is kept")
    parser.add_argument("--export", help="where the network is kept in half precision, for --teacher")
    parser.add_argument("--out", help="how the names of the weights for the program begin")
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--rate", type=float, default=1.5e-3, help="the highest learning rate")
    parser.add_argument("--decay", type=float, default=0.02, help="pull of the weights towards zero")
    parser.add_argument("--every", type=float, default=60, help="seconds between checkpoints")
    parser.add_argument("--measure", type=int, default=200_000, help="test positions measured on the way; all in the end")
    parser.add_argument("--games", type=int, default=10**9, help="use so many games, to try things out")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser.parse_args()


def load(options):
    """The moves to learn and those of the test years."""
    games, ratings = Games(options.wthor), Ratings.read(options.ratings)
    # Programs have their author's name in brackets.
    programs = numpy.array(["(" in name for name in names(options.wthor)] + [False] * 65536)
    sets = []
    for chosen in (~games.for_test(), games.for_test()):
        chosen = numpy.flatnonzero(chosen)[: options.games]
        sets.append(Moves(games, chosen, ratings, programs, options.device))
    say(f"{len(sets[0]):,} moves to learn, {len(sets[1]):,} of the test years")
    return sets


def exported(path, device):
    """The network of such a file."""
    saved = torch.load(path, map_location=device, weights_only=True)
    network = policy.Policy(saved["blocks"], saved["channels"]).to(device).to(memory_format=torch.channels_last)
    network.load_state_dict(saved["network"])
    return network.eval()


def quick(network, device):
    """The network compiled for the graphics card, or as it is where there is none."""
    if device == "cpu":
        return network
    torch._dynamo.config.suppress_errors = True
    return torch.compile(network, dynamic=False)


class Fit:
    """One network while it learns."""

    def __init__(self, options):
        self.options, device = options, options.device
        self.network = policy.Policy(options.blocks, options.channels).to(device).to(memory_format=torch.channels_last)
        self.smooth = copy.deepcopy(self.network)
        self.optimiser = torch.optim.AdamW(self.network.parameters(), lr=options.rate, weight_decay=options.decay,
                                           betas=(0.9, 0.98), fused=device != "cpu")
        self.step, spent = 0, 0.0
        if options.checkpoint and os.path.exists(options.checkpoint):
            saved = torch.load(options.checkpoint, map_location=device, weights_only=True)
            self.network.load_state_dict(saved["network"])
            self.smooth.load_state_dict(saved["smooth"])
            self.optimiser.load_state_dict(saved["optimiser"])
            self.step, spent = saved["step"], saved["spent"]
            say(f"resumed after {spent:.0f} s, step {self.step}")
        self.clock = Clock(options.minutes, spent)
        self.run, self.turned = quick(self.network, device), quick(turned, device)
        self.to, self.back = turnings(device)

    def shown(self, batch, chances):
        """A batch as it is learnt: turned at random, with some last moves and some ratings left out."""
        own, opponent, recent, rating, program, square = batch
        which = torch.randint(8, (len(own),), device=own.device)
        own, opponent, recent, square, chances = self.turned(own, opponent, recent, square, chances, which, self.to, self.back)
        return forgetful((own, opponent, recent, rating, program, square)), chances

    def learn(self, moves):
        """One step."""
        options = self.options
        rate = one_cycle(self.clock.share(), options.rate)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        at = torch.randint(len(moves), (options.batch,), device=options.device)
        batch, chances = self.shown(moves[at], None if moves.chances is None else moves.chances[at])
        with torch.autocast(torch.device(options.device).type, dtype=torch.bfloat16, enabled=options.device != "cpu"):
            logits = self.run(*batch[:5], whole=not options.float)
        logits = policy.legal_only(logits, batch[0], batch[1])
        loss = functional.cross_entropy(logits, batch[5])
        if chances is not None:
            taught = -(chances.float() * functional.log_softmax(logits, dim=1)).sum(dim=1).mean()
            loss = (1 - options.share) * loss + options.share * taught
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimiser.step()
        # The mean over the last steps guesses better than any one of them.
        keep = min(0.999, self.step / (self.step + 10))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.smooth.parameters()), list(self.network.parameters()), 1 - keep)
        self.step += 1
        return loss

    def keep(self):
        """Writes checkpoint and export."""
        options, size = self.options, {"blocks": self.options.blocks, "channels": self.options.channels}
        if not all(bool(values.isfinite().all()) for values in self.network.parameters()):
            raise SystemExit("training diverged; begin again with half of --rate")
        if options.checkpoint:
            save({"network": self.network.state_dict(), "smooth": self.smooth.state_dict(), "step": self.step,
                  "optimiser": self.optimiser.state_dict(), "spent": self.clock.spent(), **size}, options.checkpoint)
        if options.export:
            save({"network": {name: values.half() for name, values in self.smooth.state_dict().items()}, **size},
                 options.export)

    def write(self, result, moves, test):
        """Writes the weights for the program, how they were made, and what it must find."""
        options = self.options
        whole = policy.Whole(copy.deepcopy(self.smooth))
        size = whole.write(options.out + ".bin")
        with open(options.out + ".txt", "w", encoding="utf-8") as file:
            file.write(
                f"{os.path.basename(options.out)}.bin: {options.blocks} blocks of {options.channels} channels, {size:,} bytes\n\n"
                f"made     {time.strftime('%Y-%m-%d')}, commit {os.environ.get('EMILIA_COMMIT', 'not told')}\n"
                f"command  python3 {shlex.join(sys.argv)}\n"
                f"data     WTHOR 1977 to 2025 without the years divisible by 5: {len(moves):,} moves\n"
                f"steps    {self.step:,} of {options.batch:,}\n"
                f"test     {len(test):,} moves of the years divisible by 5\n"
                f"         {in_words(result)}\n"
            )
        vectors(whole, test, options.out + ".vectors")


def vectors(whole, test, path, count=120):
    """Writes some positions with what the program must find: own discs, the opponent's, last moves, rating, then for each
    legal move, in order of squares, its number in units of 1/256. Every fourth has no last moves, every fifth no rating."""
    at = torch.arange(0, len(test), max(len(test) // count, 1), device=test.own.device)[:count]
    own, opponent, recent, rating, _, _ = (column.cpu() for column in test[at])
    number = torch.arange(len(own))
    recent = torch.where((number % 4 == 0)[:, None], policy.NOWHERE, recent)
    rating = torch.where(number % 5 == 0, 0, rating)
    found, legal = whole(own, opponent, recent, rating), boards.squares(boards.moves(own, opponent)) == 1
    with open(path, "w", encoding="ascii") as file:
        for row in range(len(own)):
            last = ",".join(str(square) for square in recent[row].tolist())
            numbers = " ".join(str(value) for value in found[row][legal[row]].tolist())
            file.write(f"{own[row].item() % (1 << 64):016x} {opponent[row].item() % (1 << 64):016x} {last} "
                       f"{rating[row].item()} {numbers}\n")


def main():
    options = arguments()
    torch.manual_seed(3)
    torch.backends.cuda.matmul.allow_tf32 = True
    moves, test = load(options)
    if options.teacher:
        begun = time.monotonic()
        teacher = exported(options.teacher, options.device)
        label(teacher, moves, options.device, 8 * options.batch, options.turns)
        say(f"labelled in {time.monotonic() - begun:.0f} s")
    fit = Fit(options)
    losses, since, before = [], time.monotonic(), fit.step
    while not fit.clock.is_over():
        loss = fit.learn(moves)
        if fit.step % 20 == 0:
            losses.append(loss.detach())
        if time.monotonic() >= since + options.every:
            result = measured(fit.smooth, test, options.device, not options.float, options.measure)
            speed = (fit.step - before) * options.batch / (time.monotonic() - since)
            say(f"{fit.clock.spent():5.0f} s step {fit.step:6} loss {torch.stack(losses).mean().item() if losses else 0:.4f} {speed:9.0f}/s | "
                f"{in_words(result)}")
            fit.keep()
            losses, since, before = [], time.monotonic(), fit.step
    result = measured(fit.smooth, test, options.device, not options.float, 10**9)
    say(f"all of the test years: {in_words(result)}")
    bare = measured(fit.smooth, test, options.device, not options.float, options.measure,
                    alter=lambda batch: (*batch[:2], torch.full_like(batch[2], policy.NOWHERE), *batch[3:]))
    say(f"without last moves: {in_words(bare)}")
    nobody = measured(fit.smooth, test, options.device, not options.float, options.measure,
                      alter=lambda batch: (*batch[:3], torch.zeros_like(batch[3]), *batch[4:]))
    say(f"without ratings: {in_words(nobody)}")
    fit.keep()
    if options.out:
        fit.write(result, moves, test)


if __name__ == "__main__":
    main()
