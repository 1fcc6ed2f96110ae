"""Tell whether the last lines of a log are those of a process that ended: other trouble may pass."""

import os
import re
from typing import Literal

import re2

from schedmate.readers.lines import clean

Ending = Literal["", "raised", "said"]
TAIL_BYTES = 1 << 14
NEAR_LINES = 80

LATE_LINES = 12
"""What a program had in its buffers, and the rest of an exception's message, may come after the exception."""
EXCEPTION = re2.compile(r"^(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Failure|Warning)\b(?::|$)")
STACK = re2.compile(
    r'^(?:Traceback \(most recent call last\)|\s+File "[^"]*", line \d+|\s{2,}\S|\s*[\^~]+\s*$|frame #\d+: )'
)

ANY_EXCEPTION = re2.compile(r"^(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?::|$)")
"""What stands where a traceback ends: some exceptions are called nothing special, as socket.gaierror."""
HEAD = "Traceback (most recent call last):"

PASSED = re2.compile(
    r"(?i)\bre-?tr(?:y|ies)|\btr(?:y|ied|ying) again|\b(?:skip|continu|ignor|recover|resum|re-?queu)|fall(?:ing)? ?back"
    r"|\b(?:step|iter|iteration|epoch|batch|loss|round)\b|\bit/s|s/it\b|\d%\|"
)
"""What is printed where an exception was caught: that it was, or how the work goes on."""
WORKER = re2.compile(rb"(?:\x1b\[\d+m)*\([^()\n]{1,100} pid=\d+(?:, ip=[^()\n]{1,60})?\)")
"""How Ray marks the lines of workers; those of the driver are bare."""
IGNORED = "Exception ignored in"
"""Python's own word before the traceback of what a destructor raised: the program goes on."""
END = re2.compile(
    r"exit(?:ed|ing)? (?:with )?(?:exit )?(?:code|status)|exitcode|core dumped|\bAborted\b|^srun: error"
    r"|slurmstepd: error|CANCELLED|ChildFailedError|mpirun (?:noticed|detected)|\bTerminated\b|[Oo]om[-_ ]?[Kk]ill"
    r"|Segmentation fault|Bus error|\bSIG(?:KILL|TERM|ABRT|SEGV|BUS|FPE)\b|terminate called|Fatal Python error"
    r"|[Ee]victed|DeadlineExceeded|[Jj]ob \S* ?(?:failed|aborted|has failed)|signal \d+|TIME LIMIT|time limit"
    r"|OOMKilled|\bXid\b[^,]{0,40}: (?:[0-57-8]\d|6[0-24-9]|9[013-9]|\d|\d{3}),"
    r"|^Killed\b|\d Killed\b|: Killed\b|\bKilled process|\b[Kk]illed by (?:signal|SIG)|\b(?:was|been|got) killed\b"
    r"|exits? with return code|Killing subprocess|[Ee]xit_[Ss]tatus[=:] ?-?[1-9]|MPI_ABORT|MPI_Abort|Test NCCL failure"
    r"|Deciding to RAISE|Trial task failed|Trial \S+ errored|[Tt]asks have crashed|Terminating process because"
    r"|Collective ops is aborted|before program exit|before we destruct ProcessGroup"
    r"|[Pp]ower [Oo]ff ?/ ?power down|^.{0,60}(?:Kernel panic - not syncing|reboot: (?:Power down|Restarting system))"
    r"|: error: (?:unrecognized arguments|the following arguments are required|argument |invalid choice)"
)
"""What shells, launchers, schedulers, runtimes, parsers of options and drivers say of what is gone, or is going.

Xids 63 and 92 only record that memory was repaired.
"""
REPLACED = re2.compile(
    r"(?i)\bre-?spawn|\bre-?(?:start|launch)(?:ed|ing|s)?\b|\breplaced\b|\bstart(?:ed|ing)? (?:a new|another) one"
)
"""Whoever says so of what is gone has another in its place: the job goes on."""
GONE = re2.compile(
    r"failed \(exitcode: -?\d+\)|exitcode\s*: -?\d+ \(pid: \d+\)|ChildFailedError|mpirun (?:noticed|detected)"
    r"|exited on signal \d+|^srun: error: \S+: tasks? \S+: (?:Killed|Terminated|Aborted|Segmentation|Bus|Out Of)"
    r"|\*\*\* (?:JOB|STEP) \S+ ON \S+ (?:CANCELLED|FAILED)|Fatal Python error|MPI_ABORT was invoked|core dumped"
    r"|terminate called after throwing|exits? with return code = -?[1-9]"
    r"|[Pp]ower [Oo]ff ?/ ?power down|Kernel panic - not syncing|reboot: (?:Power down|Restarting system)"
    r"|WorkerCrashedError|ActorDiedError"
    r"|^Job \S+ exit_status=-?[1-9]|^Exit_status=-?[1-9]|^Subject: Job \d+: <.{0,200}> in cluster <.{0,100}> Exited"
)
"""What only they say who saw a process go: the job died, however unsure it is of what.

Not `Exited with exit code`: a script may go on after one of its steps.
"""
STEP_GONE = re2.compile(r"^srun: error: \S+: tasks? \S+: Exited with exit code [1-9]|^srun: Force Terminated StepId=")

