"""One job by its id, with the caller's own rights: its log, how it ended, its directory; no service is needed."""

import posixpath
import re
import shlex
from pathlib import Path

from schedmate.clusters.known_job import KnownJob
from schedmate.clusters.managed import Refused
from schedmate.clusters.slurm.commands import Commands
from schedmate.clusters.slurm.dialects import ENDS, SACCT_JOB, SQUEUE
from schedmate.clusters.slurm.evidence import evidence
from schedmate.clusters.slurm.log_names import log_of
from schedmate.clusters.slurm.records import (
    JOB_ID,
    JobRecord,
    code_of,
    first_word,
    gpus_in,
    job_of,
    merged,
    plain,
    read_nodes,
    seconds,
    uid_of,
)
from schedmate.clusters.slurm.versions import known_of
from schedmate.errors import InputError, SchedMateError
from schedmate.tools.host_list import hosts

DIRECTIVE = re.compile(r"^#SBATCH\s+(.*)$", re.MULTILINE)
SCRIPT_BYTES = 64 << 10
OUT_OPTIONS = ("-o", "--output")


def look_up(name: str, commands: Commands | None = None) -> KnownJob:
    """Ask the controller, and of a job that it has forgotten the accounting."""
    if not JOB_ID.match(name):
        raise InputError(f"'{name}' is no id of a Slurm job", "as in: 48213, or 48213_7 for an element of an array")
    asked = commands or Commands()
    record = in_queue(asked, name)
    if record is not None:
        state = record.state if record.phase == "over" else ""
        return known(asked, record, state)
    return in_accounting(asked, name)


def in_queue(commands: Commands, name: str) -> JobRecord | None:
    """Ask the controller for one job."""
    try:
        rows = commands.table("squeue", SQUEUE, "-a", "-r", "-h", "--states=all", f"--jobs={name}")
    except Refused:
        return None
    found = merged(one for row in rows if (one := job_of(dict(zip(SQUEUE, row, strict=True)))) is not None)
    return next((one for one in found if one.name == name), None)


def in_accounting(commands: Commands, name: str) -> KnownJob:
    """Ask the accounting for the last run of a job."""
    asked = ("-a", "-n", "-X", f"--jobs={name}", "--starttime=1970-01-01")
    records = [record for record in accounted_jobs(commands, *asked) if record.name == name]
    if not records:
        raise InputError(f"Slurm knows no job {name}", "its accounting may be purged, or show you your own jobs alone")
    record = max(records, key=lambda one: one.end_s or float("inf"))
    return known(commands, record, record.state if record.state in ENDS else "")


def accounted_jobs(commands: Commands, *asked: str) -> list[JobRecord]:
    """Ask the accounting for jobs, in the fields that this version has."""
    fields = known_of(SACCT_JOB)
    rows = commands.table("sacct", fields, *asked, letters=True)
    return [accounted(dict(zip(fields, row, strict=True))) for row in rows if JOB_ID.match(row[0])]


def accounted(row: dict[str, str]) -> JobRecord:
    """Understand a job as the accounting has it, whose log older ones tell by the line that handed it in alone."""
    state, told, line = first_word(row["State"]), plain(row["Reason"]), row.get("SubmitLine", "")
    out = plain(row.get("StdOut", "")) or out_of(line, row["WorkDir"])
    words = line.split(maxsplit=1) or [""]
    return JobRecord(
        row["JobID"], row["JobIDRaw"], "over" if state in ENDS else "runs", state, told, code_of(row["ExitCode"]),
        row["User"], uid_of(row["UID"]), row["Partition"], hosts(plain(row["NodeList"])), gpus_in(row["AllocTRES"]),
        0, 0, seconds(row["Submit"]) or 0.0, 0.0, seconds(row["Start"]), seconds(row["End"]), row["Timelimit"], 0, 0,
        posixpath.basename(words[0]) in ("", "sbatch"), 0, out, row["WorkDir"],
        command_in(line), option(line.split(), ("--comment", "--comment")), "", row["JobName"],
    )  # fmt: skip


def command_in(line: str) -> str:
    """Find the script and its words in the line that handed a job in; empty where none is named."""
    try:
        words = shlex.split(line)
    except ValueError:
        return ""
    scripts = [
        place for place, word in enumerate(words) if place and word.endswith((".sh", ".sbatch", ".slurm", ".bash"))
    ]
    return shlex.join(words[scripts[0] :]) if scripts else ""


def known(commands: Commands, record: JobRecord, state: str) -> KnownJob:
    """Say what a record tells, and of a job that died how its nodes are now."""
    told = evidence_of(commands, record) if state and state != "COMPLETED" else ()
    return KnownJob(
        record.name, log_of(record), record.workdir, record.command, state, record.reason, record.code, record.nodes,
        record.limit, told,
    )  # fmt: skip


def evidence_of(commands: Commands, record: JobRecord) -> tuple[str, ...]:
    """Say what Slurm knows of a job's end; nodes of which it tells nothing are left out."""
    try:
        nodes = {node.name: node for node in read_nodes(commands)}
    except SchedMateError:
        nodes = {}
    ran_s = record.end_s - record.start_s if record.end_s and record.start_s else None
    said = ", ".join(filter(None, (record.state, record.reason)))
    return evidence(said, record.code, ran_s, record.limit, record.nodes, nodes)


def out_of(line: str, workdir: str) -> str:
    """Find where a job wrote that is forgotten: by the line that handed it in, else by its script's own directives."""
    try:
        words = shlex.split(line)
    except ValueError:
        return ""
    if found := option(words, OUT_OPTIONS):
        return found
    for word in words[1:]:
        path = Path(workdir or "/", word)
        if word.startswith("-") or not path.is_file():
            continue
        with path.open("rb") as file:
            text = file.read(SCRIPT_BYTES).decode(errors="replace")
        return option([word for one in DIRECTIVE.findall(text) for word in one.split()], OUT_OPTIONS)
    return ""


def option(words: list[str], names: tuple[str, str]) -> str:
    """Read an option in each of its forms: -o x, -ox, --output x, --output=x."""
    short, long = names
    for place, word in enumerate(words):
        if word in names and place + 1 < len(words):
            return words[place + 1]
        if word.startswith(f"{long}="):
            return word.partition("=")[2]
        if word.startswith(short) and len(word) > len(short):
            return word[len(short) :]
    return ""
