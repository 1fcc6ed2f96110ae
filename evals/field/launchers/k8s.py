"""Pods of a training job, as kubectl logs --prefix or stern shows them, and the events at the end."""

from evals.field.job import Job
from evals.field.stage import Line, Stage


def pod(job: Job, rank: int) -> str:
    host = rank // job.per_host
    return f"llm-{job.number % 1000}-{'master-0' if host == 0 else f'worker-{host - 1}'}"


def prefix(job: Job, line: Line) -> str:
    """Name the pod, and where asked for the time."""
    name = pod(job, line.rank)
    if job.number % 3 == 0:
        return f"[pod/{name}/pytorch] "
    if job.number % 3 == 1:
        return f"[pod/{name}/pytorch] {job.clock(line.at, '%Y-%m-%dT%H:%M:%S.%9Z')} "
    return f"{name} pytorch "


def event(job: Job, at: float, kind: str, reason: str, about: str, message: str) -> str:
    """Write one event, as `kubectl get events` shows it or with a stamp of its own."""
    if job.number % 2:
        return f"{job.clock(at, '%Y-%m-%dT%H:%M:%SZ')}   {kind:<8} {reason:<22} {about:<36} {message}"
    return f"{int(at) % 59 + 1}m         {kind:<9} {reason:<20} {about:<34} {message}"


def open_job(stage: Stage) -> None:
    job = stage.job
    stage.host_says(
        0,
        [
            event(
                job,
                0,
                "Normal",
                "SuccessfulCreatePod",
                f"pytorchjob/llm-{job.number % 1000}",
                f"Created pod: {pod(job, 0)}",
            )
        ],
    )
    stage.host_says(
        1,
        [
            event(
                job,
                1,
                "Warning",
                "FailedScheduling",
                f"pod/{pod(job, 0)}",
                "0/214 nodes are available: 214 Insufficient nvidia.com/gpu. preemption: 0/214 nodes are available: 214 No preemption victims found for incoming pod.",
            )
        ],
    )
    stage.host_says(1.5, [event(job, 2, "Normal", "Started", f"pod/{pod(job, 0)}", "Started container pytorch")])


def close_job(stage: Stage) -> None:
    job = stage.job
    at = stage.over + 2
    events = []
    seen: set[str] = set()
    for death in sorted(stage.deaths, key=lambda death: death.at):
        name = pod(job, death.rank)
        if name in seen or len(seen) > 12:
            continue
        seen.add(name)
        code = death.code if death.code > 0 else 128 - death.code
        events.append(
            event(
                job,
                at,
                "Warning",
                "BackOff",
                f"pod/{name}",
                f"Back-off restarting failed container pytorch in pod {name}_research({job.number:08x})",
            )
        )
        if job.number % 3 == 0:
            events.append(f"{name}: container pytorch terminated: reason Error, exit code {code}")
    events.append(
        event(
            job,
            at + 1,
            "Normal",
            "ExitedWithCode",
            f"pytorchjob/llm-{job.number % 1000}",
            f"Pod: research.{pod(job, 0)} exited with code 1",
        )
    )
    events.append(
        event(
            job,
            at + 2,
            "Warning",
            "PyTorchJobFailed",
            f"pytorchjob/llm-{job.number % 1000}",
            f"PyTorchJob llm-{job.number % 1000} is failed because 1 Worker replica(s) failed.",
        )
    )
    stage.host_says(at, events)
