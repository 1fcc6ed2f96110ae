"""Slurm's accounting: `sacct --parsable2` with its header line, or `sacct --json`."""

import json
import re
from collections.abc import Iterator
from typing import Any, TextIO

from schedmate.errors import InputError
from schedmate.traces.formats.table import Fields, moment_s, named_rows, optional_moment_s
from schedmate.traces.rows import BadRow, Row

GPU = re.compile(r"gres/gpu(?::([^=,]{1,64}))?=([0-9]{1,9})")
ELAPSED = re.compile(r"^(?:(\d{1,6})-)?(?:(\d{1,6}):)?(\d{1,6}):(\d{1,2})(?:\.\d{1,9})?$")


def read(stream: TextIO) -> Iterator[Row | BadRow]:
    """Read whichever of the two the first character shows."""
    if stream.read(1) == "{":
        stream.seek(0)
        return read_json(stream)
    stream.seek(0)
    return read_table(stream)


def read_table(stream: TextIO) -> Iterator[Row | BadRow]:
    """Read allocations; steps (`123.batch`) belong to them and are passed over."""
    for row in named_rows(stream, ("JobID", "Submit"), delimiter="|"):
        if isinstance(row, BadRow):
            yield row
        elif "." not in row["JobID"]:
            try:
                yield allocation(row)
            except ValueError as error:
                yield BadRow(row.line, str(error))


def allocation(row: Fields) -> Row:
    """Take end minus start, or the elapsed time where one is unknown."""
    start_s, end_s = optional_moment_s(row["Start"], "Start"), optional_moment_s(row["End"], "End")
    duration_s = end_s - start_s if start_s is not None and end_s is not None else elapsed_s(row["Elapsed"])
    gpus, kind = gpus_of(row["AllocTRES"] or row["ReqTRES"] or row["AllocGRES"] or row["ReqGRES"])
    return Row(
        row.line,
        row["JobID"],
        moment_s(row["Submit"], "Submit"),
        duration_s,
        gpus,
        row["User"],
        row["Partition"],
        row["JobName"],
        row["State"].split(" ")[0],
        kind,
    )


def gpus_of(tres: str) -> tuple[int, str]:
    """Read the number of GPUs, and their kind where Slurm tells it beside the total."""
    found = GPU.findall(tres)
    typed = [(kind, int(count)) for kind, count in found if kind]
    if typed:
        return sum(count for _, count in typed), typed[0][0] if len(typed) == 1 else ""
    return (int(found[0][1]) if found else 0), ""


def elapsed_s(text: str) -> float | None:
    """Read [days-][hours:]minutes:seconds."""
    match = ELAPSED.match(text)
    if match is None:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return float(((days * 24 + hours) * 60 + minutes) * 60 + seconds)


def read_json(stream: TextIO) -> Iterator[Row | BadRow]:
    """Read Slurm's JSON, whose field names have been stable since 21.08."""
    try:
        jobs = list(json.load(stream)["jobs"])
    except (json.JSONDecodeError, RecursionError, KeyError, TypeError) as error:
        raise InputError(f"this is not the output of sacct --json: {error}", "run: sacct --json > FILE") from error
    for place, job in enumerate(jobs, 1):
        try:
            yield json_job(place, job)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            yield BadRow(place, f"{type(error).__name__}: {error}")


def json_job(place: int, job: dict[str, Any]) -> Row:
    """Take times, allocated GPUs and state."""
    times, tres = job["time"], job.get("tres", {})
    listed = tres.get("allocated") or tres.get("requested") or []
    gpus = [(str(t.get("name", "")), int(t["count"])) for t in listed if str(t.get("name", "")).startswith("gpu")]
    typed = [(name.partition(":")[2], count) for name, count in gpus if ":" in name]
    count = sum(n for _, n in typed) if typed else sum(n for _, n in gpus)
    state = job.get("state", {}).get("current", "")
    return Row(
        place,
        str(job["job_id"]),
        float(times["submission"]),
        float(times["elapsed"]),
        count,
        str(job.get("user") or ""),
        str(job.get("partition") or ""),
        str(job.get("name") or ""),
        str(state[0] if isinstance(state, list) and state else state),
        typed[0][0] if len(typed) == 1 else "",
    )
