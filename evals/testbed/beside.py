"""The same experiment in the simulator: the same jobs and beliefs at the experiment's pace, starts as long as here."""

from dataclasses import dataclass, replace

import numpy as np

from evals.testbed.arms import ARMS, spec_of
from evals.testbed.playing import Played
from evals.testbed.users import NOTICE_S, PROFILE_S
from evals.testbed.workload import GPUS, NODES, PACE, SAVE_S, Workload, as_trace
from schedmate.clusters.matching import Matching
from schedmate.clusters.saving import Saving
from schedmate.clusters.telling import Legibility
from schedmate.scheduling.experiment import Experiment, Faults, Result
from schedmate.scheduling.profiling import ProfilerSetup
from schedmate.scheduling.run_policy import run

TELLS_AFTER_S = 180.0


@dataclass(frozen=True)
class Beside:
    """What the simulator says of one scheduler, in seconds of the experiment."""

    jct_s: np.ndarray
    result: Result


def simulate(workload: Workload, played: Played, counts_starts: bool = True) -> Beside:
    """Play one scheduler in the simulator; without starts, as if a job ran from the moment it was placed."""
    arm = ARMS[played.arm]
    start_s = played.overhead_s if counts_starts else 0.0
    own_s = [job.start_s if counts_starts else 0.0 for job in played.jobs]
    trace, profiles = as_trace(workload.tasks, own_s)
    mishaps = {
        task.number: ((task.steps - task.fault_step) / task.steps * task.work_s * PACE,)
        for task in workload.tasks
        if task.fault
    }
    recoveries = [job.recovery_s for job in played.jobs if job.recovery_s is not None and not job.released]
    helped = len(recoveries) / max(1, sum(job.recovery_s is not None for job in played.jobs))
    soon_s = float(np.mean(recoveries)) * PACE if recoveries else 0.0
    known = [job.profiled_gpus == 0 for job, task in zip(played.jobs, workload.tasks, strict=True) if task.gpus <= GPUS]
    restart_s = start_s * PACE
    experiment = Experiment(
        trace=trace,
        nodes=spec_of(NODES, GPUS),
        accounting="honest",
        profiles=profiles,
        interference=workload.interference,
        profiler=ProfilerSetup(nodes=1, limit_s=(PROFILE_S + start_s) * PACE, factor=GPUS) if arm.profiles else None,
        predictions={arm.policy: np.array([job.believed_s for job in played.jobs]) * PACE},
        saving=Saving(restart_s, restart_s, every_s=SAVE_S * PACE),
        mishaps=mishaps,
        faults=Faults(notice_s=NOTICE_S * PACE),
        evict_below=arm.parts_below,
    )
    if arm.reads:
        experiment = replace(
            experiment,
            faults=Faults(notice_s=NOTICE_S * PACE, recognised=helped, soon_s=soon_s),
            metadata=Matching(hit=float(np.mean(known)) if known else 0.0),
            legibility=Legibility(share=1.0, after_s=TELLS_AFTER_S),
        )
    result = run(experiment, arm.policy)
    return Beside(result.outcomes.jct_s, result)
