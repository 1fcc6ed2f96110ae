"""The pages of the past: search it, look at a job, hold two beside each other."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from schedmate.errors import InputError
from schedmate.history.admission import find_resubmissions
from schedmate.history.jobs import Which, count_jobs, get_job, iterate_jobs
from schedmate.history.live import LiveStore
from schedmate.schemas import PastJob
from schedmate.tools.masking import mask_text
from schedmate.web.job_detail import worded
from schedmate.web.page_answers import show
from schedmate.web.pages import MOST_SEARCH, number
from schedmate.web.rendering import moment, span_or_dash

PAGE, MOST_PAGES = 50, 200
MOST_BEFORE = 20
STATUSES = ("completed", "failed", "cancelled", "timeout", "node_fail", "running", "pending", "unknown")


async def history(request: Request) -> Response:
    """Show past jobs, the newest first."""
    asked = request.query_params
    status = asked.get("status", "")
    which = Which(
        name=asked.get("name", "")[:MOST_SEARCH], user=asked.get("user", "")[:MOST_SEARCH],
        status=(status,) if status in STATUSES else (),
    )  # fmt: skip
    page = min(MOST_PAGES, number(asked.get("page", "1")))

    def make(store: LiveStore) -> dict[str, Any]:
        skip = (page - 1) * PAGE
        past = list(iterate_jobs(store.connection, which, "newest", page * PAGE))[skip:]
        total = count_jobs(store.connection, which)
        return {
            "past": past, "total": total, "skip": skip, "page": page, "which": which, "statuses": STATUSES,
            "what_of": what_of,
        }  # fmt: skip

    return await show(request, "history.html", make, which, page)


async def job(request: Request) -> Response:
    """Show one past job, or two side by side."""
    names = tuple(name[:300] for name in request.query_params.getlist("job")[:2])

    def make(store: LiveStore) -> dict[str, Any]:
        jobs = [found(store, name) for name in names]
        if not jobs:
            raise InputError("no job is named", "mark one or two in the history")
        before = find_resubmissions(store.connection, jobs[0].job)[:MOST_BEFORE] if len(jobs) == 1 else []
        before = [one for one in before if one.job.job_id != jobs[0].job.job_id]
        return {"jobs": jobs, "fields": side_by_side(jobs), "before": before}

    return await show(request, "compare.html", make, names)


def found(store: LiveStore, name: str) -> PastJob:
    """Find a past job by its source and its id."""
    source, _, job_id = name.rpartition("/")
    past = get_job(store.connection, job_id, source)
    if past is None:
        raise InputError("the history has no such job", "schedmate history list shows what it has")
    return past


def what_of(past: PastJob) -> str:
    """Say in a few words what a job was."""
    told = past.workload
    words = [word for word in (told.model_name, told.dataset_name, told.task) if word] if told else []
    return " · ".join(words) or past.job.name or mask_text(past.job.command)


def side_by_side(jobs: list[PastJob]) -> list[tuple[str, list[str], bool]]:
    """Give each field that any of the jobs has, its values, and whether they differ."""
    told = [fields_of(past) for past in jobs]
    names = dict.fromkeys(name for fields in told for name in fields)
    rows = [(name, [fields.get(name, "") for fields in told]) for name in names]
    return [(name, values, len(set(values)) > 1) for name, values in rows if any(values)]


def fields_of(past: PastJob) -> dict[str, str]:
    """List all that is known of a past job, as texts."""
    job = past.job
    fields = {
        "user": job.user, "name": job.name, "command": mask_text(job.command), "directory": str(job.workdir or ""),
        "branch": job.git_branch, "virtual cluster": job.vc, "GPUs": f"{job.gpus:g}", "status": job.status,
        "handed in": moment(job.submit_s), "started": moment(job.start_s), "ended": moment(job.end_s),
        "ran": span_or_dash(past.duration_s), **job.extra,
    }  # fmt: skip
    if past.workload:
        told = past.workload.model_dump(exclude={"evidence", "extra"}, exclude_none=True)
        fields |= {name: worded(value) for name, value in (told | past.workload.extra).items()}
    if past.metrics:
        kept = {"step_time_s", "throughput", "throughput_unit", "loss", "step", "total_steps", "phase"}
        fields |= {name: f"{value}" for name, value in past.metrics.model_dump(include=kept, exclude_none=True).items()}
    if past.hardware:
        fields |= {name: f"{value:g}" for name, value in past.hardware.model_dump(exclude_none=True).items()}
    if past.diagnosis:
        fields["died of"] = past.diagnosis.failure_id or past.diagnosis.category
        fields["its line"] = mask_text(past.diagnosis.root_excerpt)
    return fields | ({"notes": "; ".join(past.notes)} if past.notes else {})


ROUTES: list[BaseRoute] = [Route("/history", history), Route("/history/job", job), Route("/history/compare", job)]
