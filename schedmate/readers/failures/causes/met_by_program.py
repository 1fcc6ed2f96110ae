"""Where a driver only noted what a program did wrong, or an allocator warned of memory that ran out, the exception by
which the program met that, which names the code, is the place.
"""

from schedmate.readers.failures.case import JobCase
from schedmate.readers.failures.causes.same_fault import apart, is_same_fault
from schedmate.readers.failures.sightings.loudness import warns
from schedmate.readers.failures.sightings.sighting import Sighting

BEHIND_LINES, RIGHT_BEHIND_LINES = 60, 12
"""How far behind the driver's line the program may raise, its stack included, and below its allocator's word."""
CODE = frozenset({"script", "framework"})

MEMORY = ("memory", "memory_plain", ".oom", "_exhausted")
"""How the names of entries end that know of an accelerator's memory."""


def met_by_program(root: Sighting, case: JobCase) -> Sighting:
    """Give the first exception with its calls by which the run time tells the program the same, else the root."""
    if (root.raised and root.raised.start == root.start) or root.failure is None or root.failure.category not in CODE:
        return root
    met = (one.sighting for one in case.suspects if not one.survived and tells_the_same(one.sighting, root))
    return min(met, key=lambda item: item.start, default=root)


def is_programs_fault(item: Sighting, area: str) -> bool:
    """Tell what an entry of an area knows as the program's own fault."""
    failure = item.failure
    return failure is not None and failure.id.startswith(area) and failure.category == "script"


def tells_the_same(item: Sighting, root: Sighting) -> bool:
    """Tell an exception with its calls that states the same right behind a warning, or soon behind a driver."""
    if item.raised is None or not item.raised.frames or item.source != root.source or apart(item, root):
        return False
    if is_programs_fault(root, "gpu."):
        return is_programs_fault(item, "cuda.") and 0 < item.number - root.number <= BEHIND_LINES
    right_behind = 0 < item.raised.head_number - root.number <= RIGHT_BEHIND_LINES
    return right_behind and ran_out_of_memory(root) and warns(root) and is_same_fault(item, root)


def ran_out_of_memory(item: Sighting) -> bool:
    """Tell that an accelerator's memory ran out: what was asked for, and where, the exception tells."""
    failure = item.failure
    return failure is not None and failure.category == "framework" and failure.id.endswith(MEMORY)
