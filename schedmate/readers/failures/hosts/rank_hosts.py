"""Tell where each rank ran, from what launchers, NCCL and schedulers print about ranks, hosts, GPUs and addresses."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

import re2

from schedmate.readers.failures.hosts.host_lists import expanded, named_lists
from schedmate.readers.failures.hosts.job_systems import Surroundings
from schedmate.tools.late_patterns import late
from schedmate.tools.logfile import LogFile

END_BYTES, NEAR_BYTES = 1 << 20, 1 << 18
"""Ranks are introduced at the start and accounted for at the end; what lies between is training."""
GREETING_BYTES = 1 << 18
SIGN_BYTES = 1 << 16
MOST_RANKS, MOST_HOSTS = 65_536, 64

SAYS = rb"(?m)(?:^|[\s:\]>])(?P<host>[A-Za-z0-9][\w.-]*):\d+:\d+ \[-?\d+\] NCCL INFO "
TABLE = rb"host +: (?P<host>[\w.-]+)[^\n]*\n[^\n]*?rank +: (?P<rank>\d{1,6}) \(local_rank: (?P<gpu>\d{1,3})\)"
JOINED = SAYS + (
    rb"[^\n]*?comm 0x[0-9a-f]+ rank (?P<rank>\d{1,6}) nranks (?P<size>\d{1,6})"
    rb" cudaDev (?P<gpu>\d{1,3})(?: nvmlDev \d+)? busId (?P<bus>[0-9a-f]{1,8})"
)
ADDRESS = SAYS + rb"Bootstrap ?: Using [^\s:]+:(?P<address>[\d.]+)<"
BENCHED = rb"Rank +(?P<rank>\d{1,6}) (?:Group +\d+ )?Pid +\d+ on +(?P<host>[\w.-]+) device +(?P<gpu>\d{1,3})"
SAID = (
    rb"(?i)\brank[ =:]{1,3}(?P<rank>\d{1,6})\b[^\n]{0,60}?\b(?:host|hostname|node|nodename)[ =:]{1,3}"
    rb"(?P<host>[a-z][a-z._-]*\d[\w.-]*)"
)

LISTED = (
    rb"(?im)^[^A-Za-z\n]{0,40}(?:export |declare -x )?(?:slurm_(?:job_)?nodelist|nodelist|hostlist)\b[ \t]*[=:]"
    rb"[^\n]{1,1000}"
)
"""Where a job says which hosts it has: as Slurm names them, at the start of a line."""
MAPPING = rb"global_rank_mapping=defaultdict\(<class 'list'>, \{(?P<map>[^}\n]+)\}"
MAPPED = late(rb"'([\w.-]{1,253})': \[([\d, ]{1,4000})\]")
TASKS_TEXT = late(r"srun: error: [\w.-]{1,253}: tasks? [\d,-]{1,4000}: ")
TASK = re.compile(r"srun: error: ([\w.-]{1,253}): task (\d{1,6}): ")
WORKERS_PID = rb"local_rank: (?P<local>\d{1,5}) \(pid: (?P<pid>\d{1,9})\)"

TABLES_PID = rb"rank +: (?P<rank>\d{1,6}) \(local_rank: \d{1,5}\)\s+exitcode +: -?\d+ +\(pid: (?P<pid>\d{1,9})\)"
"""How torchrun says which process was which rank, on its own node or of the whole job."""
TASKS = rb"srun: error: (?P<host>[\w.-]+): tasks? (?P<tasks>[\d,-]+): "
ENDED = rb"(?:JOB|STEP) [\w.]+ ON (?P<host>[\w.-]+) (?:CANCELLED|FAILED)"

ASSIGNED = rb"\bScheduled\b[^\n]{0,200}Successfully assigned (?P<pod>[\w./-]+) to (?P<host>[\w.-]+)"
"""Compiled when first needed: a process that diagnoses a program's error needs few of them."""
ELASTIC = b"(local_rank: "
WITH_PID = b" (pid: "


class Seat(NamedTuple):
    """Where a rank ran, and the place in the log that says so."""

    host: str
    gpu: int | None = None
    bus: str = ""
    start: int = 0


