"""One table for all logs: progress bar, step time with its trend, loss, what is left."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from schedmate.cli.render import console
from schedmate.schemas import Metrics

if TYPE_CHECKING:
    from rich.table import Table

BLOCKS = "▁▂▃▄▅▆▇█"
BAR_WIDTH = 12
PHASE_STYLE = {"train": "green", "stalled": "bold red", "done": "cyan", "init": "dim"}


def print_answers(answers: Sequence[Metrics]) -> None:
    """Print the table, and under it what the logs leave open."""
    screen = console()
    screen.print(table_of(answers))
    for metrics in answers:
        for note in metrics.notes:
            screen.print(f"{metrics.log}: {note}", style="dim", markup=False)


def table_of(answers: Sequence[Metrics], beside: Sequence[str] | None = None) -> "Table":
    """Lay out one row a log; `beside` is what is known beyond the log, such as a slowdown."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("log", "phase", "progress", "step time", "trend", "throughput", "loss", "left", "framework"):
        table.add_column(name, justify="right" if name in {"step time", "loss", "left"} else "left")
    for place, one in enumerate(answers):
        phase = Text(one.phase or "-", PHASE_STYLE.get(one.phase or "", ""))
        if beside and beside[place]:
            phase.append(f" {beside[place]}", "yellow")
        table.add_row(
            Text(one.log),
            phase,
            progress(one),
            duration(one.step_time_s),
            sparkline(one.trend),
            rate(one),
            "-" if one.loss is None else f"{one.loss:.4g}",
            duration(one.eta_s),
            Text(one.framework or "-"),
        )
    return table


def progress(one: Metrics) -> str:
    """Draw how far a job is; without an end only its counter is known."""
    if one.step is None:
        return "-"
    if not one.total_steps:
        return f"step {one.step}"
    done = min(1.0, max(0.0, one.step / one.total_steps))
    filled = round(done * BAR_WIDTH)
    return f"{'█' * filled}{'░' * (BAR_WIDTH - filled)} {done:4.0%} {one.step}/{one.total_steps}"


def sparkline(values: Sequence[float]) -> str:
    """Draw the last step times from nought, so that noise looks like noise."""
    top = max(values, default=0.0)
    if top <= 0:
        return ""
    return "".join(BLOCKS[min(7, int(value / top * 7.999))] for value in values[-12:])


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
