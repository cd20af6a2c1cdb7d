#!/usr/bin/env python3
"""Fits what comes with the program: tables of patterns, and the small network on top of patterns.

    python3 training/student.py --teacher teacher.pt --data 'data/*.emd' --test test.emd --out weights

First the teacher plays games against itself and labels positions of the data, each for some minutes, then each student
is fitted to all of these for its own time. Without a teacher the students are fitted to the scores of the data. A share of the
boards may come from files of solved or deeply searched boards (`--solved`), which may still grow: where they are to stand alone
near the end, the teacher labels no such board. With `--met` half of the teacher's boards are what searches have met
(crates/learn/examples/leaves.rs makes both kinds of files). Weights are written every minute, `OUT-patterns.bin` and
`OUT-NAME.bin` for each network, each with a text that says how it was made; a student that was interrupted goes on from its checkpoint in the folder `--work`.
"""

import argparse
import os
import shlex
import sys
import time

import torch

import boards
import data
import files
import measure
import network
import play
from clock import Clock, one_cycle, save, say
from label import Labelled, label
from shapes import USUAL, Shapes
from small import Mover, Small
from tables import Tables


# What a board counts at least that the student judges to be decided.
LEAST_WEIGHT = 0.2
VECTORS = 300  # boards with the scores that the program must give them


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", nargs="+", required=True, help="files of positions, or patterns in quotes")
    parser.add_argument("--test", nargs="+", required=True, help="files of positions that are never trained on")
    parser.add_argument("--teacher", help="the teacher's checkpoint")
    parser.add_argument("--solved", nargs="+", default=[], help="files of positions with exact or searched scores, see endings.py")
    parser.add_argument("--solved-share", type=float, default=0.35, help="share of these in each batch")
    parser.add_argument("--solved-empties", type=int, default=15, help="the most empty squares where only these count")
    parser.add_argument("--met", nargs="+", default=[], help="files of boards that searches have met; needs --mover")
    parser.add_argument("--mover", help="weights of a small network that chooses the moves of the teacher's games")
    parser.add_argument("--out", required=True, help="how the names of the weights begin")
    parser.add_argument("--work", default=".", help="folder for checkpoints")
    parser.add_argument("--shapes", default=USUAL, help="the list of shapes")
    parser.add_argument("--positions", type=int, default=400_000_000, help="positions to label, at most")
    parser.add_argument("--keep", help="a file of labelled positions: what it has is taken, what is new is written to it")
    parser.add_argument("--play-minutes", type=float, default=4, help="for games of the teacher against itself")
    parser.add_argument("--label-minutes", type=float, default=1, help="for positions of the data and beside them")
    parser.add_argument("--plies", type=int, default=5, help="the most random plies beside the data")
    parser.add_argument("--patterns-minutes", type=float, default=1.5, help="0 for none")
    parser.add_argument("--network", nargs="*", type=wanted, default=[wanted("network:3:15,27,39")],
                        metavar="NAME:MINUTES:ENDS[:COLUMNS:SQUARES]",
                        help="networks to fit; ENDS are the most empty squares of each set of rows but the last; for one that "
                             "travels quickly, so many COLUMNS are used, and shapes of at most so many SQUARES; 0 MINUTES: "
                             "until the deadline")
    parser.add_argument("--begin-with", help="weights of a network that is to learn more")
    parser.add_argument("--deadline", help="a file with the time, in seconds since 1970, at which a network of 0 minutes ends")
    parser.add_argument("--aside", type=float, default=0.4, help="share of boards after moves that the games left out")
    parser.add_argument("--batch", type=int, default=262_144)
    parser.add_argument("--patterns-rate", type=float, default=0.03)
    parser.add_argument("--network-rate", type=float, default=0.004)
    parser.add_argument("--huber", type=float, default=16, help="errors beyond so many discs count linearly")
    parser.add_argument("--near", type=float, default=0,
                        help="boards judged to be worth more than so many discs count less, those of so many 0.6 times; 0: all the same")
    parser.add_argument("--every", type=float, default=45, help="seconds between weights written")
    parser.add_argument("--measure", type=int, default=200_000, help="how many test positions are measured")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    if options.met and not options.mover:
        parser.error("--met needs --mover: the teacher alone plays no games from boards that searches have met")
    return options


def wanted(text):
    """A network that is asked for: name, minutes, where its sets of rows end, and what of them is used."""
    name, minutes, ends, *used = text.split(":")
    columns, squares = [int(number) for number in used] or [None, None]
    return name, float(minutes), [int(end) for end in ends.split(",")], columns, squares


def minutes_left(options):
    """How long a network may still learn."""
    with open(options.deadline, encoding="ascii") as file:
        return max((float(file.read()) - time.time()) / 60, 0.1)


