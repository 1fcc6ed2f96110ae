"""The API: one table says each path, what it takes, what it gives and who answers; OpenAPI is written from it too.

What a command prints with --json has the same type here (`schedmate/answers.py`), the rest its type in `api_types.py`.
"""

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from schedmate import __version__
from schedmate.answer_types import Why
from schedmate.answers import adapters
from schedmate.errors import InputError
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import LiveRow
from schedmate.history.overviews import Lines, gpu_load
from schedmate.scheduling.live.job_account import facts_of, record, stands
from schedmate.scheduling.live.stores import OwnStore
from schedmate.tools.masked_json import clean
from schedmate.web import failure_counts, queries, verbs
from schedmate.web.acting import VERBS, act
from schedmate.web.api_past import begin_study, history, past_job, study
from schedmate.web.api_types import (
    ActionList,
    Answering,
    CurveAnswer,
    Done,
    JobList,
    LogAnswer,
    NowAnswer,
    PastJobs,
    Question,
    StudyAnswer,
    Word,
)
from schedmate.web.context import address_of, context_of, person_of
from schedmate.web.log_page import log_page
from schedmate.web.page_answers import require_csrf, sign_in_page
from schedmate.web.what_if import OFFERED

VERSION = "1"
ROOT = f"/api/v{VERSION}"
MOST_AT_ONCE = 500


async def now(request: Request, words: dict[str, Any]) -> Any:
    """Tell how the loop stands."""
    boards = context_of(request).boards

    def make(store: LiveStore) -> dict[str, Any]:
        found = queries.now(store, boards.look())
        board = found.board
        return {
            "is_up": board.is_up, "mode": board.mode, "policy": board.policy, "counts": found.counts,
            "queues": board.queues, "nodes": board.nodes, "waits_for_a_person": [row.id for row in found.asked],
        }  # fmt: skip

    return await context_of(request).ask(make)


async def jobs(request: Request, words: dict[str, Any]) -> Any:
    """List jobs."""
    states = (words["state"],) if words.get("state") else ()
    which = Lines(states=states, user=words.get("user", ""), text=words.get("text", ""))

    def make(store: LiveStore) -> dict[str, Any]:
        size = max(1, min(MOST_AT_ONCE, words.get("size", queries.PAGE)))
        found = queries.jobs(store, which, words.get("page", 1), size)
        lines = [queries.plain_line(line) for line in found.jobs]
        return {"total": found.total, "page": found.page, "pages": found.pages, "jobs": lines}

    return await context_of(request).ask(make)


async def job(request: Request, words: dict[str, Any]) -> Any:
    """Give a job as `schedmate jobs --json` does."""
    return await context_of(request).ask(lambda store: record(row_of(store, words), store))


async def why(request: Request, words: dict[str, Any]) -> Any:
    """Say why a job waits or died, as `schedmate why --json` does."""

    def make(store: OwnStore) -> dict[str, Any]:
        row = row_of(store, words)
        queue = stands(row, store)
        return {
            "job": row.id, "job_id": row.job_id, "state": row.state, "reason": row.reason,
            "facts": facts_of(row, store, queue), "queue": queue, "diagnosis": queries.json_of(row.diagnosis),
        }  # fmt: skip

    return await context_of(request).ask(make)


def row_of(store: LiveStore, words: dict[str, Any]) -> LiveRow:
    """Find the job that is asked about."""
    return store.job(store.number_of(words["job"]))


async def curve(request: Request, words: dict[str, Any]) -> Any:
    """Give the curves of a run, as far as its log and its GPUs tell them."""
    curves = context_of(request).curves

    def make(store: LiveStore) -> dict[str, Any]:
        row, run = row_of(store, words), run_of(store, words)
        loss, step_time, skipped = curves.of(store.log_of(row.id, run))
        load = gpu_load(store.connection, row.id, run)
        return {"run": run, "loss": loss, "step_time_s": step_time, "gpu_load": load, "skipped_bytes": skipped}

    return await context_of(request).ask(make)


def run_of(store: LiveStore, words: dict[str, Any]) -> int:
    """Find the run that is asked about; the last one where none is named."""
    row = row_of(store, words)
    runs = store.runs(row.id)
    if not runs:
        raise InputError(f"job {row.job_id} has not run yet", "it has no log")
    return store.run(row.id, words.get("run") or runs[-1].run).run


async def log(request: Request, words: dict[str, Any]) -> Any:
    """Give lines of a job's log."""

    def make(store: LiveStore) -> dict[str, Any]:
        row, run = row_of(store, words), run_of(store, words)
        page = log_page(store.log_of(row.id, run), words.get("at"), words.get("line", 0))
        lines = [(line.number, line.text) for line in page.lines]
        return {"run": run, "at": page.at, "end": page.end, "size": page.size, "lines": lines}

    return await context_of(request).ask(make)


