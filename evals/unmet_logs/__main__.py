"""Write a set of logs: python -m evals.unmet_logs OUT [--seed N] [--held] [--noise LINES]; evals.training_logs.score scores it."""

import argparse
import random
from pathlib import Path

from evals.training_logs.__main__ import row_of, write_labels
from evals.training_logs.run import draw_run
from evals.unmet_logs.looks import LOOKS, plain
from evals.unmet_logs.noise import drown
from evals.unmet_logs.programs import HELD, PROGRAMS


def write_set(folder: Path, *, seed: int, held: bool, noise: int) -> None:
    """Write every program's log twice: clean, and drowned in noise; half of them in another look."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for program in HELD if held else PROGRAMS:
        for noisy in (False, True):
            dice = random.Random(f"{seed}:{program.__name__}:{noisy}")
            told = program(draw_run(dice))
            look = dice.choice(LOOKS) if dice.random() < 0.5 else plain
            lines = drown(dice, told.lines, noise) if noisy else told.lines
            name = f"{program.__name__}_{'noisy' if noisy else 'clean'}"
            (folder / f"{name}.log").write_text("\n".join(look(dice, lines)) + "\n", encoding="utf-8", newline="")
            rows.append(row_of(name, told, look.__name__, noisy))
    write_labels(folder, rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m evals.unmet_logs", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held", action="store_true", help="only the programs that are kept apart")
    parser.add_argument("--noise", type=int, default=20_000, help="lines of noise in a log that is drowned")
    options = parser.parse_args()
    write_set(options.out, seed=options.seed, held=options.held, noise=options.noise)


if __name__ == "__main__":
    main()
