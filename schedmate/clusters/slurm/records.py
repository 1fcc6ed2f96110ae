"""What Slurm's commands print, as typed records; no record is made of what was not understood."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from schedmate.clusters.slurm.commands import Commands, fields_of
from schedmate.clusters.slurm.dialects import (
    DOWN,
    ENDS,
    EXCLUDED,
    HELD,
    HELD_WORDS,
    KEPT,
    LATER,
    MARKED,
    NOTHING,
    RUNS,
    SACCT,
    SILENT,
    SINFO,
    SQUEUE,
    WAITS,
)
from schedmate.tools.host_list import hosts

Phase = Literal["waits", "held", "runs", "leaves", "over"]
GRES = re.compile(r"(?:^|,)(?:gres:|gres/)?gpu(?::[A-Za-z][^:,()=]*)?[:=](\d+)")
GRES_IN_USE = re.compile(r"(?:^|,)gpu(?::[^:,()]+)?:(\d+)\(IDX:([0-9,-]+)\)")
SHARDS = re.compile(r"(?:^|,)gres/shard(?::[^=,]+)?=(\d+)")
JOB_ID = re.compile(r"\d+(?:_\d+|\+\d+)?\Z")


@dataclass(frozen=True, slots=True)
class JobRecord:
    """A job, or one element of an array, as the controller has it now."""

    name: str
    """What its users call it: 48213, or 48213_7."""
    raw: str
    """The controller's own number, which an element of an array gets when it starts."""
    phase: Phase
    state: str
    reason: str
    code: int | None
    """Exit status, minus the signal's number where one ended it."""
    user: str
    uid: int
    partition: str
    nodes: tuple[str, ...]
    gpus: int
    shards: int
    restarts: int
    submit_s: float
    eligible_s: float
    """From when on Slurm may start it; 0 where it does not say."""
    start_s: float | None
    end_s: float | None
    limit: str
    priority: int
    nice: int
    is_batch: bool
    cpus: int
    out: str
    workdir: str
    command: str
    comment: str
    admin_comment: str
    title: str

    @property
    def standing(self) -> tuple[object, ...]:
        """Give all that decides what is booked; priorities and expected starts of those that wait do not."""
        waits = self.phase in ("waits", "held")
        return (self.phase, self.state, self.restarts, None if waits else self.start_s, None if waits else self.end_s)

    @property
    def outcome(self) -> str:
        """Say what its end is to the loop."""
        return ENDS.get(self.state, "failed")


class NodeRecord(NamedTuple):
    """A node as the controller has it now."""

    name: str
    state: Literal["up", "marked", "down"]
    words: str
    """Slurm's own word for its state."""
    gpus: int
    used: int | None
    """Which of its GPUs are given to jobs, as a mask; None where Slurm does not tell."""
    cpus: int
    address: str
    by: str
    since: str
    reason: str


class EndRecord(NamedTuple):
    """One run of a job as the accounting keeps it."""

    name: str
    raw: str
    state: str
    code: int | None
    start_s: float | None
    end_s: float | None
    nodes: tuple[str, ...]
    reason: str


class SlurmQueue:
    """Reads the queue; a row that reads as it did the last time is not understood anew."""

    def __init__(self, commands: Commands, partitions: Sequence[str]) -> None:
        self.commands = commands
        self.asked = ["-a", "-r", "-h", "--states=all"]
        self.asked += [f"--partition={','.join(partitions)}"] if partitions else []
        self.read: dict[str, JobRecord | None] = {}

    def jobs(self) -> dict[str, JobRecord]:
        """Ask for all jobs that the controller knows, those with it that ended a short time ago."""
        rows = self.commands.rows("squeue", SQUEUE, *self.asked)
        known = self.read
        self.read = {
            row: known[row] if row in known else job_of(dict(zip(SQUEUE, fields_of(row), strict=True))) for row in rows
        }
        return {one.name: one for one in merged(one for one in self.read.values() if one is not None)}


def job_of(row: dict[str, str]) -> JobRecord | None:
    """Understand one row; None where it is nobody's job."""
    name = row["JobArrayID"]
    if not JOB_ID.match(name):
        return None
    state, reason = first_word(row["State"]), plain(row["Reason"])
    priority = whole(row["PriorityLong"]) or 0
    tres = row["tres-alloc"]
    return JobRecord(
        name, row["JobID"], phase_of(state, reason, priority), state, reason, code_of(row["exit_code"]),
        row["UserName"], uid_of(row["UserID"]), row["Partition"], hosts(plain(row["NodeList"])),
        gpus_in(tres), sum(map(int, SHARDS.findall(tres)[:1])), whole(row["RestartCnt"]) or 0,
        seconds(row["SubmitTime"]) or 0.0, seconds(row["EligibleTime"]) or 0.0, seconds(row["StartTime"]),
        seconds(row["EndTime"]), row["TimeLimit"],
        priority, whole(row["Nice"]) or 0, row["BatchFlag"] == "1", whole(row["NumCPUs"]) or 0, plain(row["StdOut"]),
        row["WorkDir"], plain(row["Command"]), plain(row["Comment"]),
        plain(row["admin_comment"]), row["Name"],
    )  # fmt: skip


def phase_of(state: str, reason: str, priority: int) -> Phase:
    """Say where a job stands between its submission and its end."""
    if state in ENDS:
        return "over"
    if state in LATER:
        return "leaves" if state == "COMPLETING" else "waits"
    if state in RUNS:
        return "runs"
    is_held = (
        reason in HELD or any(words in reason for words in HELD_WORDS) or state in ("REQUEUE_HOLD", "SPECIAL_EXIT")
    )
    return "held" if state in WAITS and (is_held or (priority == 0 and reason in NOTHING)) else "waits"