async def failures(request: Request, words: dict[str, Any]) -> Any:
    """Count the failures."""
    days = max(0.01, min(3650.0, words.get("days", 30.0)))
    return await context_of(request).ask(lambda store: asdict(failure_counts.failures(store, days)))


async def actions(request: Request, words: dict[str, Any]) -> Any:
    """List the actions of recovery."""

    def make(store: LiveStore) -> dict[str, Any]:
        wanted = store.number_of(words["job"]) if words.get("job") else None
        verified = store.verify()
        found = queries.deeds(store, wanted, words.get("action", 0), words.get("page", 1))
        return {
            "total": found.total, "page": found.page, "pages": found.pages, "actions": [*map(told, found.deeds)],
            "entries": verified.entries, "broken": verified.broken, "breaker": queries.open_breaker(store),
        }  # fmt: skip

    return await context_of(request).ask(make)


def told(deed: queries.Deed) -> dict[str, Any]:
    """Give an action as JSON."""
    kept = ("id", "job", "run", "kind", "target", "reason", "mode", "event", "detail", "nodes", "cleared")
    fields = {name: getattr(deed.row, name) for name in kept}
    return fields | {"job_id": deed.job_id, "harms": deed.harms, "answers": deed.answers, "trail": deed.trail}


async def do(request: Request, words: dict[str, Any]) -> Any:
    """Do something, as an operator."""
    context, person, address = context_of(request), person_of(request), address_of(request)
    require_csrf(request, request.headers.get("x-csrf-token", ""))
    verb, target, why_so = words["verb"], words.get("target", ""), words.get("why", "")
    return {"answer": await context.ask(lambda store: act(context.site, person, address, verb, target, why_so))}


def verb(name: str) -> Answering:
    """Make what answers a verb of the command line."""

    async def answer(request: Request, words: dict[str, Any]) -> Any:
        require_csrf(request, request.headers.get("x-csrf-token", ""))
        return await verbs.run(context_of(request).site, name, words)

    return answer


def upload(name: str) -> Answering:
    """Make what answers a verb about a log that is sent along."""

    async def answer(request: Request, words: dict[str, Any]) -> Any:
        require_csrf(request, request.headers.get("x-csrf-token", ""))
        return await verbs.run_on_upload(name, request.stream(), words)

    return answer


def of_command(name: str) -> TypeAdapter[Any]:
    """Give the type of what a command prints."""
    return adapters()[name][1]


