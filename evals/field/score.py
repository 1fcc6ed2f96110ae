"""Score `schedmate diagnose` on a set from outside: python -m evals.field.score SET [--report FILE] [--predictions FILE].

The command is run once on all logs. A place counts within three lines of the block that states the cause, as in the
other sets, or of a line that states it as well.
"""

import argparse
import csv
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

SLACK = 3
SURE = 0.8
Row = dict[str, str]
Answer = dict[str, Any]
Pair = tuple[Row, Answer]


def load_labels(folder: Path) -> list[Row]:
    with (folder / "labels.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def ask(folder: Path, rows: list[Row]) -> list[Answer]:
    """Run the command on every log of the set, with no model."""
    logs = [str(folder / f"{row['name']}.log") for row in rows]
    command = [sys.executable, "-m", "schedmate", "diagnose", "--json", "--engine", "built-in", *logs]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    answers = [json.loads(line) for line in said.stdout.splitlines() if line.startswith("{")]
    by_name = {Path(answer["log"]).stem: answer for answer in answers if answer.get("log")}
    return [by_name.get(row["name"], {}) for row in rows]


def accepted(row: Row, answer: Answer) -> bool:
    return answer.get("category") in {row["category"], *filter(None, row.get("accept_also", "").split("|"))}


def placed(row: Row, answer: Answer) -> bool:
    """Say whether the place is right; a healthy run has none."""
    line = answer.get("root_line")
    if not row["root_line"]:
        return line is None
    first, span = int(row["root_line"]), int(row["root_span"] or 1)
    also = [int(number) for number in re.findall(r"\d+", row.get("also_root_lines") or row.get("further_lines") or "")]
    return line is not None and (
        first - SLACK <= line <= first + span + SLACK or any(abs(line - other) <= SLACK for other in also)
    )


def subclassed(row: Row, answer: Answer) -> bool:
    return answer.get("category") == "infrastructure" and answer.get("subcategory") == row["subcategory"]


def share(pairs: Iterable[Pair], right: Callable[[Row, Answer], bool]) -> str:
    told = [right(row, answer) for row, answer in pairs]
    return f"{sum(told)}/{len(told)} = {sum(told) / len(told):.3f}" if told else "-"


def infrastructure_f1(pairs: list[Pair]) -> float:
    """Score infrastructure against the rest; where both count as true, the answer's own class does."""
    true = [answer.get("category") if accepted(row, answer) else row["category"] for row, answer in pairs]
    said = [answer.get("category") for _, answer in pairs]
    both = sum(one == other == "infrastructure" for one, other in zip(true, said, strict=True))
    whole = true.count("infrastructure") + said.count("infrastructure")
    return 2 * both / whole if whole else 1.0


def table(pairs: list[Pair]) -> list[str]:
    """Write the figures of a set, one a line."""
    infrastructure = [pair for pair in pairs if pair[0]["category"] == "infrastructure"]
    healthy = [pair for pair in pairs if pair[0]["category"] == "none"]
    broken = [pair for pair in pairs if pair[0]["category"] != "none"]
    sure = [pair for pair in pairs if (pair[1].get("confidence") or 0) >= SURE]
    lines = [
        f"logs {len(pairs)}, unanswered {sum(not answer for _, answer in pairs)}",
        f"class {share(pairs, accepted)}", f"infrastructure F1 {infrastructure_f1(pairs):.3f}", f"sub-class {share(infrastructure, subclassed)}",
        f"place of broken runs {share(broken, placed)}", f"false alarms in healthy runs {share(healthy, lambda row, answer: not accepted(row, answer))}",
        f"confidence >= {SURE}: {len(sure)} logs, class right {share(sure, accepted)}, class and place right {share(sure, lambda row, answer: accepted(row, answer) and placed(row, answer))}",
    ]  # fmt: skip
    for column in ("launcher", "category"):
        groups: dict[str, list[Pair]] = defaultdict(list)
        for pair in pairs:
            groups[pair[0].get(column, "")].append(pair)
        lines += [
            f"  {column} {name:16} class {share(some, accepted)}  place {share(some, placed)}"
            for name, some in sorted(groups.items())
        ]
    told = Counter((row["category"], str(answer.get("category"))) for row, answer in pairs if not accepted(row, answer))
    lines += [f"  took {true} for {said}: {count}" for (true, said), count in told.most_common()]
    return lines


def misses(pairs: list[Pair], folder: Path) -> list[str]:
    """List what was answered wrongly: log, expected, got."""
    lines = []
    for row, answer in pairs:
        if (
            accepted(row, answer)
            and placed(row, answer)
            and (row["category"] != "infrastructure" or subclassed(row, answer))
        ):
            continue
        want = f"{row['category']}/{row['subcategory'] or '-'} line {row['root_line'] or '-'}" + (
            f" (or {row['also_root_lines']})" if row.get("also_root_lines") else ""
        )
        got = f"{answer.get('category')}/{answer.get('subcategory') or '-'} line {answer.get('root_line') or '-'} {answer.get('failure_id')} confidence {answer.get('confidence')}"
        lines.append(
            f"- {folder.name}/{row['name']}.log [{row.get('launcher', '')}, {row.get('family', '')}] expected {want}; got {got}"
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m evals.field.score", description=__doc__)
    parser.add_argument("set", type=Path)
    parser.add_argument("--report", type=Path, help="append figures and misses to this file")
    parser.add_argument("--predictions", type=Path, help="keep the answers here")
    options = parser.parse_args()
    rows = load_labels(options.set)
    answers = ask(options.set, rows)
    pairs = list(zip(rows, answers, strict=True))
    print("\n".join(table(pairs)))
    if options.predictions:
        options.predictions.write_text(
            "".join(json.dumps(answer | {"name": row["name"]}) + "\n" for row, answer in pairs), encoding="utf-8"
        )
    if options.report:
        with options.report.open("a", encoding="utf-8") as file:
            file.write(
                f"\n## {options.set.name}\n\n"
                + "\n".join(table(pairs))
                + "\n\n"
                + "\n".join(misses(pairs, options.set))
                + "\n"
            )


if __name__ == "__main__":
    main()
