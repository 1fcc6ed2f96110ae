"""Does it pay on a real Slurm? The same time-compressed jobs under Slurm alone, with our order, and with our places."""

import argparse
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from evals.report import Report, Table
from schedmate.clusters import NodeSpec
from schedmate.errors import SchedMateError
from schedmate.scheduling.policies.policy_uses import Uses
from schedmate.scheduling.simulation.experiment import Experiment
from schedmate.scheduling.simulation.run_policy import run as play
from schedmate.traces.columns import Trace
from schedmate.traces.generating import generate

HERE = Path(__file__).parent.parent

USERS = ("games", "news", "mail")
"""Accounts that every Debian has, in the place of people."""
NODES, GPUS = 4, 8
ARMS = {"Slurm alone": None, "order": (), "place": ("--option", "place=yes")}

PREDICTED = {"Slurm alone": "easy", "order": "schedmate", "place": "schedmate"}
"""What the simulator plays in the place of each: Slurm alone fills gaps behind the first in its queue, by limits."""
AT_ONCE_S = 0.1
"""Whom the simulator lets wait no longer starts at once there; what such a job waits in Slurm is Slurm's own doing."""
LEAST_S, MOST_S = 1.0, 30.0
"""How long a compressed job sleeps: Slurm itself needs some tenths of a second for each."""
LIMIT_S = 900.0


@dataclass(frozen=True)
class Times:
    """What became of each job, as Slurm's accounting says."""

    wait_s: np.ndarray
    jct_s: np.ndarray
    ran_s: np.ndarray


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say how much is played, and how often."""
    parser.add_argument("--jobs", type=int, default=100, help="jobs of a day")
    parser.add_argument("--span", type=float, default=90.0, help="seconds in which the day's jobs come")
    parser.add_argument("--load", type=float, default=1.6, help="GPU time asked for, over what there is in the span")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=1, help="the first seed")


def compressed(seed: int, jobs: int, span_s: float, load: float) -> Trace:
    """Draw a day like Helios's, and let it pass in a span of seconds under a given load."""
    trace = generate("helios", jobs=jobs, days=1.0, seed=seed)
    submit_s = (trace.submit_s - trace.submit_s[0]) * span_s / 86_400.0
    gpus = np.minimum(trace.gpus, GPUS)
    wanted_s = load * NODES * GPUS * span_s
    low, high = 0.0, 1.0
    for _ in range(50):  # durations are cut at both ends: which factor gives the load is searched
        middle = (low + high) / 2
        duration_s = np.clip(trace.duration_s * middle, LEAST_S, MOST_S)
        low, high = (low, middle) if float((duration_s * gpus).sum()) > wanted_s else (middle, high)
    return replace(trace, submit_s=submit_s, duration_s=duration_s, gpus=gpus)


