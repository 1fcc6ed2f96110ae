"""The page that asks what other policies would have made of the past."""

from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from schedmate.history.live import LiveStore
from schedmate.tools.time_spans import span
from schedmate.web.charts import bars
from schedmate.web.context import context_of, person_of
from schedmate.web.page_answers import require_csrf, show, sign_in_page
from schedmate.web.pages import number
from schedmate.web.what_if import MOST_JOBS, OFFERED, Study

CHARTS = (
    ("Mean time from handing in to the end", "avg_jct_s"),
    ("Mean wait", "avg_queue_s"),
)


async def what_if(request: Request) -> Response:
    """Show the form, and a simulation; the last one where none is named."""
    studies = context_of(request).studies
    name = request.path_params.get("study", "")
    study = studies.find(name) if name else next(reversed(studies.kept.values()), None)

    def make(store: LiveStore) -> dict[str, Any]:
        return {"policies": OFFERED, "most": MOST_JOBS, "study": study, "charts": charts_of(study) if study else []}

    return await show(request, "what_if.html", make, name, repr(study))


async def begin(request: Request) -> Response:
    """Start a simulation."""
    if person_of(request) is None:
        return sign_in_page(request, 401)
    form = await request.form()
    require_csrf(request, str(form.get("csrf", "")))
    policies = [str(one) for one in form.getlist("policy")]
    days = min(3650, number(str(form.get("days", "30"))))
    study = context_of(request).studies.begin(policies, str(form.get("nodes", "")).strip(), days)
    return RedirectResponse(f"/what-if/{study.number}", 303)


def charts_of(study: Study) -> list[tuple[str, Markup]]:
    """Draw what came of it."""
    drawn = []
    for words, name in CHARTS:
        rows = [(one["policy"], float(one[name]), span(float(one[name]))) for one in study.summaries]
        drawn.append((words, bars(rows, words)))
    return drawn


ROUTES: list[BaseRoute] = [
    Route("/what-if", what_if, methods=["GET"]),
    Route("/what-if", begin, methods=["POST"]),
    Route("/what-if/{study}", what_if),
]
