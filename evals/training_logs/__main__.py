"""Write a set of logs: python -m evals.training_logs OUT [--seed N] [--count N] [--noise LINES]."""

import argparse
import csv
import random
from collections.abc import Sequence
from pathlib import Path

from evals.training_logs.libraries import LIBRARIES
from evals.training_logs.noise import drown
from evals.training_logs.renderings import RENDERINGS
from evals.training_logs.run import Told, draw_run

COLUMNS = (
    "name",
    "source_url",
    "framework",
    "format_note",
    "step_time_s",
    "step_time_tol",
    "throughput",
    "throughput_unit",
    "loss",
    "step",
    "total_steps",
    "epoch",
    "confidence",
    "noisy",
    "rendering",
)


def row_of(name: str, told: Told, rendering: str, noisy: bool) -> dict[str, str]:
    """Write a label in the columns of the other sets of progress."""
    numbers = {
        "step_time_s": told.step_time_s,
        "loss": told.loss,
        "step": told.step,
        "total_steps": told.total_steps,
        "epoch": told.epoch,
    }
    return {
        "name": name, "source_url": "", "framework": told.framework, "format_note": told.note, "step_time_tol": "0.25", "throughput": "", "throughput_unit": "",
        "confidence": "high", "noisy": str(int(noisy)), "rendering": rendering, **{key: str(value) for key, value in numbers.items()},
    }  # fmt: skip


def write_labels(folder: Path, rows: Sequence[dict[str, str]]) -> None:
    """Write what is true of each log beside the logs."""
    with (folder / "labels.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def write_set(folder: Path, *, seed: int, count: int, noise: int) -> None:
    """Write every format in turn, a third of them drowned in noise; the same seed writes the same set."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for index in range(count):
        dice = random.Random(f"{seed}:{index}")
        library, rendering = LIBRARIES[index % len(LIBRARIES)], dice.choice(RENDERINGS)
        told = library(draw_run(dice))
        noisy = dice.random() < 0.33
        lines = drown(dice, told.lines, noise) if noisy else told.lines
        name = f"{library.__name__}_{index:03d}"
        text = "\n".join(rendering(dice, lines)) + "\n"
        (folder / f"{name}.log").write_text(text, encoding="utf-8", newline="")
        rows.append(row_of(name, told, rendering.__name__, noisy))
    write_labels(folder, rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m evals.training_logs", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=4 * len(LIBRARIES))
    parser.add_argument("--noise", type=int, default=20_000, help="lines of noise in a log that is drowned")
    options = parser.parse_args()
    write_set(options.out, seed=options.seed, count=options.count, noise=options.noise)


if __name__ == "__main__":
    main()
