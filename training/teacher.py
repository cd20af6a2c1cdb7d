#!/usr/bin/env python3
"""Trains the teacher, a large network, on positions with scores.

    python3 training/teacher.py --data 'data/*.emd' --test test.emd --minutes 5 --checkpoint teacher.pt

Runs for the given time and follows one cycle of the learning rate. A checkpoint is written every minute; the same
command goes on from it after an interruption. Files of data may still grow: what is new is read at each checkpoint.
"""

import argparse
import copy
import os
import time

import torch
from torch.nn import functional

import boards
import measure
import network
from clock import Clock, one_cycle, save, say
from data import END, Store, trust


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", nargs="+", required=True, help="files of positions, or patterns in quotes")
    parser.add_argument("--test", nargs="+", required=True, help="files of positions that are never trained on")
    parser.add_argument("--checkpoint", required=True, help="where the teacher is kept")
    parser.add_argument("--export", help="where the teacher is also kept without what only training needs: smaller")
    parser.add_argument("--begin-with", help="a teacher, checkpoint or export, that is to learn more, with a new cycle")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--blocks", type=int, default=10)
    parser.add_argument("--channels", type=int, default=128)
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--rate", type=float, default=1.2e-3, help="the highest learning rate")
    parser.add_argument("--decay", type=float, default=0.01, help="pull of the weights towards zero")
    parser.add_argument("--huber", type=float, default=12, help="errors beyond so many discs count linearly")
    parser.add_argument("--every", type=float, default=60, help="seconds between checkpoints")
    parser.add_argument("--measure", type=int, default=200_000, help="how many test positions are measured")
    parser.add_argument("--endings", type=float, default=0.4,
                        help=f"share of the positions with fewer than {END} empty squares that is used")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser.parse_args()


def check_size(saved, path, options):
    """A teacher of another size cannot be gone on with."""
    if (saved["blocks"], saved["channels"]) != (options.blocks, options.channels):
        raise SystemExit(f"{path}: a teacher of {saved['blocks']} × {saved['channels']}, not this one")


def begin_with(teacher, options):
    """Lets the teacher know what an earlier one knew."""
    saved = torch.load(options.begin_with, map_location=options.device, weights_only=True)
    check_size(saved, options.begin_with, options)
    teacher.load_state_dict(saved["smooth"])


def main():
    options = arguments()
    device = options.device
    torch.manual_seed(1)
    train = Store(options.data, device, say, results=False, endings=options.endings)
    test = Store(options.test, device, say, part="test")
    while len(train) == 0:
        say("waiting for data")
        time.sleep(10)
        train.refresh()

    teacher = network.Teacher(options.blocks, options.channels).to(device).to(memory_format=torch.channels_last)
    if options.begin_with:
        begin_with(teacher, options)
    smooth = copy.deepcopy(teacher)
    optimiser = torch.optim.AdamW(teacher.parameters(), lr=options.rate, weight_decay=options.decay, betas=(0.9, 0.98))
    step, spent = 0, 0.0
    if os.path.exists(options.checkpoint):
        saved = torch.load(options.checkpoint, map_location=device, weights_only=True)
        check_size(saved, options.checkpoint, options)
        teacher.load_state_dict(saved["teacher"])
        smooth.load_state_dict(saved["smooth"])
        optimiser.load_state_dict(saved["optimiser"])
        step, spent = saved["step"], saved["spent"]
        say(f"resumed after {spent:.0f} s, step {step}")
    clock = Clock(options.minutes, spent)
    run = network.quick(teacher)

    def checkpoint():
        if not all(bool(values.isfinite().all()) for values in teacher.parameters()):
            raise SystemExit(f"training diverged; begin again from {options.checkpoint} with half of --rate")
        state = {"teacher": teacher.state_dict(), "smooth": smooth.state_dict(), "optimiser": optimiser.state_dict()}
        size = {"blocks": options.blocks, "channels": options.channels}
        save({**state, **size, "step": step, "spent": clock.spent()}, options.checkpoint)
        if options.export:
            save({"smooth": {name: values.half() for name, values in smooth.state_dict().items()}, **size}, options.export)
        test.refresh()
        measured = measure.sample(test, options.measure)
        answers = network.ask(smooth, test.own[measured], test.opponent[measured])
        say(f"{clock.spent():5.0f} s step {step:6} loss {loss_sum / max(loss_count, 1):7.3f} "
            f"rate {rate:.1e} {seen / (time.monotonic() - since):9.0f}/s | {measure.bands(test, answers, measured)}")

    say(f"test, mean error in discs by most empty squares: {measure.heading()}")
    loss_sum, loss_count, seen, since, rate = 0.0, 0, 0, time.monotonic(), 0.0
    next_time = since + options.every
    while not clock.is_over():
        rate = one_cycle(clock.share(), options.rate)
        for group in optimiser.param_groups:
            group["lr"] = rate
        at = train.draw(options.batch)
        own, opponent = boards.randomly_turned(train.own[at], train.opponent[at])
        with torch.autocast(torch.device(device).type, dtype=torch.bfloat16, enabled=device != "cpu"):
            answers = run(own, opponent)
        errors = functional.huber_loss(answers, train.discs(at), reduction="none", delta=options.huber)
        weight = trust(train.how[at])
        loss = (errors * weight).sum() / weight.sum()
        optimiser.zero_grad(set_to_none=True)
        (loss / network.SCALE).backward()
        torch.nn.utils.clip_grad_norm_(teacher.parameters(), 1.0)
        optimiser.step()
        # The mean over the last steps scores better than any one of them.
        keep = min(0.999, step / (step + 10))
        with torch.no_grad():
            torch._foreach_lerp_(list(smooth.parameters()), list(teacher.parameters()), 1 - keep)
        step += 1
        seen += options.batch
        if step % 20 == 0:
            loss_sum += loss.item()
            loss_count += 1
        if time.monotonic() >= next_time:
            checkpoint()
            train.refresh()
            loss_sum, loss_count, seen, since = 0.0, 0, 0, time.monotonic()
            next_time = since + options.every
    checkpoint()


if __name__ == "__main__":
    main()
