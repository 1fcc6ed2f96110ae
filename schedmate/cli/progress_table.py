"""One table for all logs: progress bar, step time with its trend, loss, what is left."""

import os
from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING

from schedmate.cli.render import console
from schedmate.schemas import Metrics

if TYPE_CHECKING:
    from rich.table import Table

LEVELS = "⎽⎼─⎻⎺"
"""From fast to slow: a line, since blocks beside a progress bar look like another bar, full where steps are steady."""
SWING, TOLD, LEAST_TOLD = 0.5, 0.05, 6
"""How far from the middle a step time stands at the edge, and the change, of how many steps, that is written."""
BAR_WIDTH, ROOM_FOR_BAR = 12, 72
TRENDING = 12
PHASE_STYLE = {"failed": "bold red", "train": "green", "stalled": "bold red", "done": "cyan", "init": "dim"}


COLUMNS = ("log", "phase", "progress", "step time", "trend", "throughput", "loss", "left", "framework")
RIGHT = {"step time", "loss", "left"}

FIRST_TO_GO = ("framework", "trend", "throughput", "loss")
"""What a narrow terminal does without, so that each job stays on one line."""
GAP = 2
LEAST_NAME, ENOUGH_NAME = 12, 24


def print_answers(answers: Sequence[Metrics]) -> None:
    """Print the table, and under it what the logs leave open."""
    screen = console()
    screen.print(table_of(answers, width=screen.width))
    for metrics in answers:
        for note in metrics.notes:
            named = note if note.startswith(f"{metrics.log} ") else f"{metrics.log}: {note}"
            screen.print(named, style="dim", markup=False)


def table_of(answers: Sequence[Metrics], beside: Sequence[str] | None = None, width: int = 1000) -> "Table":
    """Lay out one row a log, one line each; `beside` is what is known beyond the log, such as a slowdown."""
    from rich.table import Table
    from rich.text import Text

    bar = BAR_WIDTH if width >= ROOM_FOR_BAR else 0
    rows = [cells(one, beside[place] if beside else "", bar) for place, one in enumerate(answers)]
    names = short_names([one.log for one in answers])
    widest = {name: max(len(name), *(len(row[name]) for row in rows)) for name in COLUMNS[1:] if rows}
    shown = [name for name in COLUMNS if name == "log" or any(row[name].strip("-") for row in rows)]
    longest = min(ENOUGH_NAME, max(map(len, names), default=0))
    for name in FIRST_TO_GO:
        if name in shown and longest + sum(widest.get(one, 0) + GAP for one in shown) > width:
            shown.remove(name)
    room = max(LEAST_NAME, width - sum(widest.get(one, 0) + GAP for one in shown))
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in shown:
        table.add_column(name, justify="right" if name in RIGHT else "left", no_wrap=True, overflow="ellipsis")
    for name, row, one in zip(names, rows, answers, strict=True):
        styled: dict[str, Text | str] = {**row, "log": Text(cut(name, room))}
        phase = Text(one.phase or "-", PHASE_STYLE.get(one.phase or "", ""))
        styled["phase"] = phase.append(row["phase"][len(phase) :], "yellow")
        table.add_row(*(styled[column] for column in shown))
    return table


def cells(one: Metrics, beside: str, bar: int) -> dict[str, str]:
    """Write a log's values, all but its name."""
    return {
        "phase": f"{one.phase or '-'} {beside}".rstrip(),
        "progress": progress(one, bar),
        "step time": duration(one.step_time_s),
        "trend": trend(one.trend),
        "throughput": rate(one),
        "loss": "-" if one.loss is None else f"{one.loss:.4g}",
        "left": duration(one.eta_s),
        "framework": one.framework or "-",
    }


def short_names(paths: Sequence[str]) -> list[str]:
    """Leave out the folders that all logs lie in."""
    if len(paths) < 2:
        return list(paths)
    folder = os.path.commonpath([os.path.dirname(os.path.abspath(path)) for path in paths])
    return [os.path.relpath(path, folder) if os.path.dirname(path) else path for path in paths]


def cut(name: str, room: int) -> str:
    """Cut a long name at its beginning: names of runs differ at their ends."""
    return name if len(name) <= room else f"…{name[-(room - 1) :]}"


def progress(one: Metrics, bar: int = BAR_WIDTH) -> str:
    """Draw how far a job is; without an end only its counter is known."""
    if one.step is None:
        return "-"
    if not one.total_steps:
        return f"step {one.step}"
    done = min(1.0, max(0.0, one.step / one.total_steps))
    filled = round(done * bar)
    return f"{'█' * filled}{'░' * (bar - filled)} {done:4.0%} {one.step}/{one.total_steps}".lstrip()


def trend(values: Sequence[float]) -> str:
    """Draw the last step times around their middle, and write by how much the newer ones take longer."""
    times = [value for value in values if value > 0][-TRENDING:]
    if len(times) < 2:
        return ""
    usual, half = median(times), len(times) // 2
    swings = [max(-1.0, min(1.0, (value / usual - 1) / SWING)) for value in times]
    drawn = "".join(LEVELS[round((swing + 1) / 2 * (len(LEVELS) - 1))] for swing in swings)
    change = median(times[half:]) / median(times[:half]) - 1
    return f"{drawn} {change:+.0%}" if abs(change) >= TOLD and len(times) >= LEAST_TOLD else drawn


def rate(one: Metrics) -> str:
    """Write the throughput with its unit."""
    if one.throughput is None:
        return "-"
    value = f"{one.throughput:,.0f}" if abs(one.throughput) >= 1000 else f"{one.throughput:.4g}"
    return f"{value} {one.throughput_unit or ''}".rstrip()


def duration(seconds: float | None) -> str:
    """Write seconds as people do."""
    if seconds is None:
        return "-"
    if seconds < 1:
        return f"{seconds * 1000:.3g} ms"
    if seconds < 100:
        return f"{seconds:.3g} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    return f"{days}d {hours:02}h" if days else f"{hours}h {minutes:02}m" if hours else f"{minutes}m {rest:02}s"
