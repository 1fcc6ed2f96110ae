"""What the scheduler's scripts add when all is over, and how an earlier attempt of the same job looks."""

from evals.field.prelude import tell_prelude
from evals.field.stage import Stage
from evals.field.work import tell_work


def tell_epilog(stage: Stage) -> None:
    """Append accounting and health lines that accuse nobody."""
    job, rng = stage.job, stage.job.rng
    if job.scheduler != "slurm" or rng.random() < 0.5:
        return
    at = stage.over + 20
    code = "0:0" if not (stage.deaths or stage.lost or stage.quiet_end) else rng.choice(("1:0", "0:9", "0:15"))
    stage.say(at, -1, [
        "#" * 60, f"Job {job.number} on {job.hosts} nodes, exit code {code}", f"End: {job.clock(at, '%a %b %d %H:%M:%S UTC %Y')}",
        "epilog: removing /tmp and /dev/shm files of the user", f"epilog: nvidia-smi health check on {job.names[0]}: ok", "#" * 60,
    ], stream="tail")  # fmt: skip


def tell_former_attempt(stage: Stage, lines: int) -> float:
    """Tell a first attempt that was preempted and requeued; give the time at which the second begins."""
    job = stage.job
    first = tell_prelude(stage, 0.0)
    end = first + 3_000
    tell_work(stage, first, end, lines)
    when = job.clock(end, "%Y-%m-%dT%H:%M:%S")
    stage.host_says(
        end + 1,
        [f"slurmstepd: error: *** JOB {job.number} ON {job.names[0]} CANCELLED AT {when} DUE TO PREEMPTION ***"],
    )
    stage.host_says(end + 2, ["srun: Job step aborted: Waiting up to 32 seconds for job step to finish."])
    stage.host_says(
        end + 240, [f"Job {job.number} requeued, SLURM_RESTART_COUNT=1", f"resuming from /ckpt/{job.number}/latest"]
    )
    return end + 260
