"""Know a line that a kernel or a daemon wrote by how it begins."""

import re

from schedmate.readers.failures.lines.line_cleaner import Cleaner
from schedmate.tools.late_patterns import late
from schedmate.tools.raw_lines import RawLine

PREFIX_BYTES = 160

MACHINE = re.compile(
    rb"\[ *\d{1,8}\.\d{6}\] |\[\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}\] |\bkernel: "
    rb"|\d{4}-\d\d-\d\d_\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}: \[[A-Z]\] "
    rb"|\bnhc\[\d{1,9}\]:? |\[\w{3} \d\d \d{4} \d\d:\d\d:\d\d\] \[[A-Z]{4,8}\] \[tid \d{1,9}\] "
    rb"|(?:\w{3} [ \d]\d \d\d:\d\d:\d\d|\dT\d\d:\d\d:\S{2,16}) [\w.-]{1,63} [\w./-]{1,48}(?:\[\d+\])?: "
)
"""How kernels and daemons begin a line: uptime, dmesg -T, the check of a node, NVIDIA's fabric manager, IBM's
mmfsd, or a host and the daemon's name.
"""
KERNEL = late(rb"\[ *\d{1,8}\.\d{6}\] |\[\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}\] |\bkernel: ")
"""How a kernel alone does."""


def is_machines(raw: RawLine, cleaner: Cleaner) -> bool:
    """Tell a line of a kernel or a daemon, which no process of the job printed."""
    return bears_its_mark(raw.raw[:PREFIX_BYTES], cleaner)


def bears_its_mark(head: bytes, cleaner: Cleaner) -> bool:
    """Tell how a kernel or a daemon begins a line; what a journal keeps of the job itself begins in the same way."""
    found = MACHINE.search(head)
    if found and cleaner.own.journal and f" {cleaner.own.journal}[".encode() in found[0]:
        found = MACHINE.search(head, found.end())  # what the job prints of a kernel's log
    return found is not None


def is_kernels(head: bytes) -> bool:
    """Tell a line of a kernel by how it begins: drivers speak in set phrases there, and of each thing that they do."""
    return KERNEL.search(head) is not None
