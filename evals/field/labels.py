"""labels.csv of a set: the columns of the other sets of failures, and some of this one."""

import csv
from collections.abc import Iterable
from pathlib import Path

from evals.field.story import Story

COLUMNS = (
    "name", "source_url", "category", "subcategory", "root_line", "root_span", "faulty_component", "should_restart", "reason",
    "confidence", "accept_also", "also_root_lines", "launcher", "family", "ranks", "lines",
)  # fmt: skip


def row_of(name: str, story: Story) -> dict[str, str]:
    truth = story.truth
    return {
        "name": name, "source_url": "", "category": truth.category, "subcategory": truth.subcategory,
        "root_line": str(story.root or ""), "root_span": str(truth.span if story.root else ""), "faulty_component": truth.component,
        "should_restart": "yes" if truth.category == "infrastructure" and truth.restart_helps else "no", "reason": truth.reason, "confidence": "high",
        "accept_also": truth.accept_also, "also_root_lines": "|".join(map(str, story.also)), "launcher": story.launcher,
        "family": story.family, "ranks": str(story.ranks), "lines": str(story.text.count("\n")),
    }  # fmt: skip


def write_labels(folder: Path, rows: Iterable[dict[str, str]]) -> None:
    """Write labels.csv into the set's folder."""
    with (folder / "labels.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
