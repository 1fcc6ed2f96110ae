"""How fast advice is: on a resubmission, on a new repository, for many at once, with a model server and without.

Then in a shell, by the size of the history: `WORKLOADS=1000000` measures a million, which takes some minutes.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median

from benchmarks import Figure
from benchmarks._shell import shell_figures
from benchmarks.extract import make_repository
from schedmate.choices import ReaderChoice
from schedmate.graphs.advise import HistoryContext
from schedmate.graphs.extract import run_extract
from schedmate.history.admission import find_resubmissions
from schedmate.history.database import open_database
from schedmate.history.jobs import add_jobs
from schedmate.scheduling.estimators.advising import run_advise
from schedmate.schemas import Job, PastJob
from schedmate.settings import get_settings

COMMAND = "python train.py --lr 3e-4 --epochs {epochs}"
JOBS, WORKLOADS = 20_000, 400
NOW_S = 1.7e9
RUNS = 40
AT_ONCE = (1, 4, 16, 32)
PAPER_JOBS_AN_HOUR = 480

MODEL_DELAY_S = 1.5
"""What a scripted model takes for each reply; an exploration takes several."""


def past_jobs(root: Path) -> Iterator[PastJob]:
    """Make a history of one repository: other users' jobs, and every hundredth a run of what is asked about."""
    workload = run_extract(root, COMMAND.format(epochs=10), engine="built-in").workload
    for number in range(JOBS):
        user, epochs = ("ada", 10) if number % 100 == 0 else (f"user{number % 50}", 10 + number % WORKLOADS)
        job = Job(
            job_id=f"j{number}",
            user=user,
            command=COMMAND.format(epochs=epochs),
            workdir=root.resolve(),
            gpus=1,
            submit_s=NOW_S - 3600.0 * 24 * 30 + number * 60,
            status="completed",
        )
        yield PastJob(job=job, ran_s=600.0 + number % 90, workload=workload.model_copy(update={"epochs": epochs}))


def request(user: str) -> Job:
    """Ask for one GPU."""
    return Job(job_id="", user=user, gpus=1, submit_s=NOW_S)


def milliseconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """Give the median wall time of some calls."""
    taken = []
    for _ in range(runs):
        started_s = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started_s)
    return median(taken) * 1000


def measure() -> list[Figure]:
    """Fill a history, ask about what has run before and what has not, then ask many at once."""
    with tempfile.TemporaryDirectory() as folder:
        root, data = Path(folder) / "repo", Path(folder) / "data"
        make_repository(root, 500)
        with closing(open_database(data)) as connection:
            add_jobs(connection, past_jobs(root))
        past = HistoryContext(data, 0.9, 3)
        again, other = COMMAND.format(epochs=10), COMMAND.format(epochs=17)
        job = request("ada").model_copy(update={"command": again, "workdir": root.resolve()})
        with closing(open_database(data)) as connection:
            lookup = milliseconds(lambda: find_resubmissions(connection, job, now_s=NOW_S))
        known = milliseconds(lambda: run_advise(root, again, ".", request("ada"), past, "built-in"))
        new = milliseconds(lambda: run_advise(root, other, ".", request("eve"), past, "built-in"))
        figures = [
            Figure(f"lookup of a resubmission among {JOBS:,} jobs", lookup, "ms", goal=5, less_is_better=True),
            Figure("advise, resubmission, store opened and all", known, "ms"),
            Figure("advise, new repository of 500 files", new, "ms"),
        ]
        for many in AT_ONCE:
            figures.append(Figure(f"no model, {many} at once", jobs_an_hour(root, past, "built-in", many), "jobs/h"))
        with scripted_server():
            for many in AT_ONCE:
                what = f"model at {MODEL_DELAY_S:g} s a reply, {many} at once (paper: {PAPER_JOBS_AN_HOUR})"
                figures.append(Figure(what, jobs_an_hour(root, past, "model", many), "jobs/h"))
        figures += shell_figures(root, Path(folder))
    return figures


def jobs_an_hour(root: Path, past: HistoryContext, engine: ReaderChoice, many: int) -> float:
    """Ask about new jobs, so many at once, and count; each has a command that nobody has seen."""
    count = max(2 * many, 8)
    started_s = time.perf_counter()
    with ThreadPoolExecutor(many) as pool:
        asked = [
            pool.submit(run_advise, root, COMMAND.format(epochs=1_000 + number), ".", request("eve"), past, engine)
            for number in range(count)
        ]
        answers = [one.result() for one in asked]
    assert all(answer.source == "similar" for answer in answers)
    return count / (time.perf_counter() - started_s) * 3600


@contextmanager
def scripted_server() -> Iterator[None]:
    """Start the server that the tests use, slowed down, and point the settings at it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "tests.scripted_server", "--port", str(port), "--delay", str(MODEL_DELAY_S)]
    names = {"SCHEDMATE_LLM_URL": f"http://127.0.0.1:{port}/v1", "SCHEDMATE_LLM_CACHE": "false"}
    before = {name: os.environ.get(name) for name in names}
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        os.environ.update(names)
        get_settings.cache_clear()
        yield
    finally:
        server.terminate()
        server.wait(10)
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        get_settings.cache_clear()


def wait_for(port: int) -> None:
    """Wait until somebody listens."""
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError("the scripted server did not start")