def merged(found: Iterable[JobRecord]) -> list[JobRecord]:
    """Make one job of the components of a heterogeneous one, under the name of the first."""
    jobs: dict[str, JobRecord] = {}
    for one in found:
        name, plus, _ = one.name.partition("+")
        first = jobs.get(name)
        if first is None:
            jobs[name] = replace(one, name=name) if plus else one
            continue
        head, other = (first, one) if not one.name.endswith("+0") else (replace(one, name=name), first)
        jobs[name] = replace(
            head,
            nodes=tuple(dict.fromkeys((*head.nodes, *other.nodes))),
            gpus=head.gpus + other.gpus,
            cpus=head.cpus + other.cpus,
        )
    return list(jobs.values())


def read_exclusions(commands: Commands) -> dict[str, frozenset[str]]:
    """Ask where jobs that wait may not start, as their users want it, or we do."""
    lines = commands.run("squeue", "-a", "-r", "-h", "--states=PENDING", "-o", EXCLUDED).splitlines()
    told = (line.strip().partition(" ") for line in lines)
    return {name: frozenset(hosts(plain(nodes.strip()))) for name, _, nodes in told if plain(nodes.strip())}


def read_nodes(commands: Commands) -> list[NodeRecord]:
    """Ask for all nodes, in Slurm's order."""
    rows = commands.table("sinfo", SINFO, "-N", "-a", "-h")
    return [node_of(dict(zip(SINFO, row, strict=True))) for row in unique(rows)]


def unique(rows: Iterable[Sequence[str]]) -> list[Sequence[str]]:
    """Leave out a node's second row: sinfo has one for each partition that it is in."""
    return list({row[0]: row for row in reversed([*rows])}.values())[::-1]


def node_of(row: dict[str, str]) -> NodeRecord:
    """Understand one row."""
    state, gpus = row["StateLong"].lower(), sum(map(int, GRES.findall(row["Gres"])))
    return NodeRecord(
        row["NodeList"], node_state(state), state, gpus, used_of(row["GresUsed"]), whole(row["CPUs"]) or 0,
        plain(row["NodeAddr"]), plain(row["User"]), plain(row["Timestamp"]), plain(row["Reason"]),
    )  # fmt: skip


def node_state(state: str) -> Literal["up", "marked", "down"]:
    """Say whether a node takes jobs; one that is only powered down until it is needed does."""
    if any(state.startswith(word) for word in DOWN) or (state.endswith(SILENT) and "drain" not in state):
        return "down"
    return "marked" if state.endswith(KEPT) or any(word in state for word in MARKED) else "up"


def used_of(text: str) -> int | None:
    """Read which GPUs of a node are given to jobs: gpu:h100:3(IDX:0-1,5)."""
    mask = 0
    for count, places in GRES_IN_USE.findall(text):
        mask |= sum(1 << place for place in numbers(places))
        if int(count) and not mask:
            return None
    return mask


def read_ends(commands: Commands, names: Sequence[str]) -> list[EndRecord]:
    """Ask the accounting for every run of these jobs, also those that were requeued."""
    asked = ("-a", "-n", "-X", "-D", f"--jobs={','.join(names)}", "--starttime=1970-01-01")
    rows = commands.table("sacct", SACCT, *asked, letters=True)
    return [end_of(dict(zip(SACCT, row, strict=True))) for row in rows if JOB_ID.match(row[0])]


def end_of(row: dict[str, str]) -> EndRecord:
    """Understand one row of the accounting; `CANCELLED by 0` is CANCELLED."""
    return EndRecord(
        row["JobID"], row["JobIDRaw"], first_word(row["State"]), code_of(row["ExitCode"]), seconds(row["Start"]),
        seconds(row["End"]), hosts(plain(row["NodeList"])), plain(row["Reason"]),
    )  # fmt: skip


def code_of(text: str) -> int | None:
    """Read an exit code in each of its two forms: `3:0`, where a signal follows the colon, and what wait(2) gives."""
    status, colon, ending = text.partition(":")
    if not status.isdigit() or (colon and not ending.isdigit()):
        return None
    if colon:
        return -int(ending) if int(ending) else int(status)
    value = int(status)
    return -(value & 0x7F) if value & 0x7F else value >> 8


def numbers(text: str) -> list[int]:
    """Expand 0-2,5."""
    found: list[int] = []
    for one in text.split(","):
        first, _, last = one.partition("-")
        if first.isdigit() and (last or first).isdigit() and int(last or first) < 1024:
            found += range(int(first), int(last or first) + 1)
    return found


def gpus_in(tres: str) -> int:
    """Read how many GPUs were given: gres/gpu=4,gres/gpu:h100=4."""
    return sum(map(int, GRES.findall(tres)[:1]))


def first_word(text: str) -> str:
    """Take the state without what follows it."""
    return (text.split() or [""])[0].rstrip("+").upper()


def plain(text: str) -> str:
    """Take Slurm's words for nothing as nothing."""
    return "" if text in NOTHING else text


def whole(text: str) -> int | None:
    """Read a whole number."""
    return int(text) if text.lstrip("-").isdigit() else None


def uid_of(text: str) -> int:
    """Read an account's number; what is none is nobody's, least of all root's."""
    found = whole(text)
    return -1 if found is None else found


def seconds(text: str) -> float | None:
    """Read a moment; 0 and Slurm's words for none are none."""
    return float(text) if text.isdigit() and int(text) > 0 else None
