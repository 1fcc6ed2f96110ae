"""Name what is to be taken out of service: host, GPU, board, port, adapter, by the first cause or what stands by it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from schedmate.knowledge.own_limits import blames_machine
from schedmate.readers.failures.causes.first_cause import CauseVerdict
from schedmate.readers.failures.hosts.rank_hosts import Seat, Whereabouts, is_of_tasks, keep_pid, task_on, whereabouts
from schedmate.readers.failures.hosts.subjects import is_watcher, speakers_machine, subject_of
from schedmate.readers.failures.places.machine_log import machines_line
from schedmate.readers.failures.places.stated_parts import (
    address_below,
    part_of_report,
    same_speaker,
    service_in,
    stated_parts,
)
from schedmate.readers.failures.places.told_hosts import NODE_FAILED, failed_node, host_around, host_of_daemons_word
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late

ORDER = ("host", "pod", "peer", "gpu", "pci", "switch", "nic", "port", "link", "device", "service")
WRITTEN = {"gpu": "GPU {}", "port": "port {}", "link": "link {}", "rank": "rank {}"}
RANK_IN_TEXT = re.compile(r"\[[Rr]ank ?(\d{1,6})\]")
PCI = late(r"\b(?:PCI:|GPU )?((?:[0-9a-fA-F]{4}|[0-9a-fA-F]{8}):[0-9a-fA-F]{2}:[0-9a-fA-F]{2}(?:\.[0-7])?)\b")
ADDRESS = late(r"^\[?([0-9a-fA-F.:]{3,45}?|[\w.-]{1,253}?)\]?(?:<\d{1,5}>)?$")
POD = late(r"\bpod/([a-z0-9][a-z0-9.-]{0,251}[a-z0-9])(?![\w.<-])")
POD_NAME = late(r"-(?:worker|master|launcher|head|server|chief|ps)-(?:[a-z0-9]{1,16}-)?[a-z0-9]{1,5}$")
PREFIX_BYTES = 512
KIN_LINES = 60
BOARDS = frozenset({"gpu", "nvlink"})

MOST_LOGS_ASKED = 16
"""Who sat where stands in the launcher's log or in rank 0's, so in one of the first; each costs a look at its ends."""

NAMES, ROUTE = "dns", "route"
"""Who cannot turn a name into an address is at fault, not whose name he asks for; whom nobody reaches is."""


@dataclass(slots=True)
class Place:
    """Where the first cause sits, as far as anything tells, and which line told what the first cause does not."""

    rank: int | None = None
    host: str = ""
    parts: dict[str, str] = field(default_factory=dict)
    seat: Seat | None = None
    told_by: int = 0
    known: Whereabouts = field(default_factory=Whereabouts)
    complains: bool = False
    """the rank only says that it waited or lost another: it is no part at fault"""

    def components(self) -> tuple[str, ...]:
        """Write the parts that can be taken out of service, the rank only where no part is known."""
        parts = {"host": self.host} | self.parts
        named = [WRITTEN.get(kind, "{}").format(parts[kind]) for kind in ORDER if parts.get(kind)]
        if not named and self.rank is not None and not self.complains:
            named = [f"rank {self.rank}"]
        return tuple(dict.fromkeys(named))


def place_of(verdict: CauseVerdict, readings: Sequence[FailureReading]) -> Place:
    """Ask the line itself first, then the lines of its speaker, then its kin, then who is known to sit where."""
    root = verdict.root
    assert root
    reading = readings[root.source]
    place = Place(rank_of(root, reading), told_by=root.source, known=whereabouts(reading.log, root.start))
    if is_complaint(root):
        place.complains = True
        if "rank" not in root.named:  # beside a rank it is the host of who complains
            place.host = root.named.get("host", "")
        return place
    if is_a_services(root):
        place.complains = True
        learn_service(place, root)
        place.parts.setdefault("service", address_below(root, reading))
        return place
    if NODE_FAILED in root.line.text:  # by which node it was ended its daemon on the first one does not say
        place.host, place.complains = failed_node(root, reading), True
        return place
    learn_root(place, root, reading)
    if is_a_switchs(root):
        return place
    if "peer" in root.named and root.failure is not None and root.failure.fault == ROUTE:
        place.host = ""
        resolve(place, root.start)
        return place
    learn_pod(place, reading.log.window(*reading.log.bounds(root.start))[:PREFIX_BYTES].decode("utf-8", "replace"))
    for neighbour in same_speaker(root, reading):
        learn_line(place, neighbour.text, neighbour.host)
    for relative in kin(root, verdict):
        learn_kin(place, relative, root, reading)
    ask_same_failure(place, root, verdict)
    ask_others(place, readings)
    ask_for_hosts(place, verdict, readings)
    line = machines_line(root, verdict, readings, place.rank, place.host, place.known)
    if line:
        learn(place, line)
    place.host = place.host or host_around(line or root, readings[(line or root).source])
    rank = place.known.rank_of_pid(root.named.get("pid", ""))
    if place.rank is None and may_sit_there(place, rank, place.host):
        place.rank = rank
    learn_seat(place, blames_board=bool(root.failure and root.failure.subcategory in BOARDS))
    resolve(place, root.start)
    if verdict.chosen and verdict.chosen.silent:  # that a process is not heard any more proves no part to be faulty
        return Place(place.rank, known=place.known, complains=True)
    return place


def is_complaint(root: Sighting) -> bool:
    """Tell an effect that a peer's end or silence produces on whoever waits for it: who prints it is a victim."""
    failure = root.failure
    if not failure or failure.category != "infrastructure" or failure.role == "root":
        return False
    return "peer" in failure.after and failure.subcategory not in {"node", *BOARDS}