@dataclass(slots=True)
class Whereabouts:
    """What one log tells: the seat of each rank, the host behind an address, and every host it names."""

    seats: dict[int, Seat] = field(default_factory=dict)
    host_at: dict[str, str] = field(default_factory=dict)
    hosts: dict[str, int] = field(default_factory=dict)
    around: Surroundings = field(default_factory=Surroundings)
    assigned: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """where and to which node a pod was put, by its namespace and its name; a name is given again and again"""
    pids: dict[str, int | None] = field(default_factory=dict)
    """the rank of a process in the whole job; None where two nodes have such a process"""
    local_pids: dict[str, int | None] = field(default_factory=dict)
    """the number of a process on its own node, which is its rank only in a job of one node"""
    hosts_elsewhere: set[str] = field(default_factory=set)
    """what other logs of the job name, and lines of machines"""
    has_unread_logs: bool = False
    last_task: int = 0
    """the highest that srun names: after the first there may be hosts that nothing names"""

    def rank_of_pid(self, pid: str) -> int | None:
        """Give the rank of the process that a kernel's line names."""
        if pid in self.pids:
            return self.pids[pid]
        return self.local_pids.get(pid) if self.is_of_one_host() else None

    def has_ended(self, pid: str) -> bool:
        """Tell a process of which a launcher says that it ended, once and of one node."""
        return (self.local_pids.get(pid) if pid in self.local_pids else self.pids.get(pid)) is not None

    def is_of_one_host(self) -> bool:
        """Tell a job of which nothing read so far names a second host."""
        named = {*self.hosts, *(seat.host for seat in self.seats.values()), *self.hosts_elsewhere}
        return len({self.short_name(host) for host in named}) <= 1 and not self.has_unread_logs

    def is_doubtful(self, pid: str) -> bool:
        """Tell a process of which a launcher spoke without telling its rank."""
        return (pid in self.pids or pid in self.local_pids) and self.rank_of_pid(pid) is None

    def short_name(self, host: str) -> str:
        """Give a host's name, that of its address where the log tells it, without its domain."""
        return without_domain(self.host_at.get(host, host))

    def node_of_pod(self, pod: str, start: int) -> str:
        """Give the node that a pod was put on last before a place in the log, or the only one that is told of."""
        told = [places for name, places in self.assigned.items() if name.rpartition("/")[2] == pod]
        if len(told) != 1:
            return ""
        before = [node for place, node in told[0] if place < start]
        nodes = {node for _, node in told[0]}
        return before[-1] if before else nodes.pop() if len(nodes) == 1 else ""

    def only_host(self) -> Seat | None:
        """Give the host of a job that names no other."""
        return (
            next((Seat(host, start=start) for host, start in self.hosts.items()), None)
            if len(self.hosts) == 1
            else None
        )

    def place(self, rank: int, seat: Seat) -> None:
        """Keep the first thing said of a rank; NCCL adds the board to what a launcher said."""
        known = self.seats.get(rank)
        if known is None and len(self.seats) < MOST_RANKS:
            self.seats[rank] = seat
        elif known and not known.bus and seat.bus and seat.host == known.host:
            self.seats[rank] = Seat(known.host, seat.gpu, seat.bus, known.start)
        self.name(seat.host, seat.start)

    def name(self, host: str, start: int) -> None:
        """Remember that the log names a host."""
        if len(self.hosts) < MOST_HOSTS:
            self.hosts.setdefault(host, start)


def without_domain(host: str) -> str:
    """Give a host's name without its domain; an address stays whole."""
    return host if host.replace(".", "").isdigit() else host.partition(".")[0]


def whereabouts(log: LogFile, near: int) -> Whereabouts:
    """Read a log's ends and the part around its first cause."""
    found = Whereabouts()
    ranges = [(0, END_BYTES), (near - NEAR_BYTES, near + NEAR_BYTES), (log.size - END_BYTES, log.size)]
    for start, end in apart(ranges, log.size):
        data = log.window(start, end)
        read_launchers(found, data, start)
        read_nccl(found, data, start)
        read_schedulers(found, data, start)
        found.around.read(data[:SIGN_BYTES], start)
        found.around.read(data[-SIGN_BYTES:], end - min(SIGN_BYTES, len(data)))
    found.around.finish(log.name)
    return found


def apart(ranges: list[tuple[int, int]], size: int) -> Iterator[tuple[int, int]]:
    """Clip ranges to a size, and to what no earlier one covers."""
    done = 0
    for start, end in ranges:
        start, end = max(start, done), min(end, size)
        if start < end:
            yield start, end
            done = end


