"""Score `schedmate track` on a set from outside: python -m evals.training_logs.score SET [--report FILE]."""

import argparse
import csv
import json
import math
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

SURE = 0.8
Row = dict[str, str]
Answer = dict[str, Any]
Pair = tuple[Row, Answer]


def ask(folder: Path, rows: list[Row]) -> list[Answer]:
    """Run the command on every log of the set, with no model."""
    logs = [str(folder / f"{row['name']}.log") for row in rows]
    command = [sys.executable, "-m", "schedmate", "track", "--json", "--engine", "built-in", *logs]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    answers = [json.loads(line) for line in said.stdout.splitlines() if line.startswith("{")]
    by_name = {Path(answer["log"]).stem: answer for answer in answers if answer.get("log")}
    return [by_name.get(row["name"], {}) for row in rows]


def wanted(row: Row) -> list[float | None]:
    return [None if part in {"", "null"} else float(part) for part in row["step_time_s"].split("|")]


def right(row: Row, answer: Answer) -> bool:
    """Say whether the step time is one of those that are right, or rightly absent."""
    got, may = answer.get("step_time_s"), wanted(row)
    if got is None:
        return None in may
    return any(value is not None and abs(got - value) <= float(row["step_time_tol"]) * value for value in may)


def capped_error(row: Row, answer: Answer) -> float | None:
    """Give the relative error, 1 where an answer is missing or further off; None where nothing was to be read."""
    got, numbers = answer.get("step_time_s"), [value for value in wanted(row) if value is not None]
    if not numbers or (got is None and right(row, answer)):
        return None
    return 1.0 if got is None else min([1.0, *(abs(got - value) / value for value in numbers)])


def field_right(row: Row, answer: Answer, name: str) -> bool | None:
    if not row[name]:
        return None
    got = answer.get(name)
    return got is not None and any(
        abs(got - float(value)) <= 0.01 * abs(float(value)) for value in row[name].split("|")
    )


def table(pairs: list[Pair]) -> list[str]:
    """Write the figures of a set, one a line."""
    lines = [f"logs {len(pairs)}, unanswered {sum(not answer for _, answer in pairs)}"]
    for name, some in (
        ("clean", [pair for pair in pairs if pair[0]["noisy"] == "0"]),
        ("noisy", [pair for pair in pairs if pair[0]["noisy"] == "1"]),
    ):
        if some:
            errors = [error for pair in some if (error := capped_error(*pair)) is not None]
            capped = math.sqrt(sum(error * error for error in errors) / len(errors)) if errors else math.nan
            good = sum(right(*pair) for pair in some)
            lines.append(
                f"{name}: step time right {good}/{len(some)} = {good / len(some):.3f}, capped error {capped:.3f}"
            )
    sure = [
        pair for pair in pairs if (pair[1].get("confidence") or 0) > SURE and pair[1].get("step_time_s") is not None
    ]
    lines.append(f"step times at confidence > {SURE}: {len(sure)}, wrong {sum(not right(*pair) for pair in sure)}")
    nothing = [pair for pair in pairs if wanted(pair[0]) == [None]]
    lines.append(
        f"values where there was nothing to read: {sum(answer.get('step_time_s') is not None for _, answer in nothing)} of {len(nothing)}"
    )
    for name in ("loss", "step", "total_steps", "epoch"):
        told = [hit for pair in pairs if (hit := field_right(*pair, name)) is not None]
        lines.append(f"{name} right {sum(told)}/{len(told)}")
    groups: dict[str, list[bool]] = defaultdict(list)
    for row, answer in pairs:
        groups[row["rendering"]].append(right(row, answer))
    return [*lines, *(f"  rendering {name:10} {sum(told)}/{len(told)}" for name, told in sorted(groups.items()))]


def misses(pairs: list[Pair], folder: Path) -> list[str]:
    """List the step times that were read wrongly: log, expected, got."""
    return [
        f"- {folder.name}/{row['name']}.log [{row['framework']}, {row['rendering']}{', noisy' if row['noisy'] == '1' else ''}] expected {row['step_time_s']} ({row['format_note']}); "
        f"got {answer.get('step_time_s')} confidence {answer.get('confidence')} as {answer.get('framework')}, {(answer.get('evidence') or [{}])[-1].get('note')}"
        for row, answer in pairs
        if not right(row, answer)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m evals.training_logs.score", description=__doc__)
    parser.add_argument("set", type=Path)
    parser.add_argument("--report", type=Path, help="append figures and misses to this file")
    options = parser.parse_args()
    with (options.set / "labels.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    pairs = list(zip(rows, ask(options.set, rows), strict=True))
    print("\n".join(table(pairs)))
    if options.report:
        with options.report.open("a", encoding="utf-8") as file:
            file.write(
                f"\n## {options.set.name} (track)\n\n"
                + "\n".join(table(pairs))
                + "\n\n"
                + "\n".join(misses(pairs, options.set))
                + "\n"
            )


if __name__ == "__main__":
    main()
