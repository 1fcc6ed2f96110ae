"""How Kubernetes tells that something has begun and ended."""

from typing import Any

from schedmate.history.importers.statuses import status_of
from schedmate.schemas import JobStatus
from schedmate.traces.formats.table import moment_s

COMPLETE = {"Complete", "Completed", "Succeeded"}
"""What a Job, a JobSet and a training job call it."""
VOLCANO = {"Terminated": "Aborted", "Terminating": "Running", "Aborting": "Running", "Restarting": "Pending"}
"""Its phases whose words mean something else elsewhere."""
Object = dict[str, Any]


def ended(item: Object) -> tuple[float | None, float | None, JobStatus, dict[str, str]]:
    """Read start, end and status, and what else is told of the end."""
    start_s, end_s, status, why = pod_end(item) if item["kind"] == "Pod" else job_end(item)
    extra = {"state": why} if why else {}
    again = restarts_of(item)
    return start_s, end_s, status, extra | ({"restarts": str(again)} if again else {})


def restarts_of(item: Object) -> int:
    """Count how often containers of a Pod were started again."""
    told = (item.get("status") or {}).get("containerStatuses") or []
    return max((int(one.get("restartCount") or 0) for one in told), default=0)


def job_end(job: Object) -> tuple[float | None, float | None, JobStatus, str]:
    """Read the start, end and status of a Job, a JobSet or a training job from its conditions."""
    status = job.get("status") or {}
    start_s = moment(status.get("startTime"))
    if word := phase_of(status):
        end_s = moment(status.get("endTime") or (status.get("state") or {}).get("lastTransitionTime"))
        told = status_of(word)
        over = told not in {"pending", "running", "unknown"}
        return start_s, end_s if over else None, told, ""
    running = bool(status.get("active"))
    for condition in status.get("conditions") or []:
        if str(condition.get("status")) != "True":
            continue
        if condition.get("type") in COMPLETE:
            return start_s, moment(status.get("completionTime") or condition.get("lastTransitionTime")), "completed", ""
        if condition.get("type") == "Failed":
            why = str(condition.get("reason") or "")
            found = status_of(why)
            ended: JobStatus = "timeout" if found == "timeout" else "failed"
            return start_s, moment(condition.get("lastTransitionTime")), ended, why
        if condition.get("type") == "Suspended":
            return None, None, "pending", ""
        running = running or condition.get("type") == "Running"
    return (start_s, None, "running", "") if running else (None, None, "pending", "")


def phase_of(status: Object) -> str:
    """Give the one word that RayJobs and Volcano's jobs are summed up in; empty where conditions tell."""
    state = status.get("state")
    phase = str(state.get("phase") or "") if isinstance(state, dict) else ""
    return str(status.get("jobStatus") or VOLCANO.get(phase, phase))


def pod_end(pod: Object) -> tuple[float | None, float | None, JobStatus, str]:
    """Read a Pod's start, end and status from its containers, which tell more than its phase."""
    status = pod.get("status") or {}
    ends = [
        state["terminated"]
        for c in status.get("containerStatuses") or []
        if "terminated" in (state := c.get("state") or {})
    ]
    starts = [moment(end.get("startedAt")) for end in ends]
    running = [(c.get("state") or {}).get("running") for c in status.get("containerStatuses") or []]
    starts += [moment(state.get("startedAt")) for state in running if state]
    start_s = min((s for s in starts if s is not None), default=moment(status.get("startTime")))
    if restarts_of(pod):
        # Only the last run of a container is told; the GPUs were held since the first.
        start_s = moment(status.get("startTime")) or start_s
    phase = status_of(str(status.get("phase") or ""))
    if phase not in {"completed", "failed"}:
        return start_s if phase == "running" else None, None, phase, ""
    end_s = max((e for end in ends if (e := moment(end.get("finishedAt"))) is not None), default=None)
    why = str(status.get("reason") or "")
    if not why:
        why = next((str(end["reason"]) for end in ends if end.get("exitCode") and end.get("reason")), "")
    found = status_of(why)
    told: JobStatus = found if phase == "failed" and found in {"timeout", "node_fail"} else phase
    return start_s, end_s, told, "" if why in {"Completed", "Error"} else why


def moment(stamp: object) -> float | None:
    """Read a time stamp that may be missing."""
    return moment_s(str(stamp), "time") if stamp else None
