"""Runs that were ended from outside: by a clock or by a person."""

from evals.field.fallout import killed_along
from evals.field.faults.kinds import stopped
from evals.field.stage import Stage, Truth
from evals.field.tracebacks import traceback


def time_limit(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    when = job.clock(at, "%Y-%m-%dT%H:%M:%S")
    lines = [f"slurmstepd: error: *** JOB {job.number} ON {job.names[0]} CANCELLED AT {when} DUE TO TIME LIMIT ***"]
    if job.rng.random() < 0.5:
        lines.insert(0, "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.")
    stage.host_says(at, lines, root=len(lines) - 1)
    if job.rng.random() < 0.5:
        stage.host_says(
            at + 0.1,
            [f"slurmstepd: error: *** STEP {job.number}.0 ON {job.names[0]} CANCELLED AT {when} DUE TO TIME LIMIT ***"],
        )
    killed_along(stage, at)
    stage.quiet_end = job.rng.random() < 0.6
    return stopped("the time limit was reached")


def cancelled(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    word = job.rng.choice((f"JOB {job.number}", f"STEP {job.number}.0"))
    stage.host_says(
        at,
        [f"slurmstepd: error: *** {word} ON {job.names[0]} CANCELLED AT {job.clock(at, '%Y-%m-%dT%H:%M:%S')} ***"],
        root=0,
    )
    killed_along(stage, at)
    stage.quiet_end = True
    return stopped("somebody cancelled the job")


def interrupted(stage: Stage) -> Truth:
    """Let a person press Ctrl-C; every rank that speaks shows a KeyboardInterrupt."""
    job, at = stage.job, stage.trouble
    for count, rank in enumerate(range(0, job.ranks, max(1, job.ranks // 8))):
        lines = traceback(job, job.rng, "backward", "KeyboardInterrupt")
        if count == 0:
            lines[0] = f"^C{lines[0]}" if job.launcher == "torchrun" else lines[0]
        stage.say(at + count * 0.03, rank, lines, root=len(lines) - 1 if count == 0 else None)
    killed_along(stage, at + 1)
    stage.quiet_end = job.launcher != "mpirun"
    return stopped("a person interrupted the job")


def deadline_of_pod(stage: Stage) -> Truth:
    from evals.field.launchers.k8s import event, pod

    job, at = stage.job, stage.trouble
    stage.host_says(at, [
        event(job, at, "Warning", "DeadlineExceeded", f"job/llm-{job.number % 1000}", "Job was active longer than specified deadline"),
        event(job, at + 1, "Normal", "Killing", f"pod/{pod(job, 0)}", "Stopping container pytorch"),
    ], root=0)  # fmt: skip
    killed_along(stage, at + 2)
    stage.quiet_end = True
    return stopped("the job's deadline passed")


FAMILIES = [
    (time_limit, False, ("slurm",)),
    (cancelled, False, ("slurm",)),
    (interrupted, False, ("none",)),
    (deadline_of_pod, False, ("k8s",)),
]