JOB = Word("job", "the job's number, or what its engine calls it", where="path", needed=True)
PATH = Word("path", "a log, or a folder of one job's logs, below a --root", where="body", needed=True)
COMMAND = Word("command", "what starts the job", where="body")
REPO = Word("path", "a folder of code below a --root", where="body", needed=True)
EXITED = "how it ended, where that is known: 137, 0:9, TIMEOUT"
QUESTIONS: tuple[Question, ...] = (
    Question("now", "/now", "the state of the loop: counts, queue, nodes", TypeAdapter(NowAnswer), now),
    Question("jobs", "/jobs", "jobs by pages, the newest first", TypeAdapter(JobList), jobs, (
        Word("state", "pending, running, examined, held, completed, failed or cancelled"), Word("user", "whose"),
        Word("text", "is in the name"), Word("page", "from 1", "integer"), Word("size", "of a page", "integer"))),
    Question("job", "/jobs/{job}", "a job, as `schedmate jobs --json`", of_command("jobs"), job, (JOB,)),
    Question("why", "/jobs/{job}/why", "as `schedmate why --json`", TypeAdapter(Why), why, (JOB,)),
    Question("log", "/jobs/{job}/log", "lines of a job's log", TypeAdapter(LogAnswer), log, (
        JOB, Word("run", "which run; else the last", "integer"), Word("at", "from which byte", "integer"),
        Word("line", "around which line", "integer"))),
    Question("curve", "/jobs/{job}/curve", "loss and step time by step, GPU load by time, of a run",
             TypeAdapter(CurveAnswer), curve, (JOB, Word("run", "which run; else the last", "integer"))),
    Question("failures", "/failures", "failures counted by class, failure, node, user and week",
             TypeAdapter(failure_counts.Failures), failures, (Word("days", "how far back", "number"),)),
    Question("actions", "/actions", "the trail of recovery, by pages", TypeAdapter(ActionList), actions, (
        Word("job", "only of this job"), Word("action", "only this one", "integer"),
        Word("page", "from 1", "integer"))),
    Question("history", "/history", "past jobs, the newest first", TypeAdapter(PastJobs), history, (
        Word("name", "is in the name"), Word("user", "whose"), Word("ended", "how: completed, failed, timeout ..."),
        Word("page", "from 1", "integer"))),
    Question("past_job", "/history/job", "as `schedmate history show --json`", of_command("history-show"), past_job, (
        Word("id", "the job's id", needed=True), Word("source", "where it was read from"))),
    Question("begin_study", "/what-if", "simulate other policies on the past", TypeAdapter(StudyAnswer), begin_study, (
        Word("policies", f"some of {', '.join(OFFERED)}, with commas", where="body", needed=True),
        Word("days", "jobs of how many days", "integer", "body"),
        Word("nodes", "as 16x8:a100; else a cluster that fits", where="body")), "POST"),
    Question("study", "/what-if/{study}", "how far a simulation is, and what came of it", TypeAdapter(StudyAnswer),
             study, (Word("study", "its number", where="path", needed=True),)),
    Question("act", "/do/{verb}", f"act as an operator: {', '.join(VERBS)}", TypeAdapter(Done), do, (
        Word("verb", "what", where="path", needed=True), Word("target", "the action, job or node", where="body"),
        Word("why", "for the trail", where="body")), "POST"),
    Question("diagnose", "/diagnose", "as `schedmate diagnose --json`", of_command("diagnose"), verb("diagnose"), (
        PATH, Word("exited", EXITED, where="body")), "POST"),
    Question("diagnose_upload", "/diagnose/upload", "the same of a log that is the body", of_command("diagnose"),
             upload("diagnose"), (Word("exited", EXITED),), "POST", uploads=True),
    Question("track", "/track", "as `schedmate track --json`", of_command("track"), verb("track"), (
        PATH, COMMAND), "POST"),
    Question("track_upload", "/track/upload", "the same of a log that is the body", of_command("track"),
             upload("track"), (), "POST", uploads=True),
    Question("classify", "/classify", "as `schedmate classify --json`", of_command("classify"), verb("classify"), (
        PATH,), "POST"),
    Question("extract", "/extract", "as `schedmate extract --json`", of_command("extract"), verb("extract"), (
        REPO, COMMAND), "POST"),
    Question("advise", "/advise", "as `schedmate advise --json`", of_command("advise"), verb("advise"), (
        REPO, COMMAND, Word("user", "whose job", where="body"), Word("gpus", "how many", "number", "body")), "POST"),
)  # fmt: skip


def endpoint(question: Question) -> Callable[[Request], Awaitable[Response]]:
    """Make what a path does: read the words, answer, mask what is secret."""

    async def asked(request: Request) -> Response:
        if person_of(request) is None:
            return sign_in_page(request, 401)
        return JSONResponse(clean(dict(await question.answer(request, await words_of(question, request)))))

    return asked


async def words_of(question: Question, request: Request) -> dict[str, Any]:
    """Read what a question says, each word as what it is."""
    body: dict[str, Any] = {}
    if question.method == "POST" and not question.uploads:
        body = await body_of(request)
    found: dict[str, Any] = {}
    for word in question.words:
        source = {"query": request.query_params, "path": request.path_params, "body": body}[word.where]
        value = source.get(word.name)
        if value is None or value == "":
            if word.needed:
                raise InputError(f"'{word.name}' is wanted", f"{word.name}: {word.about}")
            continue
        found[word.name] = read_word(word, value)
    return found


async def body_of(request: Request) -> dict[str, Any]:
    """Read a JSON object; an empty body says nothing."""
    raw = await request.body()
    try:
        told = TypeAdapter(dict[str, Any]).validate_json(raw or b"{}")
    except ValueError:
        raise InputError("the body is no JSON object", "Content-Type: application/json") from None
    return told


def read_word(word: Word, value: object) -> str | int | float:
    """Read one word as what it is to be."""
    try:
        if word.kind == "string":
            text = str(value)
            if len(text) > 4000 or "\0" in text:
                raise ValueError
            return text
        number = float(str(value)[:40])
        if not abs(number) < 1e18 or (word.kind == "integer" and (number != int(number) or number < 0)):
            raise ValueError
    except ValueError:
        raise InputError(f"'{word.name}' is no {word.kind} that could be meant", word.about) from None
    return int(number) if word.kind == "integer" else number


async def description(request: Request) -> Response:
    """Give the description of it all."""
    if person_of(request) is None:
        return sign_in_page(request, 401)
    from schedmate.web.openapi import describe

    return JSONResponse(describe(QUESTIONS, ROOT, __version__))


ROUTES: list[BaseRoute] = [
    Route(f"{ROOT}/openapi.json", description),
    *(Route(ROOT + one.path, endpoint(one), methods=[one.method]) for one in QUESTIONS),
]
