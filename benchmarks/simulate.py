"""How fast jobs are simulated, in how much memory; published figures are in docs/measurements-policies.md."""

import json
import subprocess
import sys
from pathlib import Path

from benchmarks import Figure
from schedmate.scheduling.simulation.experiment import Experiment
from schedmate.scheduling.simulation.run_policy import run
from schedmate.scheduling.simulation.unschedulable import drop_misfits

DATA = Path(__file__).parent.parent.parent / "shared" / "traces"
BIG = """
import resource
from schedmate.clusters.simulation.cluster_spec import parse_nodes
from schedmate.scheduling.simulation.experiment import Experiment
from schedmate.scheduling.simulation.run_policy import run
from schedmate.traces.generating import generate
trace = generate("helios", jobs={jobs})
summary = run(Experiment(trace=trace, nodes=tuple(parse_nodes("10000x8"))), "{policy}").summary
print(summary.jobs / summary.cpu_s, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def venus_or_generated() -> Experiment:
    """Take Venus September where it lies beside the repository, and a generated month of the same size elsewhere."""
    if (DATA / "venus_sept.csv.gz").is_file():
        from evals.fidelity import venus

        return venus(DATA)
    from schedmate.clusters.simulation.cluster_spec import parse_nodes
    from schedmate.traces.generating import generate

    month = Experiment(trace=generate("helios", jobs=24_000), nodes=tuple(parse_nodes("135x8")))
    return drop_misfits(month, "skip")


def speed(experiment: Experiment, policy: str) -> float:
    """Give jobs per CPU second, the better of two runs."""
    runs = (run(experiment, policy).summary for _ in range(2))
    return max(summary.jobs / summary.cpu_s for summary in runs)


def rounds() -> float | None:
    """Give rounds per CPU second of Sia with 160 jobs on 64 GPUs; None where no training profiles are at hand."""
    if not (DATA / "sia_workloads").is_dir():
        return None
    trace = DATA / "sia_workloads" / "sia_philly_workload_1.csv.gz"
    command = [sys.executable, "-m", "schedmate", "simulate", "--policy", "sia", "--json", "--trace", str(trace)]
    told = subprocess.run([*command, "--training", str(DATA / "pollux")], capture_output=True, text=True, check=True)
    summary = json.loads(told.stdout)
    return float(summary["makespan_s"]) / 60 / float(summary["cpu_s"])


def large(jobs: int, policy: str = "fifo") -> tuple[float, float]:
    """Simulate many jobs on 10,000 nodes in a process of its own; give jobs per CPU second and MiB."""
    code = BIG.format(jobs=jobs, policy=policy)
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    return float(told[0]), float(told[1])


def measure() -> list[Figure]:
    """Run the month under each policy, then a hundred thousand and a million jobs on 10,000 nodes."""
    experiment = venus_or_generated()
    where = experiment.trace.name
    figures = [
        Figure(f"{where} under {policy}", speed(experiment, policy), "jobs/CPU s", goal=5000)
        for policy in ("fifo", "sjf", "qssf", "tiresias")
    ]
    figures.append(Figure(f"{where} under srtf", speed(experiment, "srtf"), "jobs/CPU s"))
    figures.append(Figure(f"{where} under lucid, packing", speed(experiment, "lucid"), "jobs/CPU s", goal=2000))
    if (sia := rounds()) is not None:
        figures.append(Figure("sia, 160 jobs on 64 GPUs", sia, "rounds/CPU s", goal=20))
    hundred, _ = large(100_000)
    ours, _ = large(200_000, "schedmate")
    figures.append(Figure("200,000 jobs on 10,000 nodes under schedmate", ours, "jobs/CPU s", goal=10_000))
    million, mib = large(1_000_000)
    figures.append(Figure("1,000,000 jobs on 10,000 nodes", mib, "MiB", goal=1024, less_is_better=True))
    figures.append(Figure("the same", million, "jobs/CPU s"))
    figures.append(
        Figure("cost a job, 1,000,000 against 100,000 jobs", hundred / million, "x", goal=1.5, less_is_better=True)
    )
    return figures
