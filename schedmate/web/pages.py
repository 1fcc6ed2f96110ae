"""The pages: each asks for what it shows (`queries.py`) and fills in its template."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from schedmate.errors import InputError
from schedmate.history.live import LiveStore
from schedmate.history.overviews import Lines
from schedmate.tools.exposition import TYPE
from schedmate.web import failure_counts, queries
from schedmate.web.acting import act
from schedmate.web.charts import columns
from schedmate.web.context import address_of, context_of, person_of, session_of
from schedmate.web.figures import CLASSES
from schedmate.web.page_answers import THEMES, back, require_csrf, show, sign_in_page, wants_json
from schedmate.web.people import IDLE_S
from schedmate.web.pulse import MOST_LISTENERS

MOST_SEARCH = 80
STATES = ("running", "pending", "held", "examined", "failed", "completed", "cancelled")
YEAR_S = 365 * 86_400


async def now(request: Request) -> Response:
    """Show all that happens; who brings a token in the address gets a cookie for it."""
    if "token" in request.query_params:
        return sign_in(request, request.query_params["token"])
    board = context_of(request).boards

    def make(store: LiveStore) -> dict[str, object]:
        return {"now": queries.now(store, board.look())}

    return await show(request, "now.html", make)


async def jobs(request: Request) -> Response:
    """Show the jobs, by pages."""
    asked = request.query_params
    state, text = asked.get("state", ""), asked.get("text", "")[:MOST_SEARCH].strip()
    which = Lines(
        states=(state,) if state in STATES else (),  # type: ignore[arg-type]
        user=asked.get("user", "")[:MOST_SEARCH],
        text=text,
    )
    page = number(asked.get("page", "1"))

    def make(store: LiveStore) -> dict[str, object]:
        return {"list": queries.jobs(store, which, page), "states": STATES, "state": state}

    return await show(request, "jobs.html", make, which, page)


async def nodes(request: Request) -> Response:
    """Show the map of all nodes, by pages."""
    asked, boards = request.query_params, context_of(request).boards
    text, state = asked.get("text", "")[:MOST_SEARCH].strip(), asked.get("state", "")[:MOST_SEARCH]
    page = number(asked.get("page", "1"))

    def make(store: LiveStore) -> dict[str, object]:
        return {"list": queries.nodes(store, boards.look(), text, state, page)}

    return await show(request, "nodes.html", make, text, state, page)


async def failures(request: Request) -> Response:
    """Show what failed."""
    days = min(3650, number(request.query_params.get("days", "30")))

    def make(store: LiveStore) -> dict[str, object]:
        found = failure_counts.failures(store, days)
        return {"failures": found, "days": days, "chart": weekly(found.by_week)}

    return await show(request, "failures.html", make, days)


def weekly(by_week: Sequence[tuple[str, Mapping[str, int]]]) -> Markup:
    """Draw the failures of each week, which is named by its Monday."""
    stacks = [(f"{datetime.strptime(f'{week} 1', '%G week %V %u'):%m-%d}", counts) for week, counts in by_week]
    words = "; ".join(f"week of {name}: {sum(counts.values())}" for name, counts in stacks[-12:])
    kinds = dict.fromkeys([*CLASSES, *(kind for _, counts in by_week for kind in counts)])
    return columns(stacks, [*kinds], f"failed runs by week; {words}")


async def actions(request: Request) -> Response:
    """Show the trail of recovery, by pages."""
    page = number(request.query_params.get("page", "1"))

    def make(store: LiveStore) -> dict[str, object]:
        found = queries.deeds(store, page=page)
        return {"list": found, "verified": store.verify(), "breaker": queries.open_breaker(store)}

    return await show(request, "actions.html", make, page)


async def action(request: Request) -> Response:
    """Show one action, with all that happened to it."""
    wanted = number(request.path_params["action"])

    def make(store: LiveStore) -> dict[str, object]:
        found = queries.deeds(store, only=wanted)
        if not found.deeds:
            raise InputError(f"there is no action {wanted}", "the list has all")
        return {"list": found, "verified": store.verify(), "breaker": queries.open_breaker(store)}

    return await show(request, "actions.html", make, wanted)


async def do(request: Request) -> Response:
    """Do what a button says, and lead back to where it was."""
    form = await request.form()
    words = {name: str(value) for name, value in form.items() if isinstance(value, str)}
    require_csrf(request, words.get("csrf", ""))
    verb, target, why = request.path_params["verb"], words.get("target", ""), words.get("why", "")
    context, person, address = context_of(request), person_of(request), address_of(request)
    answer = await context.ask(lambda store: act(context.site, person, address, verb, target, why))
    context.kept.clear()
    if wants_json(request):
        return JSONResponse({"answer": answer})
    if (session := session_of(request)) is not None:
        session.said = answer
    return back(request, words.get("back", "/"))


async def events(request: Request) -> Response:
    """Tell a page when to look again."""
    pulse = context_of(request).pulse
    if person_of(request) is None:
        return sign_in_page(request, 401)
    if pulse.listeners >= MOST_LISTENERS:
        return Response("too many listen already\n", 503, {"retry-after": "30"})
    return StreamingResponse(pulse.listen(), media_type="text/event-stream")


async def metrics(request: Request) -> Response:
    """Give the figures for monitoring."""
    context = context_of(request)
    if person_of(request) is None:
        return sign_in_page(request, 401)
    text = await context.ask(lambda store: context.figures.of(store, context.boards.look, context.served))
    return Response(text, media_type=TYPE)


async def sign_in_form(request: Request) -> Response:
    """Take a token from a form."""
    if request.method != "POST":
        return sign_in_page(request, 200)
    form = await request.form()
    return sign_in(request, str(form.get("token", "")))


def sign_in(request: Request, token: str) -> Response:
    """Change a token for a cookie."""
    context = context_of(request)
    person = context.people.holder(token.strip())
    if person is None:
        return sign_in_page(request, 401, "that token is not known here; a server that was started anew has new ones")
    answer = RedirectResponse("/", 303)
    answer.set_cookie(
        context.site.cookie, context.people.begin(person), max_age=int(IDLE_S), httponly=True, samesite="strict",
        secure=context.site.scheme == "https", path="/",
    )  # fmt: skip
    return answer


async def sign_out(request: Request) -> Response:
    """Forget this browser."""
    form = await request.form()
    require_csrf(request, str(form.get("csrf", "")))
    context = context_of(request)
    context.people.end(request.cookies.get(context.site.cookie, ""))
    answer = RedirectResponse("/sign-in", 303)
    answer.delete_cookie(context.site.cookie, path="/")
    return answer


async def theme(request: Request) -> Response:
    """Keep whether pages are to be light or dark; neither leaves it to the browser."""
    wanted = request.query_params.get("to", "")
    answer = back(request, request.query_params.get("back", "/"))
    answer.set_cookie("schedmate_theme", wanted if wanted in THEMES else "", max_age=YEAR_S, samesite="lax", path="/")
    return answer


def number(text: str) -> int:
    """Read a number of a page or of days; nonsense is the first."""
    return max(1, min(int(text), 10**6)) if text.isascii() and text.isdigit() and len(text) < 8 else 1


ROUTES: list[BaseRoute] = [
    Route("/", now),
    Route("/jobs", jobs),
    Route("/nodes", nodes),
    Route("/failures", failures),
    Route("/actions", actions),
    Route("/actions/{action}", action),
    Route("/do/{verb}", do, methods=["POST"]),
    Route("/events", events),
    Route("/metrics", metrics),
    Route("/sign-in", sign_in_form, methods=["GET", "POST"]),
    Route("/sign-out", sign_out, methods=["POST"]),
    Route("/theme", theme),
]
