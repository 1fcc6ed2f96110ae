"""`schedmate simulate`: how would these jobs have fared under another policy?"""

import json
import os
from typing import TYPE_CHECKING, Any

from schedmate.cli.saying import say
from schedmate.cli.simulation_options import with_options
from schedmate.scheduling.simulation.options import SimulationOptions

if TYPE_CHECKING:
    from schedmate.scheduling.simulation.as_it_was import RecordedWaits
    from schedmate.scheduling.simulation.results import Summary
    from schedmate.scheduling.simulation.simulated import Simulation

HOUR_S = 3600.0
COLUMNS = (
    "policy",
    "avg JCT s",
    "median",
    "p99",
    "avg queue s",
    "p99.9",
    "makespan h",
    "GPUs busy",
    "preemptions",
    "evictions",
    "Jain",
    "unfair p95",
    "CPU s",
)

FINER = {"p99.9", "makespan h", "evictions", "Jain", "unfair p95"}
"""Columns that give way on a narrow terminal; a figure cut in half would be worse than none."""


@with_options
def simulate(asked: SimulationOptions, as_json: bool) -> None:
    """Run a trace of jobs on a simulated cluster under the field's policies.

    Without a trace a month of jobs is made, on a cluster that fits it. See docs/simulate.md.

    Examples: schedmate simulate --trace jobs.csv --policy fifo,sjf,tiresias --nodes 16x8:a100 --plot report.html;
    schedmate simulate --trace cluster_log.csv:helios --vc vcs.csv --json;
    schedmate simulate --trace sacct.txt --nodes slurm.conf --limits qos.txt,assoc.txt
    """
    # Small matrices: threads of the linear algebra library would only wait for each other.
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    from schedmate.cli.render import console
    from schedmate.scheduling.simulation.as_it_was import changes, doubt, recorded
    from schedmate.scheduling.simulation.simulate import simulate as play

    with Bar() as bar:
        simulation = play(asked, bar.tell, bar.started, bar.finished)
    for note in simulation.experiment.trace.notes:
        console(stderr=True).print(f"note: {note}", style="yellow", markup=False)
    past = recorded(simulation.experiment.trace)
    if past is not None and (words := doubt(past, simulation.summaries)):
        console(stderr=True).print(f"warning: {words}", style="yellow", markup=False)
    changed = changes(past, simulation.summaries, simulation.waits)
    if as_json:
        if past is not None:
            say(json.dumps(past.fields()))
        for summary in simulation.summaries:
            change = changed.get((summary.policy, summary.seed))
            say(json.dumps(summary.fields() | {"change": vars(change) if change is not None else None}))
    else:
        show(simulation, past)
        if words := free_stops(simulation):
            say(words)
        for (policy, _), change in changed.items():
            say(change.told(policy))


def free_stops(simulation: "Simulation") -> str:
    """Say which policies stopped jobs where that loses no work; empty where none did, or where it does."""
    who = dict.fromkeys(summary.policy for summary in simulation.summaries if summary.preemptions)
    saving = simulation.experiment.saving
    if not who or simulation.experiment.training is not None or saving.share < 1.0 or saving.every_s:
        return ""
    return f"no work was lost when {', '.join(who)} stopped jobs; --saving real counts what stops lose"


def show(simulation: "Simulation", past: "RecordedWaits | None") -> None:
    """Print the table, what was recorded first."""
    from rich.table import Table

    from schedmate.cli.render import console
    from schedmate.scheduling.simulation.report.tables import facts

    screen = console()
    screen.print(f"{simulation.experiment.trace.name}: {facts(simulation)}", markup=False)
    rows = [*([cells_of(past)] if past is not None else []), *(cells(summary) for summary in simulation.summaries)]
    widths = [max(map(len, column)) + 2 for column in zip(COLUMNS, *rows, strict=True)]
    shown = [place for place, name in enumerate(COLUMNS) if sum(widths) <= screen.width or name not in FINER]
    table = Table(box=None, header_style="bold", pad_edge=False)
    for place in shown:
        table.add_column(COLUMNS[place], justify="left" if place == 0 else "right", no_wrap=True)
    for row in rows:
        table.add_row(*(row[place] for place in shown))
    screen.print(table)
    screen.print("JCT: from a job's submission to its end; docs/simulate.md says what the others are", style="dim")
    if len(shown) < len(COLUMNS):
        screen.print(f"a wider terminal, or --json, also shows: {', '.join(sorted(FINER))}", style="dim")


def cells_of(past: "RecordedWaits") -> tuple[str, ...]:
    """Write what was recorded for people; of much there is no record."""
    waits = (past.avg_jct_s, past.median_jct_s, past.p99_jct_s, past.avg_queue_s, past.p999_queue_s)
    return ("as it was", *(f"{value:,.0f}" for value in waits), *("-" for _ in COLUMNS[6:]))


def cells(summary: "Summary") -> tuple[str, ...]:
    """Write a summary for people."""
    return (
        summary.policy,
        f"{summary.avg_jct_s:,.0f}",
        f"{summary.median_jct_s:,.0f}",
        f"{summary.p99_jct_s:,.0f}",
        f"{summary.avg_queue_s:,.0f}",
        f"{summary.p999_queue_s:,.0f}",
        f"{summary.makespan_s / HOUR_S:,.1f}",
        f"{summary.gpu_utilisation:.1%}",
        f"{summary.preemptions:,}",
        f"{summary.evictions:,}",
        f"{summary.jain_index:.3f}",
        f"{summary.finish_time_fairness_p95:.2f}",
        f"{summary.cpu_s:.1f}",
    )


class Bar:
    """A progress bar on a terminal: jobs while one policy runs in this process, runs while several do."""

    def __init__(self) -> None:
        self.progress: Any = None
        self.task: Any = None
        self.jobs = 0
        self.runs_done = 0

    def __enter__(self) -> "Bar":
        from schedmate.cli.render import bar_may_show, console

        if bar_may_show():
            from rich.progress import Progress

            self.progress = Progress(console=console(stderr=True), transient=True)
            self.progress.start()
            self.task = self.progress.add_task("reading the trace", total=None)
        return self

    def __exit__(self, *_: object) -> None:
        if self.progress is not None:
            self.progress.stop()

    def started(self, experiment: Any, runs: int) -> None:
        """Learn how much there is to do."""
        self.jobs = len(experiment.trace)
        if self.progress is not None:
            self.progress.update(self.task, description="simulating", total=self.jobs * runs, completed=0)

    def tell(self, jobs: int) -> None:
        """Move on within a run."""
        if self.progress is not None:
            self.progress.update(self.task, completed=self.runs_done * self.jobs + jobs)

    def finished(self, summary: "Summary") -> None:
        """Move on to the next run."""
        self.runs_done += 1
        self.tell(0)
