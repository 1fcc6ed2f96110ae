"""`schedmate simulate`: how would these jobs have fared under another policy?"""

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from schedmate.scheduling.results import Summary
    from schedmate.scheduling.simulation import Simulation

HOUR_S = 3600.0


def simulate(
    trace: str = typer.Option("", "--trace", help="FILE or FILE:format (csv, philly, helios, acme, pai, sia, sacct)."),
    policy: str = typer.Option("fifo,sjf,srtf,qssf,tiresias,lucid", "--policy", help="Policies, with commas between."),
    nodes: str = typer.Option("", "--nodes", help="Nodes x GPUs : kind, as 16x8:a100,4x8:t4."),
    vc: Path | None = typer.Option(None, "--vc", help="CSV of virtual clusters: vc,nodes[,gpus[,kind]]."),
    speed: str = typer.Option("", "--speed", help="Speed of each kind, as a100=1,t4=0.3."),
    seed: int = typer.Option(0, "--seed", help="Where randomness begins."),
    repeat: int = typer.Option(1, "--repeat", help="Runs of each policy, with seeds counting up."),
    on_bad: str = typer.Option("stop", "--on-bad", help="What to do at a bad row: skip or stop."),
    data: Path | None = typer.Option(None, "--data", help="Where to look for trace files too."),
    predictions: Path | None = typer.Option(None, "--predictions", help="CSV: job_id and a column a policy."),
    mean_up_h: float = typer.Option(0.0, "--node-mtbf-h", help="Mean hours until a node breaks; 0: never."),
    repair_h: float = typer.Option(4.0, "--repair-h", help="Hours that a broken node is away."),
    spares: int = typer.Option(0, "--spares", help="Nodes that stand in for broken ones."),
    checkpoint_min: float = typer.Option(30.0, "--checkpoint-min", help="Minutes between checkpoints; 0: none."),
    notice_min: float = typer.Option(0.0, "--notice-min", help="Minutes until a job that lost its node is requeued."),
    accounting: str = typer.Option("published", "--accounting", help="Count as the artifacts (published) or honest."),
    sharing: bool = typer.Option(True, "--sharing/--no-sharing", help="May two jobs share GPUs (lucid, horus)?"),
    profiling: bool = typer.Option(True, "--profiling/--no-profiling", help="Lucid's profiling stage."),
    profiles: Path | None = typer.Option(None, "--profiles", help="CSV: job_id and what a profiler measured."),
    labels: Path | None = typer.Option(None, "--labels", help="Lucid's single_data.csv: sharing scores."),
    interference: Path | None = typer.Option(None, "--interference", help="Lucid's colocate_info.csv: measured pairs."),
    training: Path | None = typer.Option(None, "--training", help="Folder of Pollux or Sia training profiles."),
    forecast: Path | None = typer.Option(None, "--forecast", help="CSV: pred_gpu_job, pred_gpu_num every 10 minutes."),
    evict_below: float = typer.Option(0.0, "--evict-below", help="Part packed jobs slower than this; 0: never."),
    detection: float = typer.Option(1.0, "--detection-rate", help="Share of packed jobs whose speed is seen."),
    workers: int = typer.Option(0, "--workers", help="Processes at once; 0: one a core."),
    sweep: Path | None = typer.Option(None, "--sweep", help="File of runs done before; they are not done again."),
    jobs_out: Path | None = typer.Option(None, "--jobs-out", help="Write what became of each job as CSV."),
    plot: Path | None = typer.Option(None, "--plot", help="Draw into FILE (.png, .svg, .pdf, or a page: .html)."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON line a policy."),
) -> None:
    """Run a trace of jobs on a simulated cluster under the field's policies.

    Examples:

      schedmate simulate --trace jobs.csv --policy fifo,sjf,tiresias --nodes 16x8:a100

      schedmate simulate --trace cluster_log.csv:helios --vc vcs.csv --on-bad skip --json
    """
    # Small matrices: threads of the linear algebra library would only wait for each other.
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    from schedmate.cli.render import console
    from schedmate.errors import InputError
    from schedmate.scheduling.experiment import Faults
    from schedmate.scheduling.simulation import Options, write_jobs
    from schedmate.scheduling.simulation import simulate as run

    if on_bad not in {"skip", "stop"}:
        raise InputError(f"--on-bad {on_bad} is unknown", "give skip or stop")
    if min(mean_up_h, repair_h, spares, checkpoint_min, notice_min) < 0:
        raise InputError("times and counts of failures cannot be negative", "see schedmate simulate --help")
    if accounting not in {"published", "honest"}:
        raise InputError(f"--accounting {accounting} is unknown", "give published or honest")
    if not 0 <= evict_below <= 1 or not 0 <= detection <= 1:
        raise InputError("--evict-below and --detection-rate are shares", "give a number from 0 to 1")
    options = Options(
        trace=trace,
        policies=tuple(dict.fromkeys(name.strip() for name in policy.split(",") if name.strip())),
        nodes=nodes,
        vc=vc,
        speed=speed,
        seed=seed,
        repeat=repeat,
        data=data,
        predictions=predictions,
        on_bad="skip" if on_bad == "skip" else "stop",
        faults=Faults(mean_up_h * HOUR_S, repair_h * HOUR_S, spares, checkpoint_min * 60, notice_min * 60),
        accounting="honest" if accounting == "honest" else "published",
        profiles=profiles,
        labels=labels,
        interference=interference,
        forecast=forecast,
        training=training,
        figures=plot is not None,
        sharing=sharing,
        profiling=profiling,
        evict_below=evict_below,
        detection_rate=detection,
        workers=workers,
        sweep=sweep,
    )
    with Bar() as bar:
        simulation = run(options, bar.tell, bar.started, bar.finished)
    for note in simulation.experiment.trace.notes:
        console(stderr=True).print(f"note: {note}", style="yellow", markup=False)
    if jobs_out is not None:
        write_jobs(simulation, jobs_out)
    if plot is not None:
        from schedmate.scheduling.report import save

        save(simulation, plot)
    if as_json:
        for summary in simulation.summaries:
            typer.echo(json.dumps(summary.fields()))
    else:
        show(simulation)


def show(simulation: "Simulation") -> None:
    """Print the table."""
    from rich.console import Console
    from rich.table import Table

    experiment = simulation.experiment
    # A pipe has no width: give it all columns.
    screen = Console(highlight=False, width=None if sys.stdout.isatty() else 200)
    gpus = sum(node.gpus for node in experiment.nodes)
    screen.print(
        f"{experiment.trace.name}: {len(experiment.trace):,} jobs on {len(experiment.nodes):,} nodes, {gpus:,} GPUs",
        markup=False,
    )
    rows = [cells(summary) for summary in simulation.summaries]
    widths = [max(map(len, column)) + 2 for column in zip(COLUMNS, *rows, strict=True)]
    shown = [place for place, name in enumerate(COLUMNS) if sum(widths) <= screen.width or name not in FINER]
    table = Table(box=None, header_style="bold", pad_edge=False)
    for place in shown:
        table.add_column(COLUMNS[place], justify="left" if place == 0 else "right", no_wrap=True)
    for row in rows:
        table.add_row(*(row[place] for place in shown))
    screen.print(table)
    if len(shown) < len(COLUMNS):
        screen.print(f"a wider terminal, or --json, also shows: {', '.join(sorted(FINER))}", style="dim")


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
        if sys.stderr.isatty():
            from rich.progress import Progress

            from schedmate.cli.render import console

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