def positions(options, device):
    """The positions to fit: labelled by the teacher, or as the data has them. Also those beside the teacher's games."""
    store = data.Store(options.data, device, say)
    fewest = options.solved_empties + 1 if options.solved else 0
    if options.teacher is None:
        labelled = Labelled(len(store), device, fewest)
        labelled.add(store.own, store.opponent, store.discs(slice(None)))
        labelled.shuffle()
        return labelled, Labelled(0, device), store
    labelled = Labelled(options.positions, device, fewest)
    if options.keep and os.path.exists(options.keep):
        labelled.take(options.keep)
        say(f"{len(labelled):,} positions were labelled before")
    teacher = network.Asked(options.teacher, device)
    aside = Labelled(options.positions, device)
    mover = Mover(options.mover, device) if options.mover else None
    games = min(options.positions, 65_536 if mover is None else 262_144)
    met = data.Store(options.met, device, say) if options.met else None
    play.fill(teacher, store, labelled, aside, Clock(options.play_minutes), games, options.plies, mover, met)
    store.refresh()
    label(teacher, store, labelled, options.label_minutes, options.plies, batch=min(options.batch, options.positions))
    labelled.shuffle()
    if options.keep:
        labelled.keep(options.keep)
    return labelled, aside, store


def sidecar(options, student, name, store, errors, size):
    """What is known about a file of weights."""
    files = [(path, taken) for path, taken in store.taken.items() if not path.endswith(".emg")]
    lines = [f"{os.path.basename(path)}: {taken:,} positions" for path, taken in files]
    games = [taken for path, taken in store.taken.items() if path.endswith(".emg")]
    if games:
        lines.append(f"self-play: {sum(games):,} games in {len(games):,} files, of 64 games one kept for the test")
    lines.append(f"in all {len(store):,} positions")
    return (
        f"{os.path.basename(name)}: {student.title}, {size:,} bytes\n\n"
        f"made     {time.strftime('%Y-%m-%d')}, commit {os.environ.get('EMILIA_COMMIT', 'not told')}\n"
        f"command  python3 {shlex.join(sys.argv)}\n"
        "data     " + "\n         ".join(lines) + "\n"
        f"loss     mean absolute error in discs on the test data, by most empty squares\n"
        f"         {measure.heading()}\n"
        f"         {errors}\n"
    )


