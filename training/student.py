#!/usr/bin/env python3
"""Fits what comes with the program: tables of patterns, and the small network on top of patterns.

    python3 training/student.py --teacher teacher.pt --data 'data/*.emd' --test test.emd --out weights

First the teacher labels positions for some minutes, then each student is fitted to them for its own time. Without a
teacher the students are fitted to the scores of the data. Weights are written every minute, `OUT-patterns.bin` and
`OUT-network.bin`, each with a text that says how it was made; a student that was interrupted goes on from its
checkpoint in the folder `--work`.
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
from clock import Clock, one_cycle, save, say
from label import Labelled, label
from shapes import USUAL, Shapes
from small import Small
from tables import Tables


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", nargs="+", required=True, help="files of positions, or patterns in quotes")
    parser.add_argument("--test", nargs="+", required=True, help="files of positions that are never trained on")
    parser.add_argument("--teacher", help="the teacher's checkpoint")
    parser.add_argument("--out", required=True, help="how the names of the weights begin")
    parser.add_argument("--work", default=".", help="folder for checkpoints")
    parser.add_argument("--shapes", default=USUAL, help="the list of shapes")
    parser.add_argument("--positions", type=int, default=400_000_000, help="positions to label, at most")
    parser.add_argument("--label-minutes", type=float, default=2.5)
    parser.add_argument("--plies", type=int, default=5, help="the most random plies beside the data")
    parser.add_argument("--patterns-minutes", type=float, default=1.5, help="0 for none")
    parser.add_argument("--network-minutes", type=float, default=3, help="0 for none")
    parser.add_argument("--width", type=int, default=16, help="numbers in a row of the network")
    parser.add_argument("--hidden", type=int, default=16, help="neurons of the network")
    parser.add_argument("--batch", type=int, default=262_144)
    parser.add_argument("--patterns-rate", type=float, default=0.03)
    parser.add_argument("--network-rate", type=float, default=0.004)
    parser.add_argument("--huber", type=float, default=16, help="errors beyond so many discs count linearly")
    parser.add_argument("--every", type=float, default=45, help="seconds between weights written")
    parser.add_argument("--measure", type=int, default=200_000, help="how many test positions are measured")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser.parse_args()


def positions(options, device):
    """The positions to fit: labelled by the teacher, or as the data has them."""
    store = data.Store(options.data, device, say)
    if options.teacher is None:
        labelled = Labelled(0, device)
        labelled.own, labelled.opponent, labelled.score = store.own, store.opponent, store.score
        labelled.size = len(store)
        return labelled, store
    labelled = Labelled(options.positions, device)
    teacher = network.load(options.teacher, device)
    label(teacher, store, labelled, options.label_minutes, options.plies, batch=min(options.batch, options.positions))
    return labelled, store


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


def fit(student, minutes, rate, labelled, store, test, options):
    """Fits one student for so many minutes."""
    device = options.device
    path = os.path.join(options.work, f"student-{student.name}.pt")
    smooth = [parameter.detach().clone() for parameter in student.parameters()]
    optimiser = torch.optim.Adam(student.parameters(), lr=rate, betas=(0.9, 0.99), fused=device != "cpu")
    step, spent = 0, 0.0
    if os.path.exists(path):
        saved = torch.load(path, map_location=device, weights_only=True)
        student.load_state_dict(saved["student"])
        optimiser.load_state_dict(saved["optimiser"])
        smooth, step, spent = saved["smooth"], saved["step"], saved["spent"]
        say(f"{student.name}: resumed after {spent:.0f} s, step {step}")
    clock = Clock(minutes, spent)
    at_test = measure.sample(test, options.measure)
    loss_sum, loss_count, seen, since = 0.0, 0, 0, time.monotonic()

    def write():
        whole = student.quantised(smooth)
        parts = at_test.split(options.batch)
        answers = [student.whole_scores(whole, test.own[part], test.opponent[part]) for part in parts]
        errors = measure.bands(test, torch.cat(answers), at_test)
        say(f"{student.name} {clock.spent():5.0f} s step {step:6} loss {loss_sum / max(loss_count, 1):7.3f} "
            f"{seen / (time.monotonic() - since):9.0f}/s | {errors}")
        name = f"{options.out}-{student.name}.bin"
        size = student.write(name, whole)
        with open(f"{options.out}-{student.name}.txt", "w", encoding="utf-8") as file:
            file.write(sidecar(options, student, name, store, errors, size))
        vectors(student, whole, test, f"{options.out}-{student.name}.vectors")

    say(f"{student.name}: {student.title}; mean error in discs by most empty squares: {measure.heading()}")
    next_time = since + options.every
    while not clock.is_over():
        for group in optimiser.param_groups:
            group["lr"] = one_cycle(clock.share(), rate)
        at = torch.randint(len(labelled), (options.batch,), device=device)
        own, opponent = labelled.own[at], labelled.opponent[at]
        truth = labelled.score[at].to(torch.float32) / files.UNITS
        loss = torch.nn.functional.huber_loss(student(own, opponent), truth, delta=options.huber)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        student.confine()
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
            loss_sum, loss_count, seen, since = 0.0, 0, 0, time.monotonic()
            next_time = since + options.every
    write()
    with torch.no_grad():
        for parameter, value in zip(student.parameters(), smooth):
            parameter.copy_(value)


def vectors(student, whole, test, path, count=300):
    """Writes some boards with the scores that the program must give them: own discs, the opponent's, 128ths."""
    at = torch.arange(0, len(test), max(len(test) // count, 1), device=test.device)[:count]
    own, opponent = test.own[at], test.opponent[at]
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
    labelled, store = positions(options, device)
    if len(labelled) == 0:
        raise SystemExit("there are no positions to fit")
    os.makedirs(options.work, exist_ok=True)
    tables = Tables(shapes).to(device)
    if options.patterns_minutes > 0:
        fit(tables, options.patterns_minutes, options.patterns_rate, labelled, store, test, options)
    if options.network_minutes > 0:
        small = Small(shapes, options.width, options.hidden).to(device)
        if options.patterns_minutes > 0:
            small.begin_with(tables)
        fit(small, options.network_minutes, options.network_rate, labelled, store, test, options)


if __name__ == "__main__":
    main()