def is_a_services(root: Sighting) -> bool:
    """Tell that a service for many jobs does not answer: whoever says so is a victim."""
    failure = root.failure
    return failure is not None and failure.subcategory == "other" and failure.id.startswith(("hub.", "storage."))


def is_a_switchs(root: Sighting) -> bool:
    """Tell a fault of a switch that joins machines: none of those that lost it is faulty."""
    return "switch" in root.named and root.failure is not None and root.failure.subcategory == "network"


def learn_root(place: Place, root: Sighting, reading: FailureReading) -> None:
    """Take over what the first cause tells, by itself or in another row of its report."""
    if told := task_on(root.line.text):
        place.host = told[0]
    elif "host" not in root.named:
        place.host = subject_of(root, reading.log)
    learn(place, root)
    if named := part_of_report(root, reading):
        place.parts.setdefault("device", named)


def learn(place: Place, item: Sighting) -> None:
    """Take over what a line's entry captured, and what its prefix tells."""
    if item.failure and item.failure.subcategory in BOARDS and item.line.gpu is not None:
        place.parts.setdefault("gpu", str(item.line.gpu))
    for kind, value in item.named.items():
        if kind == "host":
            place.host = place.host or value
        elif kind in ORDER and not (kind == "peer" and item.failure and item.failure.fault == NAMES):
            place.parts.setdefault(kind, value)
    for kind, value in stated_parts(item):
        place.parts.setdefault(kind, value)
    learn_line(place, item.line.text, item.line.host)
    learn_service(place, item)


def learn_service(place: Place, item: Sighting) -> None:
    """Take over the address of a service, or what an entry captured of its name."""
    if service := item.named.get("service") or service_in(item):
        place.parts.setdefault("service", service)


def learn_kin(place: Place, relative: Sighting, root: Sighting, reading: FailureReading) -> None:
    """Take over what another line of the same fault tells, unless it tells of other tasks or of another host."""
    named = relative.named.get("host") or relative.line.host or ""
    if is_of_tasks(relative.line.text) or not may_sit_there(place, place.rank, named):
        return
    learn(place, relative)
    rank = rank_of(relative, reading)
    if place.rank is None and relative.failure == root.failure and may_sit_there(place, rank, place.host):
        place.rank = rank


def may_sit_there(place: Place, rank: int | None, host: str) -> bool:
    """Tell whether a rank can have run on a host, as far as its seat and the host are known."""
    seat = place.known.seats.get(rank) if rank is not None else None
    return not seat or not host or place.known.short_name(seat.host) == place.known.short_name(host)


def learn_line(place: Place, text: str, host: str | None) -> None:
    """Take over a host and a board that a line names."""
    place.host = place.host or speakers_machine(host or "") or host_of_daemons_word(text)
    if "pci" not in place.parts and (match := PCI.search(text)):
        place.parts["pci"] = match[1]
    learn_pod(place, text)


def learn_pod(place: Place, text: str) -> None:
    """Take over a pod that a line names, in kubectl's prefix or in an event."""
    if (match := POD.search(text)) and not is_watcher(match[1]):
        place.parts.setdefault("pod", match[1])


def kin(root: Sighting, verdict: CauseVerdict) -> list[Sighting]:
    """Find other lines about the same fault: of the same entry, or of the same sub-class and near by; none got over."""
    if not root.failure or not blames_machine(root.failure.category, root.failure.id):
        return []
    others = (
        one.sighting
        for one in verdict.suspects
        if one.sighting is not root
        and one.sighting.source == root.source
        and (not one.survived or abs(one.sighting.number - root.number) <= KIN_LINES)
    )
    return sorted((item for item in others if is_kin(item, root)), key=lambda item: abs(item.number - root.number))


def ask_same_failure(place: Place, root: Sighting, verdict: CauseVerdict) -> None:
    """Take host and rank from other lines of the very same failure near by, where all that tell one tell the same."""
    if place.rank is not None and place.rank in place.known.seats:
        return
    same = [one.sighting for one in verdict.suspects if not one.survived and says_same(one.sighting, root)]
    told = [seat_in(item, place) for item in same if place.rank is None or not is_of_tasks(item.line.text)]
    told = [(host, rank) for host, rank in told if None in (rank, place.rank) or rank == place.rank]
    hosts, ranks = {host for host, _ in told if host}, {rank for _, rank in told if rank is not None}
    if not place.host and len(hosts) == 1:
        place.host = hosts.pop()
    if place.rank is None and len(ranks) == 1 and may_sit_there(place, rank := ranks.pop(), place.host):
        place.rank = rank


