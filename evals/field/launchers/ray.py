"""Ray Train: lines of workers with pid and address, and the driver's account of the task that failed."""

from evals.field.job import Job
from evals.field.stage import Line, Stage


def prefix(job: Job, line: Line) -> str:
    return f"(RayTrainWorker pid={job.pid(line.rank)}, ip={job.address(job.host(line.rank))}) "


def open_job(stage: Stage) -> None:
    job = stage.job
    day = job.clock(0, "%Y-%m-%d %H:%M:%S,%3")
    stage.host_says(0, [
        f"{day}\tINFO worker.py:1841 -- Connecting to existing Ray cluster at address: {job.address(job.names[0])}:6379...",
        f"{day}\tINFO worker.py:2012 -- Connected to Ray cluster. View the dashboard at 127.0.0.1:8265 ",
        "(TrainController pid=911) Attempting to start training worker group of size "
        f"{job.ranks} with the following resources: [{{'GPU': 1}}] * {job.ranks}",
        "(autoscaler +12s) Tip: use `ray status` to view detailed cluster status. To disable these messages, set RAY_SCHEDULER_EVENTS=0.",
    ])  # fmt: skip


def close_job(stage: Stage) -> None:
    """Let the driver re-raise what the worker raised, or say which actor died."""
    job, at = stage.job, stage.over + 1
    if stage.lost:
        name = stage.lost[0]
        stage.host_says(at + 40, [
            "ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.", "\tclass_name: RayTrainWorker",
            f"\tactor_id: {job.number:032x}", f"\tip: {job.address(name)}", "The actor is dead because its node has died. Node Id: " + f"{job.number:056x}",
        ])  # fmt: skip
        return
    death = min(stage.deaths, key=lambda death: death.at)
    here = f"pid={job.pid(death.rank)}, ip={job.address(job.host(death.rank))}"
    if death.code < 0:
        stage.host_says(at, [
            f"(raylet, ip={job.address(job.host(death.rank))}) A worker died or was killed while executing a task by an unexpected system error. To troubleshoot the problem, check the logs for the dead worker.",
            "ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.", "\tclass_name: RayTrainWorker", f"\tpid: {job.pid(death.rank)}",
            "The actor is dead because its worker process has died. Worker exit type: SYSTEM_ERROR Worker exit detail: Worker unexpectedly exits with a connection error code 2. End of file. There are some potential root causes. (1) The process is killed by SIGKILL by OOM killer due to high memory usage. (2) ray stop --force is called. (3) The worker is crashed unexpectedly due to SIGSEGV or other unexpected errors.",
        ])  # fmt: skip
        return
    said = [
        line for line in stage.lines if line.rank == death.rank and line.stream == "err" and line.at > stage.trouble - 1
    ]
    last = [line.text for line in sorted(said, key=lambda line: line.at)][-14:]
    inner = next((text for text in reversed(last) if "Error: " in text and not text.startswith(" ")), "RuntimeError: ")
    kind = inner.partition(":")[0].rpartition(".")[2]
    stage.host_says(at, [
        f"ray.exceptions.RayTaskError({kind}): ray::RayTrainWorker.execute() ({here}, actor_id={job.number:032x}, repr=<ray.train._internal.worker_group.RayTrainWorker object at 0x7f0cb06e0d30>)",
        '  File "/usr/local/lib/python3.10/dist-packages/ray/train/_internal/worker_group.py", line 33, in __execute', "    raise skipped from exception_cause(skipped)",
        *(f"  {text}" if index == 0 else text for index, text in enumerate(last[-3:])),
        "(TrainController pid=911) Deciding to RAISE, since 1 worker failed and max_failures is 0",
    ])  # fmt: skip
