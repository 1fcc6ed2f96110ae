"""Puts the application together: the pages, the API, the figures, the files, and the guard before them all."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from schedmate.errors import SchedMateError
from schedmate.web import api, diagnose_page, history_pages, job_pages, pages, what_if_pages
from schedmate.web.board import BoardKeeper
from schedmate.web.context import Context
from schedmate.web.guard import Guard
from schedmate.web.page_answers import trouble
from schedmate.web.people import People
from schedmate.web.pulse import Pulse
from schedmate.web.site import Site
from schedmate.web.store_view import Looking
from schedmate.web.what_if import Studies

FILES = Path(__file__).parent / "static"


def build_app(site: Site) -> ASGIApp:
    """Make the application of a site."""
    looking = Looking(site.data_dir)
    context = Context(
        site, People(site.people), looking, BoardKeeper(site.data_dir), Pulse(looking), Studies(site.data_dir)
    )

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(context.pulse.beat)
            yield
            tasks.cancel_scope.cancel()
        looking.close()

    routes: list[BaseRoute] = [
        *pages.ROUTES,
        *job_pages.ROUTES,
        *history_pages.ROUTES,
        *what_if_pages.ROUTES,
        *diagnose_page.ROUTES,
        *api.ROUTES,
        Mount("/static", StaticFiles(directory=FILES)),
    ]
    app = Starlette(
        routes=routes,
        lifespan=life,
        exception_handlers={SchedMateError: failed, HTTPException: failed, Exception: failed},
    )
    app.state.context = context
    return Guard(app, site, context.people, context.served)


async def failed(request: Request, error: Exception) -> Response:
    """Say what went wrong in words; of a fault of ours nothing but that it is one."""
    return trouble(request, error)
