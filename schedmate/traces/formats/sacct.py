"""Slurm's accounting: `sacct --parsable2` with its header line, or `sacct --json`.

Slurm accounts use of GPUs by step (`gres/gpumem`, `gres/gpuutil`) where AccountingStorageTRES names it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from schedmate.traces.formats.json_text import json_items
from schedmate.traces.formats.table import Fields, moment_s, named_rows, optional_moment_s
from schedmate.traces.rows import BadRow, Row, misfit

GPU = re.compile(r"gres/gpu(?::([^=,]{1,64}))?=([0-9]{1,9})")

OLD_GPU = re.compile(r"(?:^|,)gpu:(?:([^:,=()]{1,64}):)?([0-9]{1,9})")
"""AllocGRES of versions before 21.08: `gpu:4`, `gpu:v100:2`."""
MEMORY = re.compile(r"gres/gpumem=([0-9]{1,18})([KMGT]?)")
UTILISATION = re.compile(r"gres/gpuutil=([0-9]{1,3})(?:,|$)")
MAIN_MEMORY = re.compile(r"(?:^|,)mem=([0-9]{1,18}(?:\.[0-9]{1,9})?)([KMGT]?)")
NO_NODES = frozenset({"", "None assigned", "None", "(null)"})
ELAPSED = re.compile(r"^(?:(\d{1,6})-)?(?:(\d{1,6}):)?(\d{1,6}):(\d{1,2})(?:\.\d{1,9})?$")
BYTES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
GIB = 1 << 30


def read(stream: TextIO) -> Iterator[Row | BadRow]:
    """Read whichever of the two the first character shows."""
    first = stream.read(1)
    stream.seek(0)
    return read_json(stream) if first == "{" else read_table(stream)


def read_table(stream: TextIO) -> Iterator[Row | BadRow]:
    """Read allocations; the steps behind one (`123.batch`) tell its GPU memory, and are no jobs."""
    held: Row | None = None
    for row in named_rows(stream, ("JobID", "Submit"), delimiter="|", free="SubmitLine"):
        if isinstance(row, BadRow):
            yield row
        elif "." in row["JobID"]:
            if held is not None and row["JobID"].startswith(f"{held.job_id}."):
                held = with_use(held, row["TRESUsageInMax"], row["TRESUsageInAve"], row["TRESUsageInTot"])
        else:
            if held is not None:
                yield held
            held = None
            try:
                held = allocation(row)
            except ValueError as error:
                yield BadRow(row.line, str(error))
    if held is not None:
        yield held


def allocation(row: Fields) -> Row:
    """Take end minus start, or the elapsed time where one is unknown."""
    start_s, end_s = optional_moment_s(row["Start"], "Start"), optional_moment_s(row["End"], "End")
    duration_s = end_s - start_s if start_s is not None and end_s is not None else elapsed(row)
    gpus, kind = gpus_of(row["AllocTRES"] or row["ReqTRES"] or row["AllocGRES"] or row["ReqGRES"])
    nodes = row["NNodes"] or row["AllocNodes"]
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
        start_s=start_s,
        end_s=end_s,
        command=row["SubmitLine"],
        workdir=row["WorkDir"],
        nodes=int(nodes) if nodes.isdecimal() and len(nodes) < 9 else None,
        node_list="" if row["NodeList"] in NO_NODES else row["NodeList"],
        limit_s=limit_s(row),
        memory_asked_gib=main_memory_gib(row["AllocTRES"] or row["ReqTRES"]),
        account=row["Account"],
        qos=row["QOS"],
    )


def limit_s(row: Fields) -> float | None:
    """Read the time limit: minutes, or the clock's form; UNLIMITED and Partition_Limit are none."""
    raw = row["TimelimitRaw"]
    return float(raw) * 60 if raw.isdecimal() and len(raw) < 9 else elapsed_s(row["Timelimit"])


def elapsed(row: Fields) -> float | None:
    """Take the seconds where they are told as such, else read the clock's form of them."""
    raw = row["ElapsedRaw"]
    return float(raw) if raw.isdecimal() and len(raw) < 12 else elapsed_s(row["Elapsed"])


def gpus_of(tres: str) -> tuple[int, str]:
    """Read the number of GPUs, and their kind where Slurm tells it beside the total."""
    found = GPU.findall(tres) or OLD_GPU.findall(tres)
    typed = [(kind, int(count)) for kind, count in found if kind]
    if typed:
        return sum(count for _, count in typed), typed[0][0] if len(typed) == 1 else ""
    return (int(found[0][1]) if found else 0), ""


def with_memory(row: Row, most: float) -> Row:
    """Take in the GPU memory of a step; Slurm adds up a task's GPUs, so it says what one held for one GPU only."""
    return row._replace(gpu_memory_gib=max(most / GIB, row.gpu_memory_gib or 0.0)) if row.gpus == 1 and most else row


def with_use(row: Row, most: str, average: str, total: str) -> Row:
    """Take in what a step used: the job used as much as its largest step did."""
    if memory := memory_bytes(most):
        row = with_memory(row, memory)
    found = UTILISATION.search(average) if row.gpus == 1 else None
    if found:
        row = row._replace(gpu_util=max(min(int(found[1]) / 100, 1.0), row.gpu_util or 0.0))
    used_gib = main_memory_gib(total)
    if used_gib:
        row = row._replace(memory_used_gib=max(used_gib, row.memory_used_gib or 0.0))
    return row


