"""What launchers add: a banner, a prefix to each line of a process, a summary when one died."""

from evals.field.job import Job
from evals.field.launchers import k8s, mpirun, pdsh, ray, srun, torchrun
from evals.field.stage import Line, Stage

TELLERS = {"torchrun": torchrun, "mpirun": mpirun, "srun": srun, "srun -l": srun, "k8s": k8s, "ray": ray, "pdsh": pdsh}


def prefix(job: Job, line: Line) -> str:
    """Give what the launcher writes before a line of a process; its own lines and daemons' have nothing."""
    return "" if line.rank < 0 or line.stream in {"host", "tail"} else TELLERS[job.launcher].prefix(job, line)


def open_job(stage: Stage) -> None:
    """Print what stands before the first process speaks."""
    TELLERS[stage.job.launcher].open_job(stage)


def close_job(stage: Stage) -> None:
    """Print the launcher's account of how the job ended, where it lived to give one."""
    if (stage.deaths or stage.lost) and not stage.quiet_end:
        TELLERS[stage.job.launcher].close_job(stage)


def first_death(stage: Stage) -> tuple[int, int]:
    """Give rank and code of the process that died first."""
    death = min(stage.deaths, key=lambda death: death.at)
    return death.rank, death.code
