"""How far the confidence of a diagnosis can be trusted, and the fit of it on sets of logs that the project makes.

What first runs on others' logs turned out to be worth can move these weights a little (`--first-runs`).
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from evals.ablation import left_out
from evals.field.score import placed
from evals.played.diagnosing import is_right, labelled, without_entries, write_logs
from evals.report import Cell, Report, Table
from schedmate.graphs.diagnose import GRAPH
from schedmate.graphs.diagnose_state import DiagnoseContext
from schedmate.readers.failures.answer.confidence import class_sureness, place_sureness, weights
from schedmate.schemas import Diagnosis

Row = dict[str, Any]
"""JSON: a log's set, its signs, and whether class and place are right."""
SETS = ((False, 0.0), (True, 0.0), (False, 0.5), (True, 0.5))
"""Known kinds of failure, kinds held back, and both with half of the catalogue's entries left out."""
RIDGE, ROUNDS = 2.0, 30

HOLD = 4.0
"""How firmly weights stay where they are when first runs pull at them."""
BINS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.01)
SURE = 0.8
SURENESS = {"class": class_sureness, "place": place_sureness}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say how many logs to make from which seeds, and where to write the weights."""
    parser.add_argument("--logs", type=int, default=210, help="logs of each of the four sets a seed")
    parser.add_argument(
        "--fit", type=int, nargs="*", default=[], help="seeds of the logs to fit on; none: only measure"
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=[71], help="seeds of the logs to measure on")
    parser.add_argument(
        "--first-runs", type=Path, nargs="*", default=[], help="rows as --keep writes them, of logs of others by `set`"
    )
    parser.add_argument("--of", nargs="*", default=list(SURENESS), help="which weights first runs may move")
    parser.add_argument("--write", type=Path, help="write the fitted weights here")
    parser.add_argument("--keep", type=Path, help="keep what was read of the logs here, for another fit")


def told_of(seed: int, logs: int) -> Iterator[Row]:
    """Make and read the logs of one seed; give each log's signs, and what of its diagnosis is right."""
    for held, share in SETS:
        with TemporaryDirectory() as scratch, left_out(without_entries(share, seed) if share else []):
            folder = Path(scratch)
            for row in write_logs(folder, seed, logs, held=held):
                with ExitStack() as opened:
                    state = GRAPH.walk(
                        {"path": str(folder / f"{row['name']}.log"), "opened": opened}, DiagnoseContext("built-in")
                    )
                    found = Diagnosis.model_validate(state["diagnosis"])
                    case = labelled(folder, row, found)
                    signs = state["signs"]
                yield {
                    "set": f"{'held back' if held else 'known'}{', half the entries' if share else ''}",
                    "signs": signs, "class": is_right(row, case, found), "place": placed(row, found.model_dump()),
                }  # fmt: skip


def fit(rows: Sequence[Row], of: str) -> dict[str, float]:
    """Fit a logistic regression by Newton's method, with a ridge on all but the bias."""
    names = sorted({name for row in rows for name in row["signs"]})
    table = np.array([[1.0, *(row["signs"].get(name, 0.0) for name in names)] for row in rows])
    right = np.array([float(bool(row[of])) for row in rows])
    weights, ridge = np.zeros(table.shape[1]), np.diag([1e-6, *([RIDGE] * len(names))])
    for _ in range(ROUNDS):
        sure = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (right - sure) - ridge @ weights
        curve = (table * (sure * (1 - sure))[:, None]).T @ table + ridge
        weights = weights + np.linalg.solve(curve, slope)
    return {"bias": round(float(weights[0]), 3)} | {
        name: round(float(value), 3) for name, value in zip(names, weights[1:], strict=True) if abs(value) >= 0.0005
    }


def moved(rows: Sequence[Row], of: str, held: dict[str, float]) -> dict[str, float]:
    """Move weights from where they are towards what rows say, no further than these are many."""
    names = sorted({name for row in rows for name in row["signs"]} | held.keys() - {"bias"})
    table = np.array([[1.0, *(row["signs"].get(name, 0.0) for name in names)] for row in rows])
    right = np.array([float(bool(row[of])) for row in rows])
    start = np.array([held.get(name, 0.0) for name in ("bias", *names)])
    weights, ridge = start.copy(), HOLD * np.diag([0.2, *([1.0] * len(names))])
    for _ in range(ROUNDS):
        sure = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (right - sure) - ridge @ (weights - start)
        curve = (table * (sure * (1 - sure))[:, None]).T @ table + ridge
        weights = weights + np.linalg.solve(curve, slope)
    return {
        name: round(float(value), 3)
        for name, value in zip(("bias", *names), weights, strict=True)
        if abs(value) >= 0.0005
    }


