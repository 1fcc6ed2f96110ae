"""Write a set of logs: python -m evals.field OUT [--seed N] [--count N] [--healthy SHARE] [--held]."""

import argparse
import random
from pathlib import Path

from evals.field.labels import row_of, write_labels
from evals.field.story import launcher_of, tell


def write_set(folder: Path, *, seed: int, count: int, healthy: float, held: bool, largest: int) -> None:
    """Write `count` logs and their labels; the same seed writes the same set."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for index in range(count):
        rng = random.Random(f"{seed}:{index}:{held}")
        well = rng.random() < healthy
        story = tell(rng, launcher=launcher_of(index), held=held, healthy=well, largest=largest)
        name = f"job_{index:04d}"
        (folder / f"{name}.log").write_text(story.text, encoding="utf-8", newline="")
        rows.append(row_of(name, story))
    write_labels(folder, rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m evals.field", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=210)
    parser.add_argument("--healthy", type=float, default=0.1, help="the share of healthy jobs (1: nothing else)")
    parser.add_argument("--held", action="store_true", help="faults of the second set of families")
    parser.add_argument("--largest", type=int, default=50_000, help="lines of the longest log, about")
    options = parser.parse_args()
    write_set(
        options.out,
        seed=options.seed,
        count=options.count,
        healthy=options.healthy,
        held=options.held,
        largest=options.largest,
    )


if __name__ == "__main__":
    main()
