"""Beside a Slurm of 2,000 nodes with 25,000 jobs: a look's CPU time and calls, a decision, a week's memory, the epilog.

Small programs in the place of squeue, sinfo, sacct and scontrol print made output in the real commands' form.
"""

import gc
import os
import resource
import shlex
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks import Figure
from schedmate.clusters.managed import Wish
from schedmate.clusters.slurm.cluster import SlurmCluster
from schedmate.clusters.slurm.dialects import SINFO, SQUEUE
from schedmate.clusters.slurm.hooks import EPILOG, MOST_SPOOL_BYTES, NOTE_LIMIT_S
from schedmate.history.live import LiveStore
from schedmate.scheduling.estimators.history_mean import HistoryMean
from schedmate.scheduling.loop import Loop
from schedmate.scheduling.policies.order_only import OrderOnly
from schedmate.scheduling.policies.schedmate import SchedMate

PENDING, RUNNING, NODES = 20_000, 5_000, 2_000

CHANGES = 100
"""Jobs that end, begin and come between two looks."""
WEEK_LOOKS, WEEK_RUNNING = 2_016, 40
"""A look every five minutes for a week, while a small cluster ends and begins ten jobs between two of them."""
ENDS = 300
FIELD, END = "\x01", "\x02"
TABLE = """#!/bin/sh
for word; do case "$word" in --Format=*) form=${{word#--Format=}};; esac; done
field=${{form#*:}}; field=${{field%%,*}}; end=${{form##*:}}
exec sed "s|\x01|$field|g; s|\x02|$end|g" {path}
"""
DONE = "#!/bin/sh\nexit 0\n"


class MadeSlurm:
    """What Slurm knows, as text that its commands would print; a change is written before the next look."""

    def __init__(self, folder: Path, pending: int, running: int, nodes: int) -> None:
        self.folder = folder
        self.begun_s = time.time()
        self.at_s = self.begun_s
        self.next = 1
        self.pending: list[int] = []
        self.running: dict[int, tuple[int, int]] = {}
        """Node and first second of each."""
        self.ended: list[tuple[int, int, int, int]] = []
        self.node_count = nodes
        self.free = [node for node in range(1, nodes + 1) for _ in range(4)]
        self.programs = folder / "programs"
        self.programs.mkdir()
        for name in ("squeue", "sinfo"):
            (self.programs / name).write_text(TABLE.format(path=folder / name))
        for name in ("sacct", "scontrol", "sbatch", "scancel"):
            (self.programs / name).write_text(DONE)
        for path in self.programs.iterdir():
            path.chmod(0o755)
        self.come(pending + running)
        self.begin(running)
        self.write()

    def now_s(self) -> float:
        """Give the time, as the loop's clock."""
        return self.at_s

    def come(self, count: int) -> None:
        """Hand in jobs."""
        self.pending += range(self.next, self.next + count)
        self.next += count

    def begin(self, count: int) -> None:
        """Start those that have waited longest."""
        for number in self.pending[:count]:
            self.running[number] = (self.free.pop(), int(self.at_s))
        del self.pending[:count]

    def end(self, count: int) -> None:
        """End those that have run longest; the controller knows them for five minutes."""
        kept_s = self.at_s - 300
        self.ended = [one for one in self.ended if one[3] > kept_s]
        for number in [*self.running][:count]:
            node, start_s = self.running.pop(number)
            self.free.append(node)
            self.ended.append((number, node, start_s, int(self.at_s)))

    def write(self) -> None:
        """Print it."""
        rows = [self.row(number, "PENDING", 0, 0, 0) for number in self.pending]
        rows += [self.row(number, "RUNNING", node, start_s, 0) for number, (node, start_s) in self.running.items()]
        rows += [self.row(number, "COMPLETED", *rest) for number, *rest in self.ended]
        (self.folder / "squeue").write_text("\n".join(rows) + "\n")
        used: dict[int, int] = {}
        for node, _ in self.running.values():
            used[node] = used.get(node, 0) + 1
        nodes = [self.node(number, used.get(number, 0)) for number in range(1, self.node_count + 1)]
        (self.folder / "sinfo").write_text("\n".join(nodes) + "\n")

    def row(self, number: int, state: str, node: int, start_s: int, end_s: int) -> str:
        """Print a job as squeue does."""
        waits = state == "PENDING"
        values = {
            "JobArrayID": number, "JobID": number, "State": state, "Reason": "Priority" if waits else "None",
            "exit_code": 0, "UserName": f"user{number % 200}", "UserID": 1000 + number % 200, "Partition": "gpu",
            "NodeList": f"gpu{node:04d}" if node else "", "RestartCnt": 0, "SubmitTime": f"{self.begun_s:.0f}",
            "EligibleTime": f"{self.begun_s:.0f}",
            "tres-alloc": "cpu=16,mem=125G,node=1,billing=16,gres/gpu=2,gres/gpu:h100=2",
            "StartTime": "N/A" if waits else start_s, "EndTime": "N/A" if waits else end_s or start_s + 86_400,
            "TimeLimit": "1-00:00:00", "PriorityLong": 4294901760 - number, "Nice": 0, "BatchFlag": 1, "NumCPUs": 16,
            "StdOut": f"/home/user{number % 200}/runs/%x-%j.out", "WorkDir": f"/home/user{number % 200}/runs",
            "Command": f"/home/user{number % 200}/runs/train.sh --config c{number % 50}.yaml", "Comment": "(null)",
            "admin_comment": "", "Name": f"train-{number % 300}",
        }  # fmt: skip
        return FIELD.join(str(values[name]) for name in SQUEUE) + END

    def node(self, number: int, jobs: int) -> str:
        """Print a node as sinfo does."""
        used = f"gpu:h100:{2 * jobs}(IDX:0-{2 * jobs - 1})" if jobs else "gpu:h100:0(IDX:N/A)"
        values = {
            "NodeList": f"gpu{number:04d}", "StateLong": "mixed" if jobs else "idle", "Gres": "gpu:h100:8(S:0-1)",
            "GresUsed": used, "CPUs": 128, "NodeAddr": f"gpu{number:04d}", "User": "Unknown", "Timestamp": "Unknown",
            "Reason": "none",
        }  # fmt: skip
        return FIELD.join(str(values[name]) for name in SINFO) + END


