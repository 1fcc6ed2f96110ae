"""Compose logs: a healthy body, a cause somewhere, its fallout; or a run that only looks ill."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from evals.planted.cascades import fallout
from evals.planted.causes import CAUSES, Cause
from evals.planted.styles import NEUTRAL, SCARY, STYLES, Style

SHAPES = ("plain", "plain", "late", "ranks", "attempts", "scary")
"""How a case is built: the cause before its fallout, after it, on one rank of many, in the last of several runs; a
healthy run."""

COLUMNS = ("name", "category", "subcategory", "root_line", "root_span", "faulty_component", "shape")


@dataclass
class Draft:
    """A log as it is written, and where its root stands."""

    rows: list[str]
    root_row: int | None = None

    def add(self, *texts: str) -> None:
        """Add lines; a text may hold several."""
        self.rows += [row for text in texts for row in text.split("\n")]

    def plant(self, cause: Cause, prefix: str = "") -> None:
        """Add the cause and remember its root."""
        self.root_row = len(self.rows) + cause.root
        self.add(*(prefix + line for line in cause.lines))


def filled(rng: Random, text: str) -> str:
    """Put numbers into a phrase."""
    return text.replace("{a}", str(rng.randrange(1, 99))).replace("{r}", str(rng.randrange(8)))


def body(rng: Random, style: Style, steps: int, scary_share: float) -> Iterator[str]:
    """Write a run that gets on, with noise and harmless warnings between its steps."""
    for step in range(1, steps + 1):
        yield style(rng, step, steps + 40)
        if rng.random() < 0.3:
            yield filled(rng, rng.choice(NEUTRAL))
        if rng.random() < scary_share:
            yield filled(rng, rng.choice(SCARY))


def opening(rng: Random, case: int) -> list[str]:
    """Write how a run begins."""
    return [
        f"launching run {case} of the project with config base.yaml",
        f"world size {rng.choice([8, 16, 64])}, seed {rng.randrange(999)}, precision bf16",
    ]


def compose(rng: Random, case: int, cause: Cause, shape: str) -> Draft:
    """Build one failing log."""
    style = rng.choice(STYLES)
    draft = Draft(opening(rng, case))
    start = list(draft.rows)
    if shape == "attempts":
        other = rng.choice(CAUSES).draw(rng)
        draft.add(*body(rng, style, rng.randrange(20, 60), 0.02), *other.lines, *fallout(rng, 2), *start)
    draft.add(*body(rng, style, rng.randrange(30, 400), 0.03))
    if shape == "late":
        draft.add(*fallout(rng, 4))
        draft.plant(cause)
    elif shape == "ranks":
        guilty = rng.randrange(64)
        draft.plant(cause, f"[rank{guilty}]: ")
        draft.add(*fallout(rng, 64))
    else:
        draft.plant(cause)
        draft.add(*fallout(rng, rng.choice([0, 1, 8])))
    return draft


def healthy(rng: Random, case: int) -> Draft:
    """Build a run full of warnings, and of errors that it caught, that ends well or is still going."""
    draft = Draft(opening(rng, case))
    style, steps = rng.choice(STYLES), rng.randrange(60, 400)
    rows = list(body(rng, style, steps, 0.2))
    if rng.random() < 0.5:
        caught = rng.choice([cause for one in CAUSES if (cause := one.draw(rng)).lines[0].startswith("Traceback")])
        rows[len(rows) // 3 : len(rows) // 3] = ["caught this and went on with the next sample:", *caught.lines]
    draft.add(*rows)
    if rng.random() < 0.5:
        draft.add("Training completed. Total time 3:41:07", "saved the final model to /ckpt/final")
    return draft


def write_cases(directory: Path, cases: int, seed: int) -> None:
    """Write logs and labels; every cause comes equally often, every shape with every class."""
    directory.mkdir(parents=True, exist_ok=True)
    rows = []
    for case in range(cases):
        rng = Random(f"{seed}/{case}")
        shape = rng.choice(SHAPES)
        cause = CAUSES[case % len(CAUSES)].draw(rng)
        if shape == "late" and cause.category == "other":
            shape = "plain"  # a limit that ends a job which has failed before is not what it failed of
        draft = healthy(rng, case) if shape == "scary" else compose(rng, case, cause, shape)
        text = "\n".join(draft.rows).replace("\r\n", "\r") + "\n"
        name = f"planted_{case:05d}"
        (directory / f"{name}.log").write_text(text, "utf-8", newline="")
        root = root_line(draft, text) if draft.root_row is not None else ""
        rows.append(
            [name, "none", "", "", "", "", shape]
            if shape == "scary"
            else [
                name,
                cause.category,
                cause.subcategory,
                root,
                len(cause.lines) - 1 - cause.root,
                cause.component,
                shape,
            ]
        )
    with (directory / "labels.csv").open("w", newline="", encoding="utf-8") as handle:
        csv.writer(handle).writerows([COLUMNS, *rows])


def root_line(draft: Draft, text: str) -> int:
    """Number the root's line by line feeds: rows that end in a carriage return share their successor's line."""
    before = draft.rows[: draft.root_row]
    return 1 + sum(not row.endswith("\r") for row in before)
