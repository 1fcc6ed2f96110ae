"""The page that says why any job died: of a log below a root, or of one that is sent along."""

from collections.abc import AsyncIterator
from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from schedmate.errors import InputError
from schedmate.schemas import Diagnosis
from schedmate.tools.masked_json import clean
from schedmate.web import verbs
from schedmate.web.context import context_of, person_of
from schedmate.web.page_answers import require_csrf, show, sign_in_page

PIECE = 1 << 20


async def form(request: Request) -> Response:
    """Show the form."""
    return await show(request, "diagnose.html", lambda store: {"d": None, "of": ""})


async def diagnose(request: Request) -> Response:
    """Read the log that is meant, and show what is found."""
    if person_of(request) is None:
        return sign_in_page(request, 401)
    async with request.form(max_files=1, max_fields=8) as words:
        require_csrf(request, str(words.get("csrf", "")))
        path, file = str(words.get("path", "")).strip(), words.get("file")
        if isinstance(file, UploadFile) and file.size:
            told, of = await verbs.run_on_upload("diagnose", pieces(file), {}), file.filename or "the log"
        elif path:
            told, of = await verbs.run(context_of(request).site, "diagnose", {"path": path}), path
        else:
            raise InputError("no log was named", "name one below a --root, or choose a file")
    found = Diagnosis.model_validate(clean(dict(told)))
    answer: dict[str, Any] = {"d": found, "of": of}
    return await show(request, "diagnose.html", lambda store: answer, of, found.model_dump_json())


async def pieces(file: UploadFile) -> AsyncIterator[bytes]:
    """Give an uploaded file piece by piece."""
    while piece := await file.read(PIECE):
        yield piece


ROUTES: list[BaseRoute] = [Route("/diagnose", form, methods=["GET"]), Route("/diagnose", diagnose, methods=["POST"])]