@contextmanager
def beside(pending: int, running: int, nodes: int) -> Iterator[tuple[MadeSlurm, SlurmCluster, Loop, float]]:
    """Stand beside a made Slurm; give also the CPU seconds that taking it over took."""
    path = os.environ["PATH"]
    with TemporaryDirectory() as name:
        made = MadeSlurm(Path(name), pending, running, nodes)
        os.environ["PATH"] = f"{made.programs}:{path}"
        store = LiveStore(Path(name) / "data", patient=True)
        store.connection.execute("PRAGMA synchronous=OFF")  # the disk is not what is measured
        try:
            began_s = time.process_time()
            cluster = SlurmCluster(store, Wish(words={"every": "0"}))
            cluster.books.clock = made
            loop = Loop(cluster, lambda vc: OrderOnly(SchedMate(HistoryMean()), cluster, True), patience=None)
            loop.turn(0.0)
            yield made, cluster, loop, time.process_time() - began_s
            cluster.close()
        finally:
            os.environ["PATH"] = path
            store.close()


def scale() -> tuple[float, list[float], list[float], list[float], float]:
    """Give the CPU seconds to take over, of quiet looks and of busy ones, CPU ms of decisions, and calls a look."""
    with beside(PENDING, RUNNING, NODES) as (made, cluster, loop, taken_s):
        quiet, busy, decisions = [], [], []
        for _ in range(5):
            began_s = time.process_time()
            cluster.look()
            quiet.append(time.process_time() - began_s)
        asked = cluster.commands.asked
        for _ in range(10):
            made.at_s += 30
            made.end(CHANGES)
            made.begin(CHANGES)
            made.come(CHANGES)
            made.write()
            began_s = time.process_time()
            cluster.look()
            looked_s = time.process_time()
            loop.turn(0.0)
            busy.append(looked_s - began_s)
            decisions.append((time.process_time() - looked_s) * 1000)
        return taken_s, quiet, busy, decisions, (cluster.commands.asked - asked) / 10


def week_mib() -> float:
    """Give the growth of memory from the first day's end to the seventh's, in MiB."""
    with beside(200, WEEK_RUNNING, 20) as (made, cluster, loop, _):
        after_a_day = 0.0
        for look in range(WEEK_LOOKS):
            made.at_s += 300
            made.end(10)
            made.begin(10)
            made.come(10)
            made.write()
            cluster.look()
            loop.turn(0.0)
            if look == WEEK_LOOKS // 7:
                gc.collect()
                after_a_day = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - after_a_day


def epilog_ms() -> list[float]:
    """Give the CPU ms that each of many ends of jobs costs, in slurmctld's hook."""
    spent = []
    with TemporaryDirectory() as name:
        script = Path(name) / "epilog.sh"
        spool, limits = shlex.quote(str(Path(name) / "ended")), {"limit": NOTE_LIMIT_S, "most": MOST_SPOOL_BYTES}
        script.write_text(EPILOG.format(ended=spool, **limits))
        for number in range(ENDS):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(["/bin/sh", script], env={**os.environ, "SLURM_JOB_ID": str(number)}, check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000)
    return spent


def measure() -> list[Figure]:
    """Measure; memory first, while this process is small."""
    grown_mib = week_mib()
    taken_s, quiet, busy, decisions, calls = scale()
    many = f"{PENDING:,} pending, {RUNNING:,} running, {NODES:,} nodes"
    change = f"{CHANGES} ended, {CHANGES} began, {CHANGES} came"
    return [
        Figure(f"memory: growth from day 1 to day 7, {10 * WEEK_LOOKS:,} jobs", grown_mib, "MiB", 5.0, True),
        Figure(f"take over {many}", taken_s, "CPU s", None),
        Figure("a look at which nothing has changed, worst of 5", max(quiet), "CPU s", 1.0, True),
        Figure(f"a look: {change}, worst of 10", max(busy), "CPU s", 1.0, True),
        Figure("the decision after it, median of 10", float(np.median(decisions)), "CPU ms", None),
        Figure("the decision after it, worst of 10", max(decisions), "CPU ms", 100.0, True),
        Figure("commands run a look", calls, "", 4.0, True),
        Figure(f"the epilog of a job, median of {ENDS}", float(np.median(epilog_ms())), "CPU ms", 10.0, True),
    ]