class Lessons:
    """What students are fitted to: positions in random order, the last of which are kept apart, those beside the
    teacher's games, and solved ones."""

    def __init__(self, labelled, aside, solved, options):
        self.labelled, self.aside, self.solved = labelled, aside, solved
        self.batch, self.huber, self.near = options.batch, options.huber, options.near
        self.shares = options.aside, options.solved_share
        self.last = len(labelled) - min(len(labelled) // 50, options.batch)
        self.refresh()

    def refresh(self):
        """Reads what is new in files of solved boards."""
        self.solved.refresh()
        # What each kind has, how many of it, and its share of a batch; the last kind has the rest.
        kinds = [(some, len(some), share) for some, share in zip((self.aside, self.solved), self.shares)]
        self.kinds = [*[kind for kind in kinds if kind[1]], (self.labelled, self.last, 1)]

    def all(self):
        """Every board that may be fitted, a batch at a time."""
        for some, end, _ in self.kinds:
            for at in range(0, end, self.batch):
                there = slice(at, min(at + self.batch, end))
                yield some.own[there], some.opponent[there]

    def loss(self, student):
        """The loss on a random batch of all kinds."""
        parts, left = [], self.batch
        for some, end, share in self.kinds:
            many = min(int(self.batch * share), left)
            parts.append((some, torch.randint(end, (many,), device=self.labelled.own.device)))
            left -= many
        return self._loss(student, parts)

    @torch.no_grad()
    def unseen_loss(self, student):
        """The loss on positions that are never fitted: how much is for want of data."""
        at = torch.arange(self.last, len(self.labelled), device=self.labelled.own.device)
        return self._loss(student, [(self.labelled, at)]).item()

    def _loss(self, student, parts):
        columns = ("own", "opponent", "score")
        own, opponent, score = (torch.cat([getattr(some, name)[at] for some, at in parts]) for name in columns)
        truth = score.to(torch.float32) / files.UNITS
        said = student(own, opponent)
        errors = torch.nn.functional.huber_loss(said, truth, delta=self.huber, reduction="none")
        return (errors * self.weights(said.detach())).mean()

    def weights(self, said):
        """How much boards count that the student judges so: by what it says, not by the truth, or it would learn that no board
        is far from even."""
        if self.near == 0:
            return torch.ones_like(said)
        weights = LEAST_WEIGHT + (1 - LEAST_WEIGHT) / (1 + (said / self.near) ** 4)
        return weights / weights.mean()


def fit(student, minutes, rate, lessons, store, test, options):
    """Fits one student for so many minutes, or until the deadline if that is none."""
    device = options.device
    path = os.path.join(options.work, f"student-{student.name}.pt")
    smooth = [parameter.detach().clone() for parameter in student.parameters()]
    student.leave_out(lessons.all())
    student.hasten(lessons.labelled.own[: options.batch], lessons.labelled.opponent[: options.batch])
    optimiser = torch.optim.AdamW(student.groups(), lr=rate, betas=(0.9, 0.99), fused=device != "cpu")
    step, spent = 0, 0.0
    if os.path.exists(path):
        saved = torch.load(path, map_location=device, weights_only=True)
        student.load_state_dict(saved["student"])
        optimiser.load_state_dict(saved["optimiser"])
        smooth, step, spent = saved["smooth"], saved["step"], saved["spent"]
        say(f"{student.name}: resumed after {spent:.0f} s, step {step}")
    clock = Clock(minutes or minutes_left(options), spent)
    at_test = measure.sample(test, options.measure)
    loss_sum, loss_count, seen, since = 0.0, 0, 0, time.monotonic()

    def write():
        whole = student.quantised(smooth)
        parts = at_test.split(options.batch)
        answers = [student.whole_scores(whole, test.own[part], test.opponent[part]) for part in parts]
        errors = measure.bands(test, torch.cat(answers), at_test)
        say(f"{student.name} {clock.spent():5.0f} s step {step:6} loss {loss_sum / max(loss_count, 1):7.3f} "
            f"unseen {lessons.unseen_loss(student):7.3f} {seen / (time.monotonic() - since):9.0f}/s | {errors}")
        name = f"{options.out}-{student.name}.bin"
        size = student.write(name, whole)
        with open(f"{options.out}-{student.name}.txt", "w", encoding="utf-8") as file:
            file.write(sidecar(options, student, name, store, errors, size))
        at = torch.arange(0, len(test), max(len(test) // VECTORS, 1), device=test.device)[:VECTORS]
        vectors(student, whole, test.own[at], test.opponent[at], f"{options.out}-{student.name}.vectors")

    say(f"{student.name}: {student.title}; mean error in discs by most empty squares: {measure.heading()}")
    next_time = since + options.every
    while not clock.is_over():
        for group in optimiser.param_groups:
            group["lr"] = one_cycle(clock.share(), rate)
        loss = lessons.loss(student)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        student.confine(optimiser.param_groups[0]["lr"])
        with torch.no_grad():
            keep = min(0.99, step / (step + 10))
            torch._foreach_lerp_(smooth, list(student.parameters()), 1 - keep)
        step += 1
        seen += options.batch
        if step % 20 == 0:
            loss_sum += loss.item()
            loss_count += 1
        if time.monotonic() >= next_time:
            state = {"student": student.state_dict(), "optimiser": optimiser.state_dict(), "smooth": smooth}
            save({**state, "step": step, "spent": clock.spent()}, path)
            write()
            lessons.refresh()
            loss_sum, loss_count, seen, since = 0.0, 0, 0, time.monotonic()
            next_time = since + options.every
    write()


def vectors(student, whole, own, opponent, path):
    """Writes these boards with the scores that the program must give them: own discs, the opponent's, 128ths."""
    scores = (student.whole_scores(whole, own, opponent) * files.UNITS).round().to(torch.int64)
    with open(path, "w", encoding="ascii") as file:
        for line in zip(own.tolist(), opponent.tolist(), scores.tolist()):
            file.write(f"{line[0] % (1 << 64):016x} {line[1] % (1 << 64):016x} {line[2]}\n")


def main():
    options = arguments()
    device = options.device
    torch.manual_seed(2)
    shapes = Shapes(options.shapes).to(device)
    test = data.Store(options.test, device, say, part="test")
    labelled, aside, store = positions(options, device)
    solved = data.Store(options.solved, device, say, results=False)
    if len(labelled) == 0:
        raise SystemExit("there are no positions to fit")
    lessons = Lessons(labelled, aside, solved, options)
    os.makedirs(options.work, exist_ok=True)
    if options.patterns_minutes > 0:
        tables = Tables(shapes).to(device)
        fit(tables, options.patterns_minutes, options.patterns_rate, lessons, store, test, options)
    for name, minutes, ends, columns, squares in options.network:
        small = Small(shapes, ends, name, columns, squares)
        if options.begin_with:
            small.read(options.begin_with)
        small.to(device)
        fit(small, minutes, options.network_rate, lessons, store, test, options)


if __name__ == "__main__":
    main()