def main_memory_gib(tres: str) -> float | None:
    """Read the memory of the host out of a list of resources; bare numbers are bytes."""
    found = MAIN_MEMORY.search(tres)
    return float(found[1]) * BYTES[found[2]] / GIB if found else None


def memory_bytes(tres: str) -> float:
    """Read the GPU memory out of a step's use; 0 where Slurm does not account it."""
    found = MEMORY.search(tres)
    return float(int(found[1]) * BYTES[found[2]]) if found else 0.0


def elapsed_s(text: str) -> float | None:
    """Read [days-][hours:]minutes:seconds."""
    match = ELAPSED.match(text)
    if match is None:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return float(((days * 24 + hours) * 60 + minutes) * 60 + seconds)


def read_json(stream: TextIO) -> Iterator[Row | BadRow]:
    """Read Slurm's JSON, whose field names have been stable since 21.08."""
    for place, job in enumerate(json_items(stream, "jobs", "run: sacct --json > FILE"), 1):
        try:
            yield json_job(place, job)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            yield BadRow(place, misfit(error))


def json_job(place: int, job: dict[str, Any]) -> Row:
    """Take times, allocated GPUs and state."""
    times, tres = job["time"], job.get("tres") or {}
    gpus, kind = json_gpus(tres.get("allocated") or tres.get("requested") or [])
    state = (job.get("state") or {}).get("current", "")
    start_s, end_s = plain(times.get("start")) or None, plain(times.get("end")) or None
    row = Row(
        place,
        json_id(job),
        float(plain(times["submission"])),
        float(plain(times["elapsed"])),
        gpus,
        str(job.get("user") or (job.get("association") or {}).get("user") or ""),
        str(job.get("partition") or ""),
        str(job.get("name") or ""),
        str(state[0] if isinstance(state, list) and state else state),
        kind,
        start_s=start_s,
        end_s=end_s,
        command=str(job.get("submit_line") or ""),
        workdir=str(job.get("working_directory") or ""),
        nodes=int(plain(job.get("allocation_nodes"))) or None,
        node_list="" if str(job.get("nodes") or "") in NO_NODES else str(job["nodes"]),
        limit_s=json_limit_s(times.get("limit")),
        memory_asked_gib=json_memory_gib(tres.get("allocated") or tres.get("requested") or [], 1 << 20),
        account=str(job.get("account") or ""),
        qos=str(job.get("qos") or ""),
    )
    for step in job.get("steps") or []:
        used_gib = json_memory_gib(((step.get("tres") or {}).get("requested") or {}).get("total") or [], 1)
        if used_gib:
            row = row._replace(memory_used_gib=max(used_gib, row.memory_used_gib or 0.0))
        listed = ((step.get("tres") or {}).get("requested") or {}).get("max") or []
        row = with_memory(
            row, max((float(plain(e.get("count"))) for e in listed if e.get("name") == "gpumem"), default=0)
        )
    return row


def json_limit_s(told: Any) -> float | None:
    """Read a limit in minutes; a limit that is endless or not set is none."""
    if isinstance(told, dict) and told.get("infinite"):
        return None
    return float(plain(told)) * 60 or None


def json_memory_gib(listed: Sequence[dict[str, Any]], unit: int) -> float | None:
    """Read the memory of the host: asked for in MiB, used in bytes."""
    return next((float(plain(e.get("count"))) * unit / GIB for e in listed if e.get("type") == "mem"), None)


def json_id(job: dict[str, Any]) -> str:
    """Write the id as sacct's table does: 4711_3 for a task of an array, 4711+1 for a part of a heterogeneous job."""
    array, het = job.get("array") or {}, job.get("het") or {}
    task = array.get("task_id")
    if isinstance(task, dict):
        task = task.get("number") if task.get("set") else None
    if plain(array.get("job_id")) and task is not None:
        return f"{int(plain(array['job_id']))}_{int(task)}"
    if plain(het.get("job_id")):
        return f"{int(plain(het['job_id']))}+{int(plain(het.get('job_offset')))}"
    return str(job["job_id"])


def json_gpus(listed: Sequence[dict[str, Any]]) -> tuple[int, str]:
    """Count GPUs among the resources; Slurm lists those of a kind beside the total."""
    gpus = [(str(entry.get("name", "")), max(int(plain(entry["count"])), 0)) for entry in listed]
    gpus = [(name, count) for name, count in gpus if name == "gpu" or name.startswith("gpu:")]
    typed = [(name.partition(":")[2], count) for name, count in gpus if ":" in name]
    count = sum(n for _, n in typed) if typed else sum(n for _, n in gpus)
    return count, typed[0][0] if len(typed) == 1 else ""


def plain(value: Any) -> float:
    """Give a number, which newer versions wrap as {"set": true, "number": 5}; 0 where it is not set."""
    if isinstance(value, dict):
        value = value.get("number") if value.get("set", True) else 0
    return value or 0
