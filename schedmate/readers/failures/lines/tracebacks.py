"""Put Python tracebacks together, however ranks and progress bars cut through them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from schedmate.readers.failures.lines.folded_stacks import unfolded
from schedmate.readers.failures.lines.headed_stacks import Heads
from schedmate.readers.lines import STACK_HEAD, Line, Speaker
from schedmate.tools.late_patterns import late

GLUED = re.compile(r"(?:\[[Rr]ank(\d{1,6})\]:? ?)?Traceback \(most recent call last\)")
JOURNALED = late(r"[\w./-]{1,40}\[\d{1,8}\]: ( *)(\S.*)$")
FRAME = re.compile(r'File "(?P<path>[^"]{1,1024})", line (?P<line>\d{1,9})(?:, in (?P<function>.{1,200}))?$')
CAUSED = "The above exception was the direct cause of the following exception"
HANDLING = "During handling of the above exception, another exception occurred"

NEVER_FATAL = (
    "Exception ignored in",
    "--- Logging error ---",
    "Error in atexit",
    "Exception ignored on",
    "Error in sys.excepthook",
    "Exception in callback",
    "Task exception was never retrieved",
    "Exception occurred during processing of request from",
    "fits failed with the following error",
)
"""Headers of tracebacks that Python prints and survives."""

PRINTERS = {("multiprocessing/util.py", "_run_finalizers"), ("multiprocessing/queues.py", "_feed")}
"""Outermost calls that print what came out of them and go on: cleaning up at exit, a queue's own thread."""

EXCEPTION = re.compile(r"(?P<qualified>[A-Za-z_][\w.]{0,400})(?::(?: (?P<message>.*))?)?$")

SURE_ENDINGS = (
    *("Error", "Exception", "Interrupt", "Exit", "Timeout", "Failure", "Fault", "Refused", "Expired", "NotFound"),
    *("Killed", "Group", "Failed", "StopIteration"),
)
"""How exceptions are named, where nothing else tells that a line is one."""

LEVELS = frozenset({"INFO", "WARNING", "WARN", "ERROR", "DEBUG", "CRITICAL", "FATAL", "TRACE", "NOTE", "NOTICE"})

PATIENCE = 60
"""How many foreign lines may stand inside a traceback before it counts as unfinished."""
QUIET_LINES = 12
"""How far below an exception the next of its chain may be announced: what CUDA explains stands between."""
CUT, CUT_LINES = "StackCutOff", 4
"""What stands for an exception that is not in the log any more, and how close to its end the stack does."""
HYDRA = "Error executing job with overrides"

CARRIES = late(r"Caught \w+ in ")
"""How torch words an exception that a worker handed over; the original traceback follows."""
FEW_LINES = 8
"""Other processes may print between the two."""
MOVED_IN = 4
"""How far Python moves in the source under a call."""
TOPS = frozenset({"<module>", "_run_module_as_main", "_bootstrap"})
"""The outermost call of a program, of one started by `python -m`, of a process of multiprocessing."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One call on the way down, with the source line that Python printed under it."""

    path: str
    line: int
    function: str
    number: int
    code: str = ""


@dataclass(frozen=True, slots=True)
class Raised:
    """One exception: the line that states it, the calls on the way to it, and whether Python ends by it."""

    number: int
    start: int
    line: Line
    head_number: int
    head_start: int
    """where its traceback begins"""
    name: str
    qualified: str
    message: str
    frames: tuple[Frame, ...]
    fatal: bool
    thread: bool
    follows: bool = False
    """raised while, or because, the one printed before it was handled"""
    leaves: bool = False
    """came out at the top of its process, which is dead by then; what is caught and logged names no such frame"""


@dataclass(slots=True)
class RankStream:
    """What one rank is in the middle of printing."""

    head_number: int = 0
    head_start: int = 0
    frames: list[Frame] = field(default_factory=list)
    open: bool = False
    foreign: int = 0
    last_text: str = ""
    fatal: bool = True
    thread: bool = False
    chained: bool = False
    follows: bool = False
    by_hydra: bool = False
    contiguous: bool = False
    indent: int = 0
    """of its head: all its lines are moved in as far in a log that was pasted"""
    last_call: tuple[int, Line] = 0, Line("")
    """where the last of its frames stands, and that line"""


