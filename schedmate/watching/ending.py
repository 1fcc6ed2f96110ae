"""Tell whether the last lines of a log are those of a process that ended: other trouble may pass."""

import os

import re2

from schedmate.readers.lines import clean

TAIL_BYTES = 1 << 14
NEAR_LINES = 40
EXCEPTION = re2.compile(r"^(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Failure|Warning)\b(?::|$)")
STACK = re2.compile(r'^(?:Traceback \(most recent call last\)|\s+File "[^"]*", line \d+|\s{2,}\S|\s*[\^~]+\s*$)')
END = re2.compile(
    r"exit(?:ed|ing)? (?:with )?(?:exit )?(?:code|status)|exitcode|\b[Kk]illed\b|core dumped|\bAborted\b|^srun: error"
    r"|slurmstepd|CANCELLED|ChildFailedError|mpirun (?:noticed|detected)|\bTerminated\b|[Oo]om[-_ ]?[Kk]ill|OOMKilled"
    r"|Segmentation fault|Bus error|\bSIG(?:KILL|TERM|ABRT|SEGV|BUS|FPE)\b|terminate called|Fatal Python error"
    r"|[Ee]victed|DeadlineExceeded|[Jj]ob \S* ?(?:failed|aborted|has failed)|signal \d+|TIME LIMIT|time limit|\bXid\b"
)
"""What shells, launchers, schedulers, runtimes and drivers say of a process or a device that is gone."""


def looks_over(path: str) -> bool:
    """Tell whether the log ends as one does whose process is gone."""
    return ends_badly(last_lines(path))


def last_lines(path: str) -> list[str]:
    """Read the last lines, without what launchers put before them."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return []
    try:
        size = os.fstat(handle).st_size
        data = os.pread(handle, TAIL_BYTES, max(0, size - TAIL_BYTES))
    except OSError:
        return []
    finally:
        os.close(handle)
    return [clean(line).text for line in data.splitlines()[-NEAR_LINES:] if line.strip()]


def ends_badly(lines: list[str]) -> bool:
    """Tell an exception that left its program in the last line, or the word of somebody who saw the process go."""
    if any(END.search(line) for line in lines):
        return True
    while lines and STACK.search(lines[-1]) and not EXCEPTION.search(lines[-1].strip()):
        lines = lines[:-1]
    return bool(lines) and bool(EXCEPTION.search(lines[-1].strip()))