def read_launchers(found: Whereabouts, data: bytes, start: int) -> None:
    """Read torchrun's table of failures, DeepSpeed's map of ranks, and programs that introduce themselves."""
    if ELASTIC in data:
        for said, match in spoken(TABLE, data):
            found.place(int(said["rank"]), Seat(said["host"], int(said["gpu"]), "", start + match.start()))
    if WITH_PID in data:
        for said, _ in spoken(TABLES_PID, data):
            keep_pid(found.pids, said["pid"], int(said["rank"]))
        for said, _ in spoken(WORKERS_PID, data):
            keep_pid(found.local_pids, said["pid"], int(said["local"]))
    if b"global_rank_mapping" in data and (match := re2.search(MAPPING, data)):
        for host, ranks in MAPPED.findall(match[1]):
            for gpu, rank in enumerate(ranks.split(b",")):
                found.place(int(rank), Seat(host.decode(), gpu, "", start + match.start()))
    if not start:
        read_greeting(found, data[:GREETING_BYTES])


def read_greeting(found: Whereabouts, data: bytes) -> None:
    """Read what a job says of itself at its start: its ranks, and the list of its hosts."""
    for said, match in spoken(SAID, data):
        found.place(int(said["rank"]), Seat(said["host"], None, "", match.start()))
    for match in re2.finditer(LISTED, data):
        lists = named_lists(match[0].decode("utf-8", "replace"))
        hosts = (host for short in lists for host in expanded(short, MOST_HOSTS) if ".." not in host)
        for host in islice(hosts, MOST_HOSTS):
            found.name(host, match.start())


def keep_pid(pids: dict[str, int | None], pid: str, rank: int | None) -> None:
    """Keep whose process a number is; one that two nodes gave away tells nothing."""
    pids[pid] = rank if pids.get(pid, rank) == rank else None


def read_nccl(found: Whereabouts, data: bytes, start: int) -> None:
    """Read who joined the largest communicator, from where, and which address a host has."""
    if b" NCCL INFO " in data:
        joined = list(spoken(JOINED, data))
        world = max((int(said["size"]) for said, _ in joined), default=0)
        for said, match in joined:
            if int(said["size"]) == world:
                seat = Seat(said["host"], int(said["gpu"]), board(said["bus"]), start + match.end() - 1)
                found.place(int(said["rank"]), seat)
        for said, match in spoken(ADDRESS, data):
            found.host_at[said["address"]] = said["host"]
            found.name(said["host"], start + match.end() - 1)
    if b" Pid " in data:
        for said, match in spoken(BENCHED, data):
            found.place(int(said["rank"]), Seat(said["host"], int(said["gpu"]), "", start + match.start()))


def read_schedulers(found: Whereabouts, data: bytes, start: int) -> None:
    """Read where Slurm and Kubernetes put a job; a task is a rank only where no torchrun stands between."""
    tasks_are_ranks = ELASTIC not in data
    for said, match in spoken(TASKS, data) if b"srun: error:" in data else ():
        found.name(said["host"], start + match.start())
        for task in numbers_in(said["tasks"]):
            found.last_task = max(found.last_task, task)
            if tasks_are_ranks:
                found.place(task, Seat(said["host"], None, "", start + match.start()))
    for said, match in spoken(ENDED, data) if b"slurmstepd" in data else ():
        found.name(said["host"], start + match.start())
    for said, match in spoken(ASSIGNED, data) if b"Successfully assigned" in data else ():
        if len(found.assigned) < MOST_RANKS:
            found.assigned.setdefault(said["pod"], []).append((start + match.start(), said["host"]))
        found.name(said["host"], start + match.start())


def is_of_tasks(text: str) -> bool:
    """Tell what srun says of some tasks' end: it names their host, and nobody else's."""
    return TASKS_TEXT.search(text) is not None


def task_on(text: str) -> tuple[str, int] | None:
    """Give host and task of what srun says of one task's end."""
    match = TASK.search(text)
    return (match[1], int(match[2])) if match else None


def spoken(pattern: bytes, data: bytes) -> Iterator[tuple[dict[str, str], Any]]:  # Any: RE2 has no types
    """Give each match with its groups as text."""
    for match in re2.compile(pattern).finditer(data):
        yield (
            {name.decode(): (value or b"").decode("ascii", "replace") for name, value in match.groupdict().items()},
            match,
        )


def board(bus: str) -> str:
    """Write NCCL's bus number as the driver does: 1b000 is 0000:1b:00.0."""
    number = int(bus, 16)
    return f"{number >> 20:04x}:{number >> 12 & 0xFF:02x}:{number >> 4 & 0xFF:02x}.{number & 0xF:x}"


def numbers_in(text: str) -> Iterator[int]:
    """Read Slurm's short form of a list: 0-3,8."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        if first.isdigit() and (not last or last.isdigit()):
            yield from range(int(first), min(int(last or first), int(first) + MOST_RANKS) + 1)
