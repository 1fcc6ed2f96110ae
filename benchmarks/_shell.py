"""What `schedmate advise` costs in a shell and in a process that stays, by how many workloads the history holds."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import median

from benchmarks import Figure
from benchmarks._workloads import made_workloads
from schedmate.graphs.advise import HistoryContext
from schedmate.graphs.extract import run_extract
from schedmate.history.database import open_database
from schedmate.history.jobs import add_jobs
from schedmate.history.similarity.names import NameCloseness
from schedmate.history.similarity.stored import OUTRIGHT
from schedmate.history.similarity.upkeep import index_anew
from schedmate.models.embedders.built_in import open_built_in
from schedmate.scheduling.estimators.advising import run_advise
from schedmate.schemas import Job, PastJob, Workload

SIZES = tuple(int(size) for size in os.environ.get("WORKLOADS", "400,10000,100000").split(","))
RUNS = 5
KNOWN, NEW = "python train.py --lr 3e-4 --epochs 10", "python train.py --lr 3e-4 --epochs 17"


def shell_figures(root: Path, folder: Path) -> Iterator[Figure]:
    """Fill histories of some sizes, index them, and ask each from a shell and from here."""
    workload = run_extract(root, KNOWN, engine="built-in").workload
    for size in SIZES:
        data = folder / f"data-{size}"
        fill(data, size, root, workload)
        with closing(open_database(data)) as connection:
            index_anew(connection, data, "auto", NameCloseness(open_built_in()), lambda done, total: None, print)
        title = f"{size:,} workloads{'' if size > OUTRIGHT else ', compared one by one'}"
        yield Figure(f"{title}: advise in a shell, resubmission", in_shell(root, data, KNOWN), "CPU s")
        yield Figure("  new repository", in_shell(root, data, NEW), "CPU s")
        yield Figure("  new repository, by a process that stays", staying_ms(root, data), "CPU ms")


def fill(data: Path, size: int, root: Path, workload: Workload) -> None:
    """Make a history of so many different workloads; the last is of the repository, and was run by its command."""
    now_s = time.time()
    times = {"submit_s": now_s - 7_200, "start_s": now_s - 7_200, "end_s": now_s - 3_600, "status": "completed"}
    with closing(open_database(data)) as connection:
        for start in range(0, size - 1, 20_000):
            made = made_workloads(min(20_000, size - 1 - start), start)
            jobs = (Job(job_id=f"m{start + place}", user="bob", **times) for place in range(len(made)))
            add_jobs(connection, (PastJob(job=job, workload=one) for job, one in zip(jobs, made, strict=True)))
        known = Job(job_id="known", user="ada", command=KNOWN, workdir=root.resolve(), gpus=1, **times)
        add_jobs(connection, [PastJob(job=known, workload=workload)])


def in_shell(root: Path, data: Path, command: str) -> float:
    """Give the median CPU time of the command, start of Python and all."""
    line = [
        sys.executable,
        "-m",
        "schedmate",
        "advise",
        str(root),
        "--command",
        command,
        "--user",
        "ada",
        "--gpus",
        "1",
    ]
    environment = {**os.environ, "SCHEDMATE_DATA_DIR": str(data)}
    taken = []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [*line, "--json", "--engine", "built-in"], env=environment, stdout=subprocess.DEVNULL, check=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return median(taken)


def staying_ms(root: Path, data: Path) -> float:
    """Give the median CPU time of asking again, the index open."""
    past = HistoryContext(data, 0.9, 3)
    taken = []
    for _ in range(RUNS + 1):
        before = time.process_time()
        run_advise(root, NEW, ".", Job(job_id="", user="eve", gpus=1, submit_s=time.time()), past, "built-in")
        taken.append(time.process_time() - before)
    return median(taken[1:]) * 1000