def seat_in(item: Sighting, place: Place) -> tuple[str, int | None]:
    """Give the host and the rank that a line names; a task is a rank where the log's other lines allow it."""
    if told := task_on(item.line.text):
        seat = place.known.seats.get(told[1])
        return told[0], told[1] if seat and seat.host == told[0] else None
    return item.line.host or "", item.line.rank


def says_same(item: Sighting, root: Sighting) -> bool:
    """Tell a line of the root's own entry close behind it in the same log."""
    if item is root or not item.failure or not root.failure or item.failure.id != root.failure.id:
        return False
    return item.source == root.source and 0 < item.number - root.number <= KIN_LINES and not root.failure.general


def is_kin(item: Sighting, root: Sighting) -> bool:
    """Tell a line about the same fault, on the same host as far as both name one."""
    assert root.failure
    if not item.failure or item.failure.role != "root" or item.failure.subcategory != root.failure.subcategory:
        return False
    if root.failure.subcategory == "other" and item.failure.id != root.failure.id:
        return False
    if item.line.host and root.line.host and item.line.host != root.line.host:
        return False
    if item.line.rank is not None and root.line.rank is not None and item.line.rank != root.line.rank:
        return False
    return item.failure.id == root.failure.id or abs(item.number - root.number) <= KIN_LINES


def ask_others(place: Place, readings: Sequence[FailureReading]) -> None:
    """Look in the logs of other ranks for what the log of the faulty one does not tell: seats, names of addresses."""
    others = [reading for reading in readings if reading.source != place.told_by][:MOST_LOGS_ASKED]
    for reading in others:
        if place.host or place.rank is None or place.rank in place.known.seats:
            break
        known = whereabouts(reading.log, reading.log.size)
        place.known.host_at = known.host_at | place.known.host_at
        for pid, rank in known.pids.items():
            keep_pid(place.known.pids, pid, rank)
        for system, start in known.around.systems.items():
            place.known.around.systems.setdefault(system, start)
        place.known.around.job_id = place.known.around.job_id or known.around.job_id
        if seat := known.seats.get(place.rank):
            place.known.seats[place.rank], place.told_by = seat, reading.source


def ask_for_hosts(place: Place, verdict: CauseVerdict, readings: Sequence[FailureReading]) -> None:
    """Where a line names a process, learn from the other logs its number on its node and whether the job has others."""
    known = place.known
    speakers = [one.sighting for one in verdict.suspects if one.sighting.named.get("pid")]
    if not speakers and not (verdict.root and verdict.root.named.get("pid")):
        return
    known.hosts_elsewhere |= {host for item in speakers if (host := item.line.host)}
    others = [reading for reading in readings if not verdict.root or reading.source != verdict.root.source]
    known.has_unread_logs = len(others) > MOST_LOGS_ASKED
    for reading in others[:MOST_LOGS_ASKED]:
        other = whereabouts(reading.log, reading.log.size)
        known.hosts_elsewhere |= {*other.hosts, *(seat.host for seat in other.seats.values())}
        for pid, local in other.local_pids.items():
            keep_pid(known.local_pids, pid, local)


def learn_seat(place: Place, blames_board: bool) -> None:
    """Look the rank up; where no rank is known, a job that names one host ran there."""
    seat = place.known.seats.get(place.rank) if place.rank is not None else None
    if not seat and not place.host and (place.rank is None or not place.known.last_task):
        seat = place.known.only_host()
    if not seat or (place.host and place.host != seat.host):
        return
    if not place.host:
        place.host, place.seat = seat.host, seat
    if blames_board and not place.parts.get("pci"):
        if seat.gpu is not None:
            place.parts.setdefault("gpu", str(seat.gpu))
        if seat.bus:
            place.parts["pci"] = seat.bus


def resolve(place: Place, start: int) -> None:
    """Write a peer without its port, by name where the log tells the name of its address; know a pod by its host."""
    known = place.known
    place.host = known.host_at.get(place.host, place.host)
    if "kubernetes" in known.around.systems and (POD_NAME.search(place.host) or known.node_of_pod(place.host, start)):
        place.parts.setdefault("pod", place.host)
    pod = place.parts.get("pod", "")
    if place.host in ("", pod):
        place.host = known.node_of_pod(pod, start) or place.host
    if peer := place.parts.get("peer", ""):
        match = ADDRESS.match(peer)
        bare = match[1] if match else ""
        place.parts["peer"] = known.host_at.get(bare, bare)


def rank_of(item: Sighting, reading: FailureReading) -> int | None:
    """Tell the rank by the line's prefix, its text or its file's name."""
    if item.line.rank is not None:
        return item.line.rank
    match = RANK_IN_TEXT.search(item.line.text)
    return int(match[1]) if match else reading.rank