class TracebackReader:
    """Walk over lines once, keeping one open traceback a rank."""

    def __init__(self) -> None:
        self.streams: dict[tuple[Speaker, str], RankStream] = {}
        self.busy: set[tuple[Speaker, str]] = set()
        self.heads = Heads()
        self.quiet_lines = 0

    def take(self, number: int, start: int, line: Line) -> Raised | None:
        """Take the next line; give the exception that it states, if it ends a traceback, or holds a whole one."""
        raised = None
        for part in unfolded(line):
            raised = self.take_part(number, start, part) or raised
        return raised

    def take_part(self, number: int, start: int, line: Line) -> Raised | None:
        """Take a line that holds one part of a stack at most."""
        head, behind = self.heads.split(line)
        raised = self.take_of(head, number, start, behind) if head else None
        if not head or STACK_HEAD in line.text:
            raised = self.take_of("", number, start, unglued(line)) or raised
        self.quiet_lines = 0 if raised or self.busy else self.quiet_lines + 1
        return raised

    def take_of(self, head: str, number: int, start: int, line: Line) -> Raised | None:
        """Take a line of one process, or of one head that all lines of a traceback have."""
        whose = line.speaker, head
        stream = self.streams.setdefault(whose, RankStream())
        raised = take_line(stream, number, start, line)
        (self.busy.add if stream.open or stream.chained else self.busy.discard)(whose)
        return raised

    def cut_off(self, last_number: int) -> Iterator[Raised]:
        """Give the tracebacks in which the log ends: a stack without its exception, at its last call."""
        for stream in self.streams.values():
            if stream.open and stream.frames and last_number - stream.frames[-1].number <= CUT_LINES:
                yield closed_by_the_end(stream)

    def idle(self) -> bool:
        """Tell that no traceback is open and that none was chained to the last one."""
        return self.quiet_lines >= QUIET_LINES


def unglued(line: Line) -> Line:
    """Read a traceback's head that was printed behind a progress bar, and what a journal keeps with its speaker.

    Torch names the rank there, too.
    """
    if line.pid is not None and line.host and (told := JOURNALED.match(line.text)):
        line = replace(line, text=told[2], indent=len(told[1]))
    if STACK_HEAD not in line.text or not (match := GLUED.search(line.text)) or not match.start():
        return line
    rank = int(match[1]) if match[1] else line.rank
    return replace(line, text=STACK_HEAD, rank=rank)


def take_line(stream: RankStream, number: int, start: int, line: Line) -> Raised | None:
    """Let one line open, continue or close its stream's traceback."""
    text = line.text
    if STACK_HEAD in text:
        open_traceback(stream, number, start, line.indent)
        return None
    if stream.open:
        if frame := FRAME.match(text):
            stream.frames.append(Frame(frame["path"], int(frame["line"]), frame["function"] or "", number))
            stream.contiguous, stream.last_call = True, (start, line)
            return None
        if line.indent >= stream.indent + 2 or text.startswith(("^", "~")):
            keep_code(stream, line)
            return None
        if raised := close_traceback(stream, number, start, line):
            return raised
        stream.contiguous = False
        stream.foreign += 1
        stream.open = stream.foreign < PATIENCE
    if text.startswith((CAUSED, HANDLING)):
        stream.chained = True
    elif text:
        stream.last_text = text
    return None


def keep_code(stream: RankStream, line: Line) -> None:
    """Remember the first line under a frame: it is the source as it was when it ran.

    Where another writer put a line between, it is known by how far Python moves it in.
    """
    moved_in = stream.contiguous or line.indent == stream.indent + MOVED_IN
    if stream.frames and moved_in and not stream.frames[-1].code and not line.text.startswith(("^", "~")):
        stream.frames[-1] = replace(stream.frames[-1], code=line.text)


