"""srun, plain and with -l: which tasks ended how, and what slurmstepd says."""

from collections import defaultdict

from evals.field.job import Job
from evals.field.stage import Line, Stage

ENDS = {
    -6: "Aborted (core dumped)",
    -7: "Bus error",
    -9: "Killed",
    -11: "Segmentation fault (core dumped)",
    -15: "Terminated",
}


def prefix(job: Job, line: Line) -> str:
    """Label each line with its task where srun ran with -l."""
    if job.launcher == "srun":
        return ""
    width = len(str(job.ranks - 1))
    return f"{line.rank:0{width}d}: " if job.number % 2 else f"{line.rank:{width}d}: "


def open_job(stage: Stage) -> None:
    job = stage.job
    if job.number % 3 == 0:
        stage.host_says(
            0,
            [
                f"Job {job.number} started on {job.names[0]} at {job.clock(0, '%a %b %d %H:%M:%S UTC %Y')}",
                f"SLURM_NNODES={job.hosts} SLURM_NTASKS={job.ranks}",
            ],
        )
    if job.number % 4 == 1:
        stage.host_says(
            0.2,
            [
                "srun: warning: can't run 1 processes on 2 nodes, setting nnodes to 1",
                "slurmstepd: error: couldn't chdir to `/home/user/exp': No such file or directory: going to /tmp instead",
            ],
        )


def spans(numbers: list[int]) -> str:
    """Write task numbers as srun does: 0-3,7."""
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][-1] + 1:
            parts[-1][1:] = [number]
        else:
            parts.append([number])
    return ",".join("-".join(map(str, part)) for part in parts)


def close_job(stage: Stage) -> None:
    job, at = stage.job, stage.over
    ends: dict[tuple[str, int], list[int]] = defaultdict(list)
    for death in stage.deaths:
        ends[job.host(death.rank), death.code].append(death.rank)
    lost = [f"srun: error: {name}: tasks {spans(list(job.ranks_of(name)))}: Killed" for name in stage.lost]
    for index, ((name, code), ranks) in enumerate(sorted(ends.items(), key=lambda item: item[0][1] == -15)):
        word = ENDS.get(code, f"Exited with exit code {code}")
        noun = "task" if len(ranks) == 1 else "tasks"
        stage.host_says(at + 0.3 + index * 0.01, [f"srun: error: {name}: {noun} {spans(ranks)}: {word}"])
        if index == 0:
            stage.host_says(at + 0.301, [
                f"srun: Terminating StepId={job.number}.0",
                f"slurmstepd: error: *** STEP {job.number}.0 ON {job.names[0]} CANCELLED AT {job.clock(at, '%Y-%m-%dT%H:%M:%S')} ***",
                "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.",
            ])  # fmt: skip
    stage.host_says(at + 9, lost)
    if job.number % 5 == 0:
        stage.host_says(at + 10, [f"srun: Force Terminated StepId={job.number}.0"])
