"""From a story to a file: buffers, prefixes, the order of arrival, the place of the mark."""

from collections import defaultdict

from evals.field.launchers import prefix
from evals.field.stage import Line, Stage

BLOCK = 24
"""About how many lines of progress fill the buffer of a pipe."""
REDRAWS = 10
"""After so many redraws of a bar something else breaks the line."""


def arrivals(stage: Stage) -> list[Line]:
    """Order the lines as they reach the file; what a process kept in its buffer comes late."""
    lines = sorted((line for line in stage.lines if line.stream != "tail"), key=lambda line: line.at)
    if stage.job.buffered:
        held: dict[int, list[Line]] = defaultdict(list)
        for line in lines:
            if line.stream == "out":
                held[line.rank].append(line)
        ends = {death.rank: death.at for death in stage.deaths}
        killed = {death.rank for death in stage.deaths if death.code < 0}
        for rank, some in held.items():
            for start in range(0, len(some), BLOCK):
                block = some[start : start + BLOCK]
                whole = len(block) == BLOCK
                at = block[-1].at if whole else ends.get(rank, stage.over or block[-1].at) + 0.01
                for index, line in enumerate(block):
                    line.at = at + index * 1e-6 if whole or rank not in killed else float("inf")
        lines = sorted((line for line in lines if line.at != float("inf")), key=lambda line: line.at)
    tail = sorted((line for line in stage.lines if line.stream == "tail"), key=lambda line: line.at)
    return lines + tail


def write_out(stage: Stage) -> tuple[str, int, list[int]]:
    """Give the log, the 1-based line that first states the fault (0: none), and lines that state it as well."""
    parts: list[str] = []
    marks: list[tuple[int, int]] = []
    number, redraws, is_open = 1, 0, False
    for line in arrivals(stage):
        head = "" if is_open and line.end == "" else prefix(stage.job, line)
        redraws += line.end == ""
        end = "\n" if line.end == "" and redraws % REDRAWS == 0 else line.end
        if line.mark:
            marks.append((number, line.mark))
        parts.append(head + line.text + end)
        number += end == "\n"
        is_open = end == ""
    if is_open:
        parts.append("\n")
    root = min((number for number, mark in marks if mark == 1), default=0)
    return "".join(parts), root, [number for number, _ in marks if number != root]
