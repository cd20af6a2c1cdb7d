"""How far scores are from the truth, by phase of the game."""

import torch

import boards
import files


def bands(store, scores, at):
    """One line: the mean absolute error in discs in each phase, end of the game first, over all, and in the exam."""
    error = (scores - store.discs(at)).abs()
    phase = boards.phase_of(store.empties[at])
    total = torch.bincount(phase, weights=error.double(), minlength=boards.PHASES)
    number = torch.bincount(phase, minlength=boards.PHASES)
    cells = [f"{t / n:5.2f}" if n else "    –" for t, n in zip(total.tolist(), number.tolist())]
    exact = error[torch.isin(at, exam(store))]
    return " ".join(cells) + f" | {error.mean().item():.3f} | {exact.mean().item():.3f}"


def exam(store):
    """The positions of tournament games whose score is exact: such scores are exact nowhere else with so many empty
    squares."""
    return torch.nonzero((store.how == files.EXACT) & (store.empties >= 22)).squeeze(1)


def heading():
    """The most empty squares of each phase, for the top of a table of such lines."""
    return " ".join(f"{end:>5}" for end in [*boards.PHASE_ENDS, 60]) + " | all | exact at 22 to 24"


def sample(store, most):
    """Positions of a test set to measure on: always the same ones, spread over the whole set. Mere results of games are
    left out where there are better scores."""
    trusted = torch.nonzero(store.how != files.GAME_RESULT).squeeze(1)
    if len(trusted) == 0:
        trusted = torch.arange(len(store), device=store.device)
    return trusted[:: max(len(trusted) // most, 1)]