VERY_LAST_LINES = 3
"""What srun says of its step counts where nothing comes after it: a script may go on."""
MACHINE = re.compile(
    rb"^\[ *\d{1,10}\.\d{6}\] |^\[\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}\] |^=+ dmesg\b|\bkernel: \[ *\d"
)
"""A kernel's lines, written behind or between those of a program, are not its own."""
PASSING = re2.compile(
    r"(?i)\bwarn(?:ing)?\b|\bre-?tr(?:y|ies|ying)\b|\btry(?:ing)? again|\bNVRM: Xid|\bmlx[45]_core\b|\bmce: |\bEDAC\b"
    r"|\[Hardware Error\]"
)
"""A warning, a new try, a machine's own report: of none of these alone does a job die."""


def looks_over(path: str) -> Ending:
    """Tell how the log ends, if it ends as one does whose process is gone."""
    return ending_of(last_lines(path)) or ending_of(last_lines(path, own=True))


def seen_gone(path: str, among: int = NEAR_LINES) -> str:
    """Give the line among the last ones in which somebody says that he saw the process go, or its machine."""
    lines = last_lines(path)
    said = next((line for line in reversed(lines[-among:]) if GONE.search(line)), "")
    return said or next((line for line in lines[-VERY_LAST_LINES:] if STEP_GONE.search(line)), "")


def may_pass(line: str) -> bool:
    """Tell a fault that jobs live through."""
    return bool(PASSING.search(line))


def last_lines(path: str, own: bool = False) -> list[str]:
    """Read the last lines without what launchers put before them; without a kernel's, where the `own` ones count."""
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
    told = [line for line in data.split(b"\n") if not (own and MACHINE.search(line[:300]))]
    lines = b"\n".join(without_echoes(told)).splitlines()  # a bar that is redrawn is many lines
    return [indented(line) for line in lines[-NEAR_LINES:] if line.strip()]


def indented(raw: bytes) -> str:
    """Clean a line and leave it its indentation, by which a stack is known."""
    line = clean(raw)
    return " " * line.indent + line.text


def without_echoes(lines: list[bytes]) -> list[bytes]:
    """Leave out what Ray's workers had in their buffers, where it comes after the exception that ended the driver."""
    own = len(lines)
    while own and (WORKER.match(lines[own - 1]) or not lines[own - 1].strip()):
        own -= 1
    is_last_word = own >= 2 and EXCEPTION.search(clean(lines[own - 1]).text)
    return lines[:own] if is_last_word and STACK.search(indented(lines[own - 2])) else lines


def ending_of(lines: list[str]) -> Ending:
    """Tell the word of somebody who saw a process go, or will, from an exception that left its program near the end."""
    if any(END.search(line) and not REPLACED.search(line) for line in lines):
        return "said"
    return "raised" if raises_at_end(lines) else ""


def raises_at_end(lines: list[str]) -> bool:
    """Tell an exception that left its program near the end."""
    while lines and STACK.search(lines[-1]) and not EXCEPTION.search(lines[-1].strip()):
        lines = lines[:-1]
    if not lines:
        return False
    last = len(lines) - 1
    return bool(EXCEPTION.search(lines[last].strip())) or ends_traceback(lines, last) or left_at_its_top(lines)


def ends_traceback(lines: list[str], place: int) -> bool:
    """Tell whether a line is the exception below a traceback, whatever that is called."""
    head = place
    while head and STACK.search(lines[head - 1]) and not lines[head - 1].endswith(HEAD):
        head -= 1
    is_below = 0 < head < place and lines[head - 1].endswith(HEAD)
    is_ignored = head > 1 and lines[head - 2].startswith(IGNORED)
    return is_below and not is_ignored and bool(ANY_EXCEPTION.search(lines[place]))


def left_at_its_top(lines: list[str]) -> bool:
    """Tell whether a traceback ended a few lines before the end, and nobody says to have caught it."""
    first = max(1, len(lines) - 1 - LATE_LINES)
    for place in range(len(lines) - 1, first - 1, -1):
        if PASSED.search(lines[place]):
            return False
        if is_raised(lines, place):
            head = place
            while head and STACK.search(lines[head - 1]):
                head -= 1
            return not (head and lines[head - 1].startswith(IGNORED))
    return False


def is_raised(lines: list[str], place: int) -> bool:
    """Tell an exception below its traceback."""
    below = STACK.search(lines[place - 1])
    return bool(below and EXCEPTION.search(lines[place])) or ends_traceback(lines, place)
