"""How a page is answered: made once for all who ask for the same, given each browser's own word for its forms."""

import time
from collections.abc import Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from schedmate.errors import InputError, SchedMateError
from schedmate.scheduling.live.rights import Forbidden
from schedmate.scheduling.live.stores import OwnStore
from schedmate.web.acting import may_act
from schedmate.web.charts import shown
from schedmate.web.context import Context, context_of, person_of, session_of
from schedmate.web.rendering import render
from schedmate.web.verbs import Busy

KEPT_S = 3.0
"""For so long a page may be the same though nothing was written: it tells how long things take."""
THEMES = ("light", "dark")
Make = Callable[[OwnStore], dict[str, Any]]


async def show(request: Request, template: str, make: Make, *about: object, status: int = 200) -> Response:
    """Answer with a page of what `make` finds; `about` is what it depends on beside the store."""
    context, person = context_of(request), person_of(request)
    if person is None:
        return sign_in_page(request, 401)
    frame = frame_of(request)
    moment = (context.pulse.count, int(time.monotonic() / KEPT_S))
    key = (template, about, moment, *frame.values())
    text = await context.once(key, lambda store: render(template, **frame, **make(store)))
    return HTMLResponse(own(context, request, text), status)


def own(context: Context, request: Request, text: str) -> str:
    """Put this browser's word into the forms of a page, and what the loop said to its last one."""
    session = session_of(request)
    said = ""
    if session is not None and context.said_mark in text:
        said, session.said = session.said, ""
    return text.replace(context.csrf_mark, session.csrf if session else "").replace(context.said_mark, shown(said))


def frame_of(request: Request) -> dict[str, Any]:
    """Give what every page says around its own words."""
    context, person = context_of(request), person_of(request)
    theme = request.cookies.get("schedmate_theme", "")
    return {
        "path": request.url.path,
        "person": person.name if person else "",
        "role": person.role if person else "",
        "acts": may_act(context.site, person),
        "reads": context.site.roots is not None,
        "theme": theme if theme in THEMES else "",
        "csrf": context.csrf_mark,
        "said_mark": context.said_mark,
    }


def sign_in_page(request: Request, status: int, words: str = "") -> Response:
    """Ask for a token."""
    if request.url.path in ("/metrics", "/events") or wants_json(request):
        return JSONResponse({"error": "a token is wanted", "hint": "Authorization: Bearer TOKEN"}, status)
    frame = frame_of(request) | {"words": words, "path": "/sign-in"}
    return HTMLResponse(own(context_of(request), request, render("sign_in.html", **frame)), status)


def require_csrf(request: Request, word: str) -> None:
    """Refuse a form that did not come from a page of ours; a program with a token has no cookie to be misused."""
    session = session_of(request)
    if session is not None and word != session.csrf:
        raise Forbidden("this form is not from this session", "open the page anew, and send it from there")


def wants_json(request: Request) -> bool:
    """Tell whether it is a program that asks, or a script of ours."""
    return request.url.path.startswith("/api/") or request.headers.get("accept", "").startswith("application/json")


def back(request: Request, path: str) -> Response:
    """Lead a browser to a page after a form."""
    return RedirectResponse(path if path.startswith("/") and not path.startswith("//") else "/", 303)


def trouble(request: Request, error: Exception) -> Response:
    """Say what went wrong: in words to people, as JSON to programs; a fault of ours tells nothing of itself."""
    status, words, hint = told(error)
    if wants_json(request):
        return JSONResponse({"error": words, "hint": hint}, status)
    if person_of(request) is None and status != 404:
        return sign_in_page(request, 401, words)
    frame = frame_of(request) | {"status": status, "words": words, "hint": hint}
    text = own(context_of(request), request, render("trouble.html", **frame))
    return HTMLResponse(text, status)


def told(error: Exception) -> tuple[int, str, str]:
    """Give the status, the words and the hint of an error."""
    if isinstance(error, SchedMateError):
        kinds = {Forbidden: 403, Busy: 503, InputError: 404}
        status = next((status for kind, status in kinds.items() if isinstance(error, kind)), 409)
        return status, error.message, error.hint
    if isinstance(error, HTTPException):
        words = {404: "there is no such page", 405: "that is not done here"}
        return error.status_code, words.get(error.status_code, error.detail), ""
    return 500, "this server has a fault", "its console says more"
