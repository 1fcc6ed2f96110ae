"""What the API says of the past: the jobs of the history, and what other policies would have made of them."""

from dataclasses import asdict
from typing import Any

from starlette.requests import Request

from schedmate.history.jobs import Which, count_jobs, iterate_jobs
from schedmate.history.live import LiveStore
from schedmate.web.context import context_of
from schedmate.web.history_pages import MOST_PAGES, PAGE, STATUSES, found
from schedmate.web.page_answers import require_csrf
from schedmate.web.what_if import Study


async def history(request: Request, words: dict[str, Any]) -> Any:
    """List past jobs, the newest first."""
    status = words.get("ended", "")
    which = Which(
        name=words.get("name", ""), user=words.get("user", ""), status=(status,) if status in STATUSES else ()
    )
    page = max(1, min(MOST_PAGES, words.get("page", 1)))

    def make(store: LiveStore) -> dict[str, Any]:
        total = count_jobs(store.connection, which)
        past = list(iterate_jobs(store.connection, which, "newest", page * PAGE))[(page - 1) * PAGE :]
        pages = max(1, min(MOST_PAGES, -(-total // PAGE)))
        return {"total": total, "page": page, "pages": pages, "jobs": [one.model_dump(mode="json") for one in past]}

    return await context_of(request).ask(make)


async def past_job(request: Request, words: dict[str, Any]) -> Any:
    """Give a past job as `schedmate history show --json` does."""
    name = f"{words.get('source', '')}/{words['id']}"
    return await context_of(request).ask(lambda store: found(store, name).model_dump(mode="json"))


async def begin_study(request: Request, words: dict[str, Any]) -> Any:
    """Start a simulation of other policies on the site's own past."""
    require_csrf(request, request.headers.get("x-csrf-token", ""))
    policies = [one.strip() for one in words["policies"].split(",")]
    days = max(1, min(3650, words.get("days", 30)))
    return told(context_of(request).studies.begin(policies, words.get("nodes", ""), days))


async def study(request: Request, words: dict[str, Any]) -> Any:
    """Tell how far a simulation is, and what came of it."""
    return told(context_of(request).studies.find(words["study"]))


def told(one: Study) -> dict[str, Any]:
    """Give a simulation as JSON."""
    return asdict(one) | {"policies": list(one.policies)}
