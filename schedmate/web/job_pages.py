"""The pages of one job: what is known of it, and its log."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from schedmate.errors import InputError
from schedmate.history.live import LiveStore
from schedmate.scheduling.live.stores import OwnStore
from schedmate.tools.masking import mask_text
from schedmate.web.context import context_of
from schedmate.web.job_detail import job_detail
from schedmate.web.log_page import log_page
from schedmate.web.page_answers import show
from schedmate.web.queries import json_of

MOST_NAME = 80


async def job(request: Request) -> Response:
    """Show a job."""
    name, curves = request.path_params["job"][:MOST_NAME], context_of(request).curves

    def make(store: OwnStore) -> dict[str, object]:
        found = job_detail(store, curves, name)
        return {"job": found, "command": mask_text(" ".join(found.row.command))}

    return await show(request, "job.html", make, name)


async def log(request: Request) -> Response:
    """Show a piece of a run's log."""
    name, asked = request.path_params["job"][:MOST_NAME], request.query_params
    run, at, line = (whole(asked.get(word, "")) for word in ("run", "at", "line"))

    def make(store: LiveStore) -> dict[str, object]:
        number = store.number_of(name)
        row, runs = store.job(number), store.runs(number)
        if not runs:
            raise InputError(f"job {row.job_id} has not run yet", "it has no log")
        of = store.run(number, run or runs[-1].run)
        path = store.log_of(number, of.run)
        told = json_of(row.diagnosis) or {}
        return {
            "number": number, "job_id": row.job_id, "run": of.run, "page": log_page(written(path), at, line or 0),
            "fault": told.get("root_line") if of.failure else None,
        }  # fmt: skip

    return await show(request, "log.html", make, name, run, at, line)


def written(path: Path) -> Path:
    """Refuse a log that is not there any more, or not yet."""
    if not path.is_file():
        raise InputError("this log is not there", "[keep] in policy.toml says how long logs stay")
    return path


def whole(text: str) -> int | None:
    """Read a number; None where there is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


ROUTES: list[BaseRoute] = [Route("/jobs/{job}", job), Route("/jobs/{job}/log", log)]
