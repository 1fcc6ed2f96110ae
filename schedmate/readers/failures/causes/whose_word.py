"""Tell who says a quiet first statement, a machine or the job itself, and whether the end is of the same machine."""

from functools import cached_property

from schedmate.readers.failures.case import JobCase
from schedmate.readers.failures.hosts.rank_hosts import Whereabouts, whereabouts, without_domain
from schedmate.readers.failures.hosts.subjects import subject_of
from schedmate.readers.failures.lines.line_cleaner import Cleaner
from schedmate.readers.failures.lines.machine_marks import PREFIX_BYTES, bears_its_mark, is_kernels
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.lines import Line
from schedmate.tools.late_patterns import late_re2
from schedmate.tools.raw_lines import RawLine

HOST = "host"
Names = dict[str, str]

MACHINES_WORD = late_re2(
    r"^(?:kernel: |[\w./@-]{1,48}\[\d{1,9}\]: |(?:[\w.-]{1,63} )?(?:ERROR|WARNING|SUCCESS|FATAL): +nhc: "
    r"|amdgpu [\da-f:.]{7,16}: |file_system_monitor\.cc:\d+: "
    r"|Broadcast message from \S{1,40}@|(?:Normal|Warning) +[A-Z]\w{3,40} +\w+/"
    r"|\[[NEWX]\] (?:Disk lease|Lost membership|Unable to contact|This node was expelled|Unmount)"
    r"|(?:\S{1,60} ){0,3}Got interruption event from channel"
    r"|Successfully (?:destroyed|created) (?:GPU|compute) instance|(?:Enabled|Disabled) MIG [Mm]ode for GPU)"
)
"""A kernel, a daemon with its number, a node's health check, Ray's daemons, a call to all, an event of Kubernetes,
AMD's driver, what nvidia-smi says when it cuts a card, IBM's mmfsd, and what watches for a cloud's notices: no program
of a job begins its lines so.
"""
DAEMONS_NAME = late_re2(r"^[\w./-]{1,48}: ")


def is_machines_word(raw: RawLine, line: Line, cleaner: Cleaner) -> bool:
    """Tell what a machine says of itself from what the job prints, in a journal too."""
    journal = cleaner.own.journal
    if line.rank is not None or (journal and line.text.startswith(f"{journal}[")):
        return False
    head = raw.raw[:PREFIX_BYTES]
    if MACHINES_WORD.search(line.text) or is_kernels(head):
        return True
    return line.host is not None and bool(DAEMONS_NAME.search(line.text)) and bears_its_mark(head, cleaner)


class EndsPlace:
    """Where an end happened, as far as its words, its line or its rank's seat tell."""

    def __init__(self, end: Sighting, case: JobCase) -> None:
        self.end = end
        self.own = case.own(end)

    def host(self, met: Names) -> str:
        """Give the host that the end names in its words, else the one that it stands on; empty where none is known."""
        told = met.get(HOST) or self.end.named.get(HOST) or self.subject or self.end.line.host
        return told or self.seat

    @cached_property
    def subject(self) -> str:
        """Give the machine that the end's sentence speaks of."""
        return subject_of(self.end, self.own.log)

    @cached_property
    def known(self) -> Whereabouts:
        """Give who sits where around the end."""
        return whereabouts(self.own.log, self.end.start)

    @property
    def seat(self) -> str:
        """Give the host of the rank that ended."""
        seat = self.known.seats.get(self.end.line.rank) if self.end.line.rank is not None else None
        return seat.host if seat else ""

    def may_be_of(self, host: str) -> bool:
        """Tell a job that names no other host, for an end of which nobody says where it happened."""
        return self.hosts <= {without_domain(host)}

    def is_of_job(self, host: str) -> bool:
        """Tell one of the hosts that the job names."""
        return without_domain(host) in self.hosts

    @cached_property
    def hosts(self) -> set[str]:
        """Give the hosts that the job names."""
        return {without_domain(one) for one in (*self.known.hosts, *(seat.host for seat in self.known.seats.values()))}
