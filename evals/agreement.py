"""What `report` counts beside what the authors of public traces printed: Helios, Acme's Seren and Kalos, Philly.

The whole traces are given as FILE...; without them there are the parts that DIR holds, and made traces, whose
marginals are the printed ones: they test the counting, not the world.
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from evals.report import Cell, Report, Table
from schedmate.reports.findings import Report as Made
from schedmate.reports.making import ReportOptions, make_report
from schedmate.reports.past import Gathering
from schedmate.reports.sources import from_file
from schedmate.traces.generating import generate
from schedmate.traces.writing import write_trace

DATA = Path(__file__).parent.parent.parent / "shared" / "traces"
COLUMNS = (
    "mean run s",
    "median run s",
    "mean GPUs",
    "completed",
    "cancelled",
    "failed",
    "GPU h completed",
    "cancelled ",
    "failed ",
)

PRINTED: dict[str, tuple[float, ...]] = {
    "helios": (6651.681, 206.0, 3.716, 0.624, 0.221, 0.155, 0.513, 0.394, 0.093),
    "seren": (1414.335, 122.0, 5.68, 0.497, 0.075, 0.429, 0.212, 0.664, 0.124),
    "kalos": (1259.689, 124.0, 26.77, 0.541, 0.062, 0.397, 0.313, 0.607, 0.08),
    "philly": (18006.055, 874.0, 1.928, 0.604, 0.09, 0.305, 0.321, 0.294, 0.386),
}
"""Of GPU jobs: AcmeTrace's cluster_summary.csv, whose authors print Helios and Philly beside their own."""
PARTS = {
    "venus_sept.csv.gz": ("helios", "Venus, September 2020: one of four clusters, one of six months"),
    "kalos_head800.csv.gz": ("kalos", "Kalos, the first 800 of 19,907 GPU jobs"),
    "philly_pollux.csv.gz": ("philly", "Philly, as Pollux kept it: 82,247 of 112,956"),
    "philly_pcs.csv.gz": ("philly", "Philly, as PCS kept it: 109,532 of 112,956"),
}
MADE_JOBS, MADE_DAYS = 60_000, 60.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the folder of parts, and whole traces."""
    parser.add_argument("data", nargs="?", type=Path, default=DATA, help="folder with parts of the traces")
    for name in PRINTED:
        parser.add_argument(
            f"--{name}", nargs="*", default=[], metavar="FILE", help=f"the whole of {name}, as published"
        )


def run(options: argparse.Namespace) -> Report:
    """Count each trace that is here."""
    rows: list[list[Cell]] = []
    for name, figures in PRINTED.items():
        rows.append([f"{name}, as printed", *figures])
        if files := getattr(options, name):
            rows.append([f"{name}, whole", *counted(files)])
        for file, (whole, about) in PARTS.items():
            if whole == name and (options.data / file).is_file():
                rows.append([about, *counted([str(options.data / file)])])
        rows.append([f"{name}, made ({MADE_JOBS:,} jobs)", *of_made(name)])
    return Report([Table("report beside the authors' figures, GPU jobs", ["", *COLUMNS], rows)])


def of_made(name: str) -> list[Cell]:
    """Count a made trace."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "made.csv"
        with path.open("w", encoding="utf-8", newline="") as stream:
            write_trace(generate(like=name, jobs=MADE_JOBS, days=MADE_DAYS, seed=1), stream)
        return counted([str(path)])


def counted(files: list[str]) -> list[Cell]:
    """Report on files, and give the figures in the order of the columns."""
    gathering = Gathering()
    for path in files:
        from_file(gathering, path, lambda done, total: None)
    past = gathering.past()
    made: Made = make_report(past.having_gpus(), files, ReportOptions(policies=()))
    typical = made.typical
    ends = {one.status: one for one in made.ends}
    known = "unknown" not in ends
    bad = [ends[status] for status in ("failed", "node_fail", "timeout") if status in ends]
    told: list[Cell] = [typical.mean_run_s, typical.median_run_s, typical.mean_gpus] if typical else [None] * 3
    if not known:
        return [*told, *([None] * 6)]
    done, stopped = ends.get("completed"), ends.get("cancelled")
    return [
        *told,
        done.share if done else 0.0,
        stopped.share if stopped else 0.0,
        sum(one.share for one in bad),
        done.gpu_hours_share if done else 0.0,
        stopped.gpu_hours_share if stopped else 0.0,
        sum(one.gpu_hours_share for one in bad),
    ]
