"""Ray's jobs: the REST API's /api/jobs/, the state API's JSON, or what `ray job list` prints.

Ray tells neither GPUs nor user of a job; a user, and a name, may stand in its metadata. Its start time is the moment
of submission, so waiting for resources counts as running.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from schedmate.errors import InputError
from schedmate.history.importers.from_rows import moment
from schedmate.history.importers.statuses import status_of
from schedmate.history.rows import backwards
from schedmate.schemas import Job, PastJob
from schedmate.tools.syntax_tree import parse_expression
from schedmate.traces.formats.json_text import json_items
from schedmate.traces.rows import BadRow, misfit

HINT = "run: curl http://HEAD:8265/api/jobs/ > FILE"
ENUM = re.compile(r"<\w{1,64}\.\w{1,64}: ('[^']{0,64}')>")
PRINTED = re.compile(r"\bJob(?:Details|Info)\(")
MOST_PRINTED = 1 << 26
GPU_NAMES = ("entrypoint_num_gpus", "num_gpus")
USER_NAMES = ("user", "username", "owner", "submitter", "creator")
NAME_NAMES = ("name", "job_name")


def read(stream: TextIO, source: str) -> Iterator[PastJob | BadRow]:
    """Read one entry a job; `line` counts entries."""
    first = stream.read(1)
    stream.seek(0)
    head = stream.read(4096)
    stream.seek(0)
    entries = printed(stream) if PRINTED.search(head) or first not in "[{" else listed(stream)
    for place, entry in enumerate(entries, 1):
        try:
            yield entry if isinstance(entry, BadRow) else past_job(entry, source)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            yield BadRow(place, misfit(error))


def listed(stream: TextIO) -> Iterator[Any]:
    """Give the entries of a JSON list; older servers give an object by submission id."""
    for item in json_items(stream, "jobs", HINT, alone=True):
        if isinstance(item, dict) and "status" not in item and all(isinstance(v, dict) for v in item.values()):
            yield from ({"submission_id": name, **value} for name, value in item.items())
        else:
            yield item


def printed(stream: TextIO) -> Iterator[dict[str, Any] | BadRow]:
    """Take apart what Python printed, entry by entry, so that one that cannot be read spoils no other."""
    text = stream.read(MOST_PRINTED + 1)
    if len(text) > MOST_PRINTED:
        raise InputError(f"a printed list longer than {MOST_PRINTED >> 20} MB", HINT)
    starts = [match.start() for match in PRINTED.finditer(text)]
    if not starts:
        raise InputError("there is no job of Ray in it", HINT)
    for place, (start, end) in enumerate(zip(starts, [*starts[1:], len(text)], strict=True), 1):
        piece = ENUM.sub(r"\1", text[start:end])
        piece = piece[: piece.rfind(")") + 1]
        try:
            yield literal(parse_expression(piece))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            yield BadRow(place, f"not what `ray job list` prints: {error}")


def literal(node: ast.AST) -> Any:
    """Read a printed value: plain literals, and objects as dictionaries of their fields."""
    if isinstance(node, ast.Call):
        return {word.arg: literal(word.value) for word in node.keywords if word.arg}
    if isinstance(node, ast.Dict):
        return {literal(k): literal(v) for k, v in zip(node.keys, node.values, strict=True) if k is not None}
    return ast.literal_eval(node)


def past_job(entry: dict[str, Any], source: str) -> PastJob:
    """Keep what Ray tells."""
    metadata = entry.get("metadata") or {}
    environment = entry.get("runtime_env") or {}
    folder = str(environment.get("working_dir") or "")
    job_id = entry.get("submission_id") or entry.get("job_id")
    if not job_id:
        raise ValueError("neither submission_id nor job_id")
    start_s, end_s = seconds(entry.get("start_time")), seconds(entry.get("end_time"))
    status = status_of(str(entry.get("status") or ""))
    extra = {"error_type": str(entry["error_type"])} if entry.get("error_type") else {}
    job = Job(
        job_id=str(job_id),
        user=first_of(metadata, USER_NAMES),
        name=first_of(metadata, NAME_NAMES),
        command=str(entry.get("entrypoint") or ""),
        # A package's address changes with its content: it is no directory that could be the same.
        workdir=Path(folder) if folder and "://" not in folder else None,
        gpus=float(next((entry[name] for name in GPU_NAMES if entry.get(name)), 0)),
        submit_s=start_s,
        start_s=None if status == "pending" else start_s,
        end_s=None if status in {"pending", "running"} else end_s,
        status=status,
        extra=extra,
    )
    return PastJob(job=job, source=source, notes=backwards(job))


def first_of(metadata: dict[str, Any], names: tuple[str, ...]) -> str:
    """Give the first of some keys that is set."""
    return next((str(metadata[name]) for name in names if metadata.get(name)), "")


def seconds(told: object) -> float | None:
    """Read Ray's milliseconds, which very old versions give as seconds; 0 is none."""
    if isinstance(told, bool) or not isinstance(told, int | float) or told <= 0:
        return None
    return moment(float(told) if 1e9 <= told < 1e11 else told / 1000)
