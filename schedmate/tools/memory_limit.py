"""What a process that reads other people's files may take of the machine: it dies of a file alone, and before jobs."""

import os
import resource
from contextlib import suppress

MOST_BYTES = 4 << 30
"""Of what it writes to, mapped files aside; the readings of all test sets stay below a tenth of it."""
TOO_MUCH = "reading it takes more memory than a reading may have"

DIES_SOONER = 800
"""Before jobs, which have 500: where the whole machine is short of memory, a reading is what is missed least."""


def keep_small() -> None:
    """Hold this process, and what it starts, to so much memory; more is a `MemoryError`."""
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = min(MOST_BYTES, whole // 2, *(limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY))
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    with suppress(OSError), open("/proc/self/oom_score_adj", "r+") as file:
        if int(file.read()) < DIES_SOONER:
            file.write(f"{DIES_SOONER}")
