"""The jobs that durations are estimated for, each set with what its trace offers and what it does not."""

import csv
import gzip
from itertools import islice
from pathlib import Path

from evals.durations.job_set import JobSet
from schedmate.errors import InputError
from schedmate.scheduling.estimators.replay import past_jobs
from schedmate.traces.reading import read_trace

WEEK_S = 7 * 86_400.0
NAMES = ("venus", "philly", "mars")


def load(name: str, data: Path, limit: int | None) -> JobSet:
    """Load a set by name, or a trace file, whose first third only teaches."""
    if name == "mars":
        from evals.mars import load_mars

        return load_mars(limit)
    if name == "venus":
        return venus(data, limit)
    spec = str(data / "philly_pollux.csv.gz") if name == "philly" else name
    jobs = list(islice(past_jobs(read_trace(spec)), limit))
    first = jobs[len(jobs) // 3].job.submit_s or 0.0
    lacks = "It has no user, name, command or status." if name == "philly" else ""
    return JobSet(Path(spec).name, jobs, first, f"{lacks} The first third only teaches.".strip())


def venus(data: Path, limit: int | None) -> JobSet:
    """Learn from Venus before September, and predict September."""
    paths = [data / name for name in ("venus_history_10vc.csv.gz", "venus_sept.csv.gz")]
    if absent := [path for path in paths if not path.is_file()]:
        raise InputError(f"{absent[0]} is absent", "name the folder: python -m evals duration venus --data DIR")
    before = list(past_jobs(read_trace(str(paths[0]))))
    # September begins on a Tuesday; the history's own clock is of an unknown origin, so only its order is used.
    latest_s = max(past.known_s or 0.0 for past in before)
    shift_s = (latest_s // WEEK_S + 1) * WEEK_S
    after = list(islice(past_jobs(read_trace(str(paths[1])), shift_s), limit))
    lacks = (
        "It has no code, command, directory, branch or name (Helios never published them), and no profile: of the "
        "paper's inputs only user, virtual cluster, GPUs, CPUs and time are there. The history covers 10 of 15 "
        "virtual clusters, its dates are unknown, and three in ten September jobs are of users it does not know."
    )
    return JobSet(
        "Venus September", before + after, shift_s, lacks, published(data / "lucid" / "venus_sept_profile.csv.gz")
    )


def published(path: Path) -> dict[str, dict[str, float]]:
    """Read Lucid's published predictions; a negative one is read as 1000 s, as its simulator reads it."""
    if not path.is_file():
        return {}
    columns = {"GA2M, published": "ebm_pred_duration_s", "LightGBM, published": "lgb_pred_duration_s"}
    said: dict[str, dict[str, float]] = {name: {} for name in columns}
    with gzip.open(path, "rt", newline="") as file:
        for row in csv.DictReader(file):
            for name, column in columns.items():
                value = float(row[column])
                said[name][row["job_id"]] = value if value >= 0 else 1000.0
    return said
