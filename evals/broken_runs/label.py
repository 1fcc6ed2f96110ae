"""Find in a finished log the line that states the fault that was injected."""

import re
from dataclasses import dataclass
from pathlib import Path

from evals.broken_runs.case import Case
from evals.broken_runs.truths import truth_of


@dataclass(frozen=True)
class Found:
    """The first statement of the fault, and others that would do."""

    line: int
    also: tuple[int, ...]


def read_lines(path: Path) -> list[str]:
    """Split at newlines alone: a bar that redraws itself stays on its line."""
    return path.read_bytes().decode("utf-8", "replace").split("\n")


def find(case: Case) -> Found | None:
    """Search the words of the fault in order of preference; None: the log does not state it."""
    lines = read_lines(case.log)
    hits = [
        [number for number, line in enumerate(lines, 1) if re.search(words, line)]
        for words in truth_of(case.fault).words
    ]
    told = [found for found in hits if found]
    if not told:
        return None
    return Found(told[0][0], tuple(sorted({number for found in told for number in found[:12]} - {told[0][0]})))


def row(case: Case, found: Found | None) -> dict[str, str]:
    """Write the label of a run, in the columns of the other sets."""
    truth = truth_of(case.fault)
    lines = len(read_lines(case.log))
    return {
        "name": case.name, "source_url": "", "category": truth.category, "subcategory": truth.subcategory, "root_line": str(found.line) if found else "",
        "root_span": "1" if found else "", "faulty_component": "", "should_restart": "yes" if truth.category == "infrastructure" else "no",
        "reason": f"{case.fault}: {truth.reason}", "confidence": "high", "accept_also": truth.accept_also,
        "also_root_lines": "|".join(map(str, found.also)) if found else "", "launcher": case.launcher, "family": case.fault,
        "ranks": str(case.ranks), "lines": str(lines),
    }  # fmt: skip