@contextmanager
def real_slurm(folder: Path) -> Iterator[dict[str, str]]:
    """Start a Slurm of four emulated nodes; give the environment in which its commands work."""
    command = [sys.executable, "-m", "tests.slurm.real_slurm", str(folder)]
    process = subprocess.Popen(command, cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    try:
        if not line.startswith("export SLURM_CONF="):
            raise SchedMateError("no Slurm could be started", "as root, with Debian's packages: make test-slurm")
        path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
        yield {**os.environ, "SLURM_CONF": line.partition("=")[2], "PATH": path}
    finally:
        process.stdin.close()
        process.wait()


@contextmanager
def beside(environment: dict[str, str], folder: Path, options: tuple[str, ...] | None) -> Iterator[None]:
    """Let SchedMate act meanwhile, unless Slurm is to be alone."""
    if options is None:
        yield
        return
    command = [sys.executable, "-m", "schedmate", "up", "--cluster", "slurm", "--mode", "act", "--option", "every=1"]
    told = {**environment, "SCHEDMATE_DATA_DIR": str(folder / "data"), "PYTHONPATH": os.pathsep.join(sys.path)}
    console = folder / "console"
    with console.open("w") as file:
        process = subprocess.Popen([*command, *options], env=told, stdout=file, stderr=file)
    try:
        while " up on " not in console.read_text():
            if process.poll() is not None:
                raise SchedMateError(f"the loop did not come up: {console.read_text()[-400:]}")
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait()


def play_for_real(trace: Trace, arm: str, gate: threading.Barrier) -> Times:
    """Hand the jobs in at their times, each as its user, and read what the accounting says of them."""
    with TemporaryDirectory(prefix="slurm-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        with real_slurm(folder / "c") as environment, beside(environment, folder, ARMS[arm]):
            gate.wait()
            began_s = time.monotonic()
            names = []
            for number in range(len(trace)):
                time.sleep(max(0.0, began_s + float(trace.submit_s[number]) - time.monotonic()))
                names.append(hand_in(trace, number, arm == "place", environment, folder / "c" / "work"))
            while said(environment, "squeue", "-h", "-o", "%i").strip():
                if time.monotonic() > began_s + LIMIT_S:
                    raise SchedMateError(f"{arm}: jobs do not end")
                time.sleep(1.0)
            return times(names, environment)


def hand_in(trace: Trace, number: int, is_placed: bool, environment: dict[str, str], work: Path) -> str:
    """Hand a job in; its script tells what it is, and the environment how long it sleeps, which nobody reads."""
    code = int(trace.user.codes[number])
    user, title = USERS[code % len(USERS)], f"u{code}-{trace.job_name[number]}"
    script = work / f"{title}.sh"
    script.write_text('#!/bin/sh\nsleep "$SLEEP_S"\n')
    script.chmod(0o755)
    later = ["--begin=now+600"] if is_placed else []
    told = {**environment, "SLEEP_S": f"{trace.duration_s[number]:.2f}"}
    options = [
        "--parsable",
        f"--uid={user}",
        f"--job-name={title}",
        f"--gpus={trace.gpus[number]}",
        "-N1",
        "-t60",
        "-n1",
    ]
    name = said(
        told, "sbatch", *options, "--mem=100", "-o", "/dev/null", f"--chdir={work}", *later, str(script)
    ).strip()
    if is_placed:  # as the submit plugin does
        said(environment, "scontrol", "update", f"JobId={name}", "AdminComment=schedmate: to be placed")
    return name


def said(environment: dict[str, str], *command: str) -> str:
    """Run one of Slurm's commands."""
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def times(names: list[str], environment: dict[str, str]) -> Times:
    """Ask the accounting, once it knows how all have ended."""
    told = {**environment, "SLURM_TIME_FORMAT": "%s"}
    while True:
        text = said(told, "sacct", "-X", "-n", "-P", "-j", ",".join(names), "-o", "State,Submit,Start,End")
        rows = [line.split("|") for line in text.splitlines()]
        if len(rows) == len(names) and all(row[0] == "COMPLETED" for row in rows):
            break
        if bad := [row[0] for row in rows if row[0] not in ("COMPLETED", "COMPLETING", "RUNNING", "PENDING")]:
            raise SchedMateError(f"jobs ended {', '.join(bad)}")
        time.sleep(0.5)
    submit_s, start_s, end_s = np.array([[float(word) for word in row[1:]] for row in rows]).T
    return Times(start_s - submit_s, end_s - submit_s, end_s - start_s)


def play_all(trace: Trace) -> dict[str, Times]:
    """Play all ways at the same time, each on a Slurm of its own, so that they share this machine's moods."""
    found: dict[str, Times] = {}
    gate = threading.Barrier(len(ARMS))

    def work(arm: str) -> None:
        try:
            found[arm] = play_for_real(trace, arm, gate)
        except BaseException:
            gate.abort()
            raise

    threads = [threading.Thread(target=work, args=(arm,)) for arm in ARMS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(found) < len(ARMS):
        raise SchedMateError("not all ways were played", "what went wrong stands above")
    return found


def predicted(trace: Trace, policy: str, overhead_s: float) -> Times:
    """Let the simulator play the same jobs, each with what Slurm needs to start and end one."""
    nodes = tuple(NodeSpec(f"gpu{number}", GPUS) for number in range(1, NODES + 1))
    slower = replace(trace, duration_s=trace.duration_s + overhead_s, vc=trace.vc.of([""] * len(trace)))
    uses = Uses(displacing=False, moving=False, packing=False)
    outcomes = play(Experiment(slower, nodes, sharing=False, uses=uses), policy).outcomes
    return Times(outcomes.queue_s, outcomes.jct_s, outcomes.duration_s)


def run(options: argparse.Namespace) -> Report:
    """Play every seed."""
    rows: list[tuple[str | int | float | None, ...]] = []
    gains: dict[str, list[float]] = {arm: [] for arm in ARMS}
    notes: list[str] = []
    for seed in range(options.first, options.first + options.seeds):
        trace = compressed(seed, options.jobs, options.span, options.load)
        real = play_all(trace)
        for arm, found in real.items():
            overhead_s = float((found.ran_s - trace.duration_s).mean())
            foreseen = predicted(trace, PREDICTED[arm], max(0.0, overhead_s))
            gains[arm].append(float(found.jct_s.mean() / real["Slurm alone"].jct_s.mean()))
            at_once = foreseen.wait_s < AT_ONCE_S
            means = [found.jct_s.mean(), foreseen.jct_s.mean(), found.wait_s.mean(), foreseen.wait_s.mean()]
            means += [found.wait_s[at_once].mean(), overhead_s] if at_once.any() else [np.nan, overhead_s]
            rows.append((seed, arm, *(round(float(value), 1) for value in means)))
            with suppress(OSError):
                print(rows[-1], file=sys.stderr, flush=True)
        strict = predicted(trace, "fifo", 0.0).jct_s.mean()
        notes.append(
            f"seed {seed}: completion {strict:.1f} s in the simulator if nobody goes ahead of the queue's first"
        )
    columns = ("seed", "under", "completion s", "simulated", "waiting s", "simulated ", "of it to start", "longer by s")
    title = f"{options.jobs} jobs in {options.span:g} s on {NODES} nodes of {GPUS} GPUs, load {options.load:g}"
    notes += [
        f"{arm}: {np.mean(each):.2f} of Slurm alone's completion time"
        for arm, each in gains.items()
        if ARMS[arm] is not None
    ]
    notes.append(
        "of it to start: waiting of the jobs that start at once in the simulator, which knows no scheduling cycle; "
        "longer by: what a job takes on Slurm beyond its sleep, told to the simulator"
    )
    return Report([Table(title, columns, rows)], notes)