def of_first_runs(options: argparse.Namespace) -> Report:
    """Measure each set by weights that were moved without it; write those that were moved by all."""
    rows = [json.loads(line) for path in options.first_runs for line in path.read_text("utf-8").splitlines()]
    sets, held = sorted({row["set"] for row in rows}), weights()
    tables, notes = [], []
    for of, sureness in SURENESS.items():
        in_use, apart = [], []
        for name in sets:
            without = moved([row for row in rows if row["set"] != name], of, held[of])
            for row in (row for row in rows if row["set"] == name):
                in_use.append((sureness(row["signs"], held[of]), bool(row[of])))
                apart.append((sureness(row["signs"], without), bool(row[of])))
        for name, pairs in (("in use", in_use), ("moved by the other sets", apart)):
            tables.append(reliability(f"{of}, {name}", pairs))
            notes.append(f"{of}, {name}: {figures(pairs)}")
    if options.write:
        told = held | {of: moved(rows, of, held[of]) for of in options.of}
        options.write.write_text(json.dumps(told, indent=1) + "\n", "utf-8")
    return Report(tables, notes)


def reliability(name: str, pairs: Sequence[tuple[float, bool]]) -> Table:
    """Show for each range of confidence how much of it is right."""
    rows: list[Sequence[Cell]] = []
    for low, high in pairwise(BINS):
        inside = [pair for pair in pairs if low <= pair[0] < high]
        said = sum(sure for sure, _ in inside) / len(inside) if inside else None
        right = sum(right for _, right in inside) / len(inside) if inside else None
        rows.append([f"{low:.1f} to {min(high, 1.0):.1f}", len(inside), said, right])
    return Table(name, ["confidence", "answers", "said", "right"], rows)


def figures(pairs: Sequence[tuple[float, bool]]) -> str:
    """Sum up: the answers of 0.8 and more, and the distance between what was said and what is right."""
    sure = [right for said, right in pairs if said >= SURE]
    wrong_sure = sum(not right for right in sure)
    brier = sum((said - right) ** 2 for said, right in pairs) / len(pairs)
    return (
        f"{sum(sure)} of {len(sure)} answers of {SURE} and more are right ({wrong_sure} wrong); Brier score {brier:.3f}"
    )


def read(seeds: Sequence[int], logs: int, keep: Path | None) -> list[Row]:
    """Make and read the logs of several seeds, or take what was kept of them."""
    if keep and keep.is_file():
        kept = [json.loads(line) for line in keep.read_text("utf-8").splitlines()]
        if {row["seed"] for row in kept} == set(seeds):
            return kept
    rows = [row | {"seed": seed} for seed in seeds for row in told_of(seed, logs)]
    if keep:
        keep.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return rows


def run(options: argparse.Namespace) -> Report:
    """Fit where seeds to fit on are given, and measure on others."""
    if options.first_runs:
        return of_first_runs(options)
    rows = read(options.seeds, options.logs, options.keep)
    if options.fit:
        kept = options.keep.with_suffix(".fit") if options.keep else None
        fitting = read(options.fit, options.logs, kept)
        told = {of: fit(fitting, of) for of in ("class", "place")}
        if options.write:
            options.write.write_text(json.dumps(told, indent=1) + "\n", "utf-8")
        weights.cache_clear()
        fitted = told
    else:
        fitted = weights()
    tables, notes = [], []
    for of in ("class", "place"):
        for name, sure in (("raw", lambda signs: signs["raw"]), ("fitted", partial(SURENESS[of], fitted=fitted[of]))):
            pairs = [(float(sure(row["signs"])), bool(row[of])) for row in rows]
            tables.append(reliability(f"{of}, {name}", pairs))
            notes.append(f"{of}, {name}: {figures(pairs)}")
        for name in sorted({row["set"] for row in rows}):
            pairs = [(SURENESS[of](row["signs"], fitted[of]), bool(row[of])) for row in rows if row["set"] == name]
            right = sum(right for _, right in pairs)
            notes.append(f"{of}, fitted, {name}: {right} of {len(pairs)} right; {figures(pairs)}")
    return Report(tables, notes)
