"""Open MPI's mpirun: tagged output or none, and its framed notices."""

from evals.field.job import Job
from evals.field.stage import Line, Stage

RULE = "-" * 74
SIGNALS = {6: "Aborted", 7: "Bus error", 9: "Killed", 11: "Segmentation fault", 15: "Terminated"}


def prefix(job: Job, line: Line) -> str:
    """Tag lines where the job ran with --tag-output, in the form of version 4 or 5."""
    if job.number % 3 == 0:
        return ""
    stream = "stdout" if line.stream == "out" else "stderr"
    return f"[1,{line.rank}]<{stream}>:" if job.number % 3 == 1 else f"[1,{line.rank}]<{stream}>: "


def open_job(stage: Stage) -> None:
    job = stage.job
    if job.number % 2:
        stage.host_says(
            0,
            [
                f"+ mpirun -np {job.ranks} -N {job.per_host} --bind-to none -x NCCL_DEBUG=INFO -x PATH python {job.script}"
            ],
        )
    stage.host_says(0.4, [
        RULE, "WARNING: There was an error initializing an OpenFabrics device.", "", f"  Local host:   {job.names[0]}", "  Local device: mlx5_4", RULE,
    ])  # fmt: skip


def close_job(stage: Stage) -> None:
    job, at = stage.job, stage.over + 0.4
    if stage.lost:
        name = stage.lost[0]
        stage.host_says(at, [
            RULE, "ORTE has lost communication with a remote daemon.", "",
            f"  HNP daemon   : [[{job.number % 60000},0],0] on node {job.names[0]}",
            f"  Remote daemon: [[{job.number % 60000},0],{job.names.index(name)}] on node {name}", "",
            "This is usually due to either a failure of the TCP network", "connection to the node, or possibly an internal failure of",
            "the daemon itself. We cannot recover from this failure, and", "therefore will terminate the job.", RULE,
        ])  # fmt: skip
        return
    rank, code = (first := min(stage.deaths, key=lambda death: death.at)).rank, first.code
    if code < 0:
        stage.host_says(at, [
            RULE, "Primary job  terminated normally, but 1 process returned", "a non-zero exit code. Per user-direction, the job has been aborted.", RULE, RULE,
            f"mpirun noticed that process rank {rank} with PID {job.pid(rank)} on node {job.host(rank)} exited on signal {-code} ({SIGNALS.get(-code, 'Killed')}).", RULE,
        ])  # fmt: skip
        return
    stage.host_says(at, [
        RULE, "Primary job  terminated normally, but 1 process returned", "a non-zero exit code. Per user-direction, the job has been aborted.", RULE, RULE,
        "mpirun detected that one or more processes exited with non-zero status, thus causing", "the job to be terminated. The first process to do so was:", "",
        f"  Process name: [[{job.number % 60000},1],{rank}]", f"  Exit code:    {code}", RULE,
    ])  # fmt: skip
