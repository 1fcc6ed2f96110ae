"""The same experiment in the simulator: the same jobs and beliefs at the experiment's pace, starts as long as here."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evals.testbed.arms import ARMS, spec_of
from evals.testbed.playing import Ended, Played
from evals.testbed.users import NOTICE_S, PROFILE_S
from evals.testbed.workload import BLAMING, GPUS, NODES, PACE, SAVE_S, Task, Workload, as_trace
from schedmate.clusters import LiveJob
from schedmate.clusters.simulation.restart_cost import Saving
from schedmate.clusters.simulation.told_remaining import Legibility
from schedmate.scheduling.simulation.experiment import Experiment, Faults, Result
from schedmate.scheduling.simulation.profiling import ProfilerSetup, profile
from schedmate.scheduling.simulation.run_policy import run

TELLS_AFTER_S = 180.0
FOR_EVER_S = 1e9
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Beside:
    """What the simulator says of one scheduler, in seconds of the experiment, in the order of the jobs."""

    jct_s: Floats
    makespan_s: float
    result: Result


def simulate(workload: Workload, played: Played, counts_starts: bool = True) -> Beside:
    """Play one scheduler in the simulator; without starts, as if a job ran from the moment it was placed."""
    arm, count = ARMS[played.arm], len(workload.tasks)
    submit_s = np.array([task.submit_s for task in workload.tasks])
    arrive_s = after_profiling(workload.tasks, played.jobs, counts_starts) if arm.profiles else submit_s
    order = np.lexsort((np.arange(count), arrive_s))
    tasks = [replace(workload.tasks[row], submit_s=float(arrive_s[row])) for row in order]
    jobs = [played.jobs[row] for row in order]
    starts_s = [job.start_s if counts_starts else 0.0 for job in jobs]
    trace, profiles = as_trace(tasks, starts_s)
    experiment = Experiment(
        trace=trace,
        nodes=spec_of(NODES - 1 if arm.profiles else NODES, GPUS),
        accounting="honest",
        profiles=profiles,
        interference=workload.interference,
        profiler=None,
        predictions={arm.policy: np.array([job.believed_s for job in jobs]) * PACE},
        saving=Saving(every_s=SAVE_S * PACE, starts_s=tuple(start_s * PACE for start_s in starts_s)),
        mishaps={row: (left_s(task) * PACE,) for row, task in enumerate(tasks) if task.fault},
        blamed=frozenset(row for row, task in enumerate(tasks) if task.fault in BLAMING),
        faults=Faults(notice_s=NOTICE_S * PACE, measured_s=queued_again(jobs)),
        evict_below=arm.parts_below,
        legibility=Legibility(share=1.0 if arm.reads else 0.0, after_s=TELLS_AFTER_S),
    )
    result = run(experiment, arm.policy)
    end_s = np.empty(count)
    end_s[order] = result.outcomes.end_s
    return Beside(end_s - submit_s * PACE, float(end_s.max() - submit_s.min() * PACE), result)


def after_profiling(tasks: Sequence[Task], jobs: Sequence[Ended], counts_starts: bool) -> Floats:
    """Let those who were profiled stand in line for the profiler's node; give when each comes to the queue."""
    looked = [task for task, job in zip(tasks, jobs, strict=True) if job.profiled_gpus]
    look_s = np.array([job.profiled_s if counts_starts else PROFILE_S for job in jobs]) * PACE
    coming = (LiveJob(task.number, str(task.number), task.gpus, task.submit_s * PACE) for task in looked)
    setup = ProfilerSetup(nodes=1, limit_s=FOR_EVER_S, factor=GPUS)
    told = profile(coming, look_s, spec_of(1, GPUS), setup, None)
    return np.where(np.isnan(told.end_s), [task.submit_s for task in tasks], told.end_s / PACE)


def left_s(task: Task) -> float:
    """Give the work that is left where a fault ends a job."""
    return task.work_s * (task.steps - task.fault_step) / task.steps


def queued_again(jobs: Sequence[Ended]) -> dict[int, float]:
    """Tell how long each fault kept its job out of the queue: its log is read, or a person notices."""
    return {row: job.queued_s * PACE for row, job in enumerate(jobs) if job.queued_s is not None}