def open_traceback(stream: RankStream, number: int, start: int, indent: int) -> None:
    """Begin anew, remembering whether this follows another exception and whether Python survives it."""
    stream.fatal = not any(header in stream.last_text for header in NEVER_FATAL)
    stream.thread = "Exception in thread" in stream.last_text
    stream.by_hydra = stream.last_text.startswith(HYDRA)
    stream.head_number, stream.head_start = number, start
    stream.frames, stream.open, stream.follows = [], True, stream.chained
    stream.foreign, stream.contiguous, stream.indent = 0, False, indent


def close_traceback(stream: RankStream, number: int, start: int, line: Line) -> Raised | None:
    """Take a line as the exception if it reads like one; right after a frame any class name will do."""
    match = EXCEPTION.match(line.text)
    if not match or not is_name(match["qualified"], sure=not (stream.contiguous and stream.frames)):
        return None
    raised = raised_by(stream, number, start, line, match["qualified"], (match["message"] or "").strip())
    stream.open, stream.chained, stream.last_text = False, False, ""
    return raised


def closed_by_the_end(stream: RankStream) -> Raised:
    """Make an exception without a name of a stack that the log's end cuts off."""
    start, said = stream.last_call
    return replace(raised_by(stream, stream.frames[-1].number, start, said, "", ""), name=CUT)


def raised_by(stream: RankStream, number: int, start: int, line: Line, qualified: str, message: str) -> Raised:
    """Make an exception of the stack that was printed above it."""
    return Raised(
        number,
        start,
        line,
        stream.head_number,
        stream.head_start,
        qualified.rsplit(".", 1)[-1],
        qualified,
        message,
        tuple(stream.frames),
        stream.fatal and not is_printed_only(stream.frames),
        stream.thread,
        stream.follows,
        ends_process(stream),
    )


def is_printed_only(frames: Sequence[Frame]) -> bool:
    """Tell a traceback whose outermost call prints what it meets and goes on."""
    return bool(frames) and any(frames[0].path.endswith(path) and frames[0].function == name for path, name in PRINTERS)


def ends_process(stream: RankStream) -> bool:
    """Tell a traceback that came out at the top of its program, or that Hydra shortened and ended the program by."""
    if not stream.fatal or stream.thread or not stream.frames:
        return False
    return stream.frames[0].function in TOPS or stream.by_hydra


def with_originals(raised: Iterable[Raised]) -> list[Raised]:
    """Let what a worker raised, and its owner raised again, have ended the owner: it is printed right below."""
    joined: list[Raised] = []
    carriers: dict[Speaker, Raised] = {}
    for one in raised:
        speaker = one.line.speaker
        above = carriers.get(speaker)
        if above and above.leaves and CARRIES.match(above.message) and one.head_number - above.number <= FEW_LINES:
            one = replace(one, leaves=True)
        carriers[speaker] = one
        joined.append(one)
    return joined


def with_causes(raised: Iterable[Raised]) -> list[Raised]:
    """Let what led to an exception that ended its process count as having ended it, too."""
    joined: list[Raised] = []
    following: dict[Speaker, Raised] = {}
    for one in reversed(list(raised)):
        speaker = one.line.speaker
        later = following.get(speaker)
        if later and later.follows and later.leaves:
            one = replace(one, leaves=True)
        following[speaker] = one
        joined.append(one)
    return joined[::-1]


def is_name(qualified: str, sure: bool) -> bool:
    """Tell an exception's name from a log level or a word; `sure` asks for a name that no other thing has.

    `Error: ` alone is how programs in any language begin a message.
    Python names the module of all but its own exceptions, which are written large: `epilog: ` names none.
    """
    name = qualified.rsplit(".", 1)[-1]
    if not name or name in LEVELS or name[0].isdigit() or ".." in qualified or (sure and qualified == "Error"):
        return False
    return name.endswith(SURE_ENDINGS) or (not sure and not (qualified == name and name.islower()))


def bare_exception(number: int, start: int, line: Line) -> Raised | None:
    """Read an exception line whose stack is not in the log; only names that end as exceptions' do."""
    match = EXCEPTION.match(line.text)
    if not match or not is_name(match["qualified"], sure=True):
        return None
    qualified, message = match["qualified"], (match["message"] or "").strip()
    name = qualified.rsplit(".", 1)[-1]
    return Raised(number, start, line, number, start, name, qualified, message, (), True, False)
