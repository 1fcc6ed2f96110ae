"""Read how a job ended, by its exit code, a signal or a scheduler's word."""

import re
import signal
from typing import NamedTuple

from schedmate.errors import InputError
from schedmate.knowledge.exits import Ending, load_endings
from schedmate.tools.late_patterns import late

CODE = late(r"-?\d{1,3}")
PAIR = late(r"(\d{1,3}):(\d{1,3})")
SIGNAL = late(r"(?:SIG)?(HUP|INT|QUIT|ILL|TRAP|ABRT|BUS|FPE|KILL|USR1|SEGV|USR2|PIPE|ALRM|TERM|XCPU|XFSZ)")
WELL = frozenset({"COMPLETED", "SUCCEEDED", "DONE", "EXITED"})
FAILED = frozenset({"FAILED", "ERROR", "EXIT", "FAIL"})

SIGNALS_ABOVE = (128, 256)
"""What is added to a signal's number: by shells, and by PBS."""
LAST_SIGNAL = 64

SHORTEST_CUT = 4
"""Letters of a state that sacct leaves at least, below which it could be any."""


class End(NamedTuple):
    """How a job ended: as it was told, whether that was well, and what it means where it means anything."""

    said: str
    well: bool
    meaning: Ending | None = None

    def note(self) -> str:
        """Say it in one line."""
        return f"ended with {self.said}: {self.meaning.meaning if self.meaning else 'well' if self.well else 'badly'}"


def read_end(said: str | int) -> End:
    """Read `137`, `-9`, `0:9`, `TIMEOUT`, `FAILED 1:0`, `CANCELLED by 1000`, `SIGTERM`; refuse what is no end."""
    text = str(said).strip()
    words = re.split(r"[\s,;=]+", text.upper())
    read = [end for word in words if (end := end_of(word))]
    if not read:
        raise InputError(f"'{text[:60]}' is no way in which a job ends", "as 137, 0:9, TIMEOUT, NODE_FAIL, SIGTERM")
    best = max(read, key=lambda end: (end.meaning.weight if end.meaning else 0.0, not end.well))
    return End(text, best.well, best.meaning)


def said_of_end(code: int | None, reason: str = "") -> str:
    """Write what an engine knows of an end so that it can be read: its code, and its word where that is one."""
    words = [word for word in re.split(r"[\s,;=]+", reason.upper()) if not CODE.fullmatch(word) and end_of(word)]
    return " ".join([*words[:1], *([str(code)] if code is not None else [])])


def end_of(word: str) -> End | None:
    """Read one word: Slurm writes `code:signal`, shells 128 + signal, PBS 256 + signal, Python minus the signal."""
    endings = load_endings()
    if pair := PAIR.fullmatch(word):
        code, number = int(pair[1]), int(pair[2])
        return of_signal(number) if number else of_code(code)
    if CODE.fullmatch(word):
        return of_code(int(word))
    if named := SIGNAL.fullmatch(word):
        return of_signal(int(signal.Signals[f"SIG{named[1]}"]))
    if word in WELL | FAILED:
        return End(word, word in WELL)
    if word.endswith("+"):
        word = whole_state(word[:-1])
    meaning = endings.get(("state", word))
    return End(word, False, meaning) if meaning else None


def whole_state(cut: str) -> str:
    """Complete a state that sacct's columns cut: `OUT_OF_ME+` is OUT_OF_MEMORY."""
    states = [name for kind, name in load_endings() if kind == "state"]
    return next((name for name in states if len(cut) >= SHORTEST_CUT and name.startswith(cut)), cut)


def of_code(code: int) -> End:
    """Read an exit code: what it says itself, else the signal behind it."""
    endings = load_endings()
    if code == 0:
        return End("0", True)
    if meaning := endings.get(("code", str(code))):
        return End(str(code), False, meaning)
    if code < -1:
        return of_signal(-code)
    for above in SIGNALS_ABOVE:
        if above < code <= above + LAST_SIGNAL:
            return of_signal(code - above)
    return End(str(code), False, endings["code", "1"])


def of_signal(number: int) -> End:
    """Read a signal's number."""
    return End(f"signal {number}", False, load_endings().get(("signal", str(number))))
