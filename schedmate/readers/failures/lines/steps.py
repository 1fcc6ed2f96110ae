"""Tell whether a line shows that the job was getting on, and where it last did."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

import re2

from schedmate.readers.failures.lines.line_cleaner import cleaned
from schedmate.readers.lines import NOBODY, NOT_KNOWN, Line, Own, Speaker, clean
from schedmate.readers.stamps import read_stamp
from schedmate.tools.late_patterns import late, late_re2
from schedmate.tools.logfile import LogFile
from schedmate.tools.raw_lines import split_backward, split_lines

NUMBER = r"[-+]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?"
COUNTER = re2.compile(
    r"(?i)\b(?:global[_ ]?step|train[_ ]?step|step|iteration|iter|epoch|update|batch|episode|timesteps?|num_updates|"
    r"consumed samples|total_timesteps)s?\b(?:\((?:train|val|test)\))?[\s:=#\[(|'\"]{0,12}\d[\d,]*"
    r"|\[ *\d+/\d+ \( *\d{1,3}%\)\]|\bep?\d{1,5}[ ,/|:]{1,3}(?:b|i|s|it|st)\d{1,9}\b"
)
METRIC = re2.compile(
    r"(?i)(?:\b|_)(?:loss[\w/]*|ppl|perplexity|acc(?:uracy)?|top-?1|bleu|f1|auc|map|miou|reward\w*|return|score|lr|"
    r"learning[_ ]rate|grad[_ ]?norm|gnorm|throughput|tflops|samples per second|elapsed time per iteration|eta|mfu|"
    r"wps|fps|ips|data_time|batch_time|time|speed)\b(?: (?:now|is|was|at|of))?[\s:=|'\"(\[]{1,6}" + NUMBER
)

MEASURES = re2.compile(r"(?:\b[A-Za-z_]\w{0,40}['\"]?[ :=]{1,4}[-+]?\d+\.\d+(?:e[-+]?\d+)?\b[^\d]{0,40}?){2}")
"""Two figures with their names: beside a counter they are what was measured, whatever it is."""
LOSS = late_re2(r"(?i)loss\b['\"]?[ :=]{1,4}" + NUMBER)
RATE = re2.compile(
    r"(?i)\d\s?(?:it/s|s/it|iters?/s|steps?/s(?:ec)?|samples?/s(?:ec)?|tok(?:ens)?/s(?:ec)?|img/s|images?/s(?:ec)?|"
    r"ms/step|s/step|s/epoch|examples/s(?:ec)?)\b"
    r"|\b(?:steps|samples|tokens|examples|images)_per_sec(?:ond)?\b[:= ]{1,3}\d"
)
TABLE_ROW = re2.compile(r"^\| {1,8}(?:total_timesteps|iterations|n_updates|fps|time_elapsed) *\| \d[\d.e+]* *\|$")

DONE_OF = re2.compile(
    r"(?i)\b(?:completed|finished|done) {1,3}(?:with )?\d[\d,]* ?(?:out of|of|/) ?\d[\d,]* "
    r"(?:time ?steps|steps|iterations|iters|epochs|batches|updates)\b"
)
"""How simulations say in words how far they are: that alone is progress."""
BAR = re2.compile(r"\d{1,3}%\|[^|]{0,300}\| ?[\d.,kMG]+/[\d.,kMG?]+ \[|\b\d+/\d+ \[[=>.\-#]{5,}\]")
NOT_PROGRESS = re2.compile(
    r"(?i)\berror\b|exception|traceback|time(?:d[ _-]?)?out|\bfail(?:s|ed|ing|ures?)?\b"
    r"|watchdog|abort|warn|\bXid\b|\bhost\b"
)

TALLIES = re2.compile(
    r"(?:^|[|,;] {0,8})(?:failed|failures?|errors?|aborted|skipped) ?[:=] {0,8}\d+ {0,8}(?:[|,;]|$)"
    r"|\"\w{0,40}(?i:errors?|failed|failures?|aborted|skipped|timeouts?|warnings?|exceptions?)(?:_\w{1,20})?\" ?: ?"
    r"\d{1,12}[,}]"
    r"|\b[A-Za-z][\w-]{0,40} [Ee]rror ?[:=] {0,8}-?\d+\.\d+(?:e[-+]?\d+)?%? {0,8}(?:[|,;]|$)"
)
"""A cell of a report that counts what failed so far, and a measure that is called an error."""
NAMED_FIGURES = re2.compile(
    r"['\"]?\b(?:\w{0,40}(?:errors?|time_?outs?|fail|abort|warn|exceptions?)\w{0,30}['\"]? ?[:=] ?"
    r"|\w{1,40}_(?:errors?|time_?outs?|fail\w{0,8}|aborted|warnings?|exceptions?) "
    r"|(?:error|time_?out|failed|failure|aborted|warning|exception)s?_\w{1,30} )-?\d+(?:\.\d+)?\b"
)
"""A figure whose name has such a word, as one among others of a report: `timeouts_total=3`."""
ARGUMENTS = re2.compile(
    r"\b(?:Namespace|\w*(?:Args?|Arguments?|Config(?:uration)?|HParams|Options|Settings))\(\w+="
    r"|[ '\"\[]--[A-Za-z][\w-]{1,60}(?:[ =]|', ')[^ ]{1,200} ['\"]?--[A-Za-z]"
)
"""How a program prints what it was told, or another one's command: `epochs=10` and `lr=0.1` in there are no step."""
HINT = re2.compile(
    rb"(?i)step|iter|epoch|loss|it/s|s/it|/s\b|%\||\d/\d+ \[|episode|reward|update|_per_sec|\d%\)|fps|batch"
)
FIGURE = late(r"\d+(?:\.\d+)?")
MEASURE = late(r"(?:(?<=[\s=:(,])[-+])?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3})?")

OF_RANKS = re.compile(r"[\[(](?:rank|RANK|Rank)[ :=_-]?\d{1,6}/\d{1,6}[\])]")
"""Which of how many processes reports: no counter."""
CLOCKS = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?")
DATED = re.compile(r"\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S{0,12}")

COUNTED = re.compile(
    r"(?i)(?:step|iteration|iter|epoch|update|batch|episode|timestep|samples|num_updates|\)|\])s?\b[\s:=#\[(|'\"]{0,12}"
    r"(\d[\d,]*(?:\.\d+)?(?:[/ ]{1,10}\d[\d,]*)?)|(\d+/\d+)"
)
"""The counters of a step, without the loss and the speed that stand beside them."""

COUNT = late(r"(\d[\d,]*(?:\.\d+)?)(?: *(/)[/ ]*(\d[\d,]*))?")

OBJECTS = late(r"(?i)\bmis-?match|\bmissing\b|\bunexpected\b|\bexpect(?:s|ed)\b|\binstead of\b")
"""What is said of each layer or row that does not fit: its numbers rise as a counter's do."""
TRIES = late(r"(?i)\bretr|\battempt|\bwait(?:ing|ed)?\b|\bkill(?:ed|ing)?\b|\bterminat|\bsignal\b|\bexit")

NUMBERED = late(
    r"\b(?:[A-Za-z]\w{0,40}-){0,5}(?!(?i:steps?|iter\w{0,8}|epochs?|batch|updates?|episodes?)-)[A-Za-z]\w{0,40}-\d{1,6}\b"
)
"""A name with a number, as of a host or a pod: it counts nothing, although names in turn rise in even strides."""

LOGGERS = late(r"^(?:\[[^\]]{1,100}\] ?|[A-Z]{1,8} +|[\w.]{1,60}:\d{1,6}\]?:? ?|--? |: ){1,6}")
"""What a logger puts before a report, its level and the place in its code: that may differ from one to the next."""
LEAST_REPORTS, MOST_FIGURES, EVEN = 12, 12, 0.8
"""How many lines of one form make a stream, how many figures they may have, how many strides must be the usual one."""

PARTS_OF_A_HOST = frozenset(map(float, range(16)))
"""By what numbers the GPUs and processes of one host go."""

CHUNK_BYTES = 1 << 16
LAST_LINES = 1500
LEAST_OF_A_PART, MOST_OF_A_PART, CHUNK_OF_A_PART = 24, 160, 1 << 12

MOST_LINES = 4096
"""How many lines of progress are looked at for distinct steps: hundreds of ranks may print each of them."""


@dataclass(frozen=True, slots=True)
class StepMark:
    """The last line that shows one step; what ranks and redrawn bars repeat of it is the same step."""

    start: int
    step: tuple[str, ...]
    rank: int | None = None
    time_s: float | None = None
    """by a clock that counts from 1970; None where the line tells no date"""
    length: int = 0
    """how many characters were printed for it"""
    speaker: Speaker = NOBODY
    """whose counter it is, where that is all that is known of the job's steps"""


def is_progress(text: str) -> bool:
    """Tell a training, evaluation or loading step from any other line."""
    raw = text.encode()  # once: RE2 would do so for each pattern
    if BAR.search(raw) or TABLE_ROW.search(raw):
        return True
    if tells_of_trouble(text):
        return False
    if DONE_OF.search(raw):
        return True
    counts, measured = COUNTER.search(raw) is not None, MEASURES.search(raw) is not None
    signs = counts + bool(METRIC.search(raw)) + bool(RATE.search(raw))
    step = signs >= 2 or (measured and (counts or LOSS.search(raw) is not None))
    return step and not ARGUMENTS.search(raw)


def tells_of_trouble(text: str) -> bool:
    """Tell words that no step has, other than as the name of a figure."""
    if not NOT_PROGRESS.search(text):
        return False
    return bool(NOT_PROGRESS.search(NAMED_FIGURES.sub("|", TALLIES.sub("|", text))))


def step_of(text: str) -> tuple[str, ...]:
    """Take the counters of a line without its clocks, which move while the job stands still; all figures else."""
    still = CLOCKS.sub("", OF_RANKS.sub("", text))
    counted = tuple(first or second for first, second in COUNTED.findall(still)[:4])
    return counted or tuple(FIGURE.findall(still)[:6])


def counts_of(step: Sequence[str]) -> list[tuple[float, float | None]]:
    """Give how far each counter of a step is, and of how much where it tells: 200/1,000 is 200 of 1000."""
    matches = (COUNT.match(part) for part in step)
    return [(plain(match[1]), plain(match[3]) if match[3] else None) for match in matches if match]


def plain(number: str) -> float:
    """Read a number that may have commas."""
    return float(number.replace(",", ""))


def mark_of(line: Line, start: int) -> StepMark:
    """Make a mark of a cleaned line."""
    time_s = line.time_s if line.clock == "epoch" else time_within(line.text)
    return StepMark(start, step_of(line.text), line.rank, time_s, len(line.text))


def time_within(text: str) -> float | None:
    """Read the date and time that a structured line carries among its fields."""
    found = DATED.search(text)
    stamp = read_stamp(found[0]) if found else None
    return stamp.time_s if stamp else None


def marks_in(
    log: LogFile, start: int, end: int, year: int = 1970, own: Own = NOT_KNOWN, *, forward: bool = False
) -> Iterator[StepMark]:
    """Give the progress in a range, from its end; they are not numbered: that would mean reading all before."""
    data = log.window(start, end)
    if not HINT.search(data):
        return
    for line in (split_lines if forward else split_backward)(data, 0, start):
        if HINT.search(line.raw) and is_progress((told := cleaned(line.raw, year, own)).text):
            yield mark_of(told, line.start)


def has_progress(log: LogFile, start: int) -> bool:
    """Tell whether any line of one chunk shows progress."""
    return next(marks_in(log, start, start + CHUNK_BYTES), None) is not None


def last_marks(
    log: LogFile, year: int = 1970, own: Own = NOT_KNOWN, wanted: int = 160, part: tuple[int, int] | None = None
) -> list[StepMark]:
    """Give the last steps of a log, or of a part, in order, each with the last line that shows it.

    Progress is monotone: it stands everywhere before the failure and nowhere after it. So a long log is halved until
    the last chunk that holds progress is found, and only from there on it is read line by line, backward.
    """
    first, high = part or (0, log.size)
    low = first
    while high - low > 4 * CHUNK_BYTES:
        middle = (low + high) // 2
        probes = (middle + 2 * (high - middle) // 3, middle + (high - middle) // 3, middle)
        found = next((probe for probe in probes if has_progress(log, probe)), None)
        low, high = (low, middle) if found is None else (found, high)
    marks: dict[tuple[str, ...], StepMark] = {}
    seen, last = 0, None
    chunk = CHUNK_OF_A_PART if part else CHUNK_BYTES
    for end in range(high, max(first, low - 2 * CHUNK_BYTES), -chunk):
        for mark in marks_in(log, max(first, end - chunk), end, year, own):
            known = marks.setdefault(mark.step, mark)
            if known is not mark and known.rank == mark.rank and mark.step == last:  # one epoch counts as the next does
                marks[mark.step] = replace(known, length=known.length + mark.length)
            last = mark.step
            seen += 1
            if len(marks) == wanted or seen == MOST_LINES:
                return list(marks.values())[::-1]
    return list(marks.values())[::-1]


def marks_of_parts(log: LogFile, places: Sequence[int], year: int = 1970, own: Own = NOT_KNOWN) -> list[StepMark]:
    """Give the last steps of each of the files that a log joins."""
    edges = [0, *places, log.size]
    wanted = max(LEAST_OF_A_PART, min(MOST_OF_A_PART, MOST_LINES // len(edges)))
    parts = ((start, end) for start, end in pairwise(edges) if end > start)
    return [mark for part in parts for mark in last_marks(log, year, own, wanted, part)]


def marks_of_known_formats(log: LogFile, wanted: int = 64) -> list[StepMark]:
    """Look among the last lines for formats that the tracker knows: slower, for logs that seem to have no progress."""
    from schedmate.readers.progress.lines.formats import known_formats, match_formats

    marks: dict[tuple[str, ...], StepMark] = {}
    for line in islice(log.lines_backward(), LAST_LINES):
        cleaned = clean(line.raw)
        if not NOT_PROGRESS.search(cleaned.text) and match_formats(known_formats(), cleaned.text):
            mark = mark_of(cleaned, line.start)
            marks.setdefault(mark.step, mark)
            if len(marks) == wanted:
                break
    return list(marks.values())[::-1]


def marks_of_counters(log: LogFile, year: int = 1970, own: Own = NOT_KNOWN) -> list[StepMark]:
    """Take for steps the lines of one form in which a whole number rises in even strides beside figures that waver."""
    forms: dict[str, list[tuple[int, Line, list[str]]]] = defaultdict(list)
    for raw in islice(log.lines_backward(), LAST_LINES):
        line = cleaned(raw.raw, year, own)
        still = NUMBERED.sub("", CLOCKS.sub("", LOGGERS.sub("", line.text)))
        figures = MEASURE.findall(still)
        aside = tells_of_trouble(line.text) or TRIES.search(line.text) or OBJECTS.search(line.text)
        if 2 <= len(figures) <= MOST_FIGURES and not aside:
            forms[" ".join(MEASURE.sub("#", still).split())].append((raw.start, line, figures))
    streams = (rows[::-1] for rows in forms.values() if len(rows) >= LEAST_REPORTS)
    counted = [(rows, column) for rows in streams if (column := counter_in([row[2] for row in rows])) is not None]
    rows, column = max(counted, key=lambda found: len(found[0]), default=([], 0))
    return [
        replace(mark_of(line, start), step=(figures[column],), speaker=line.speaker) for start, line, figures in rows
    ]


def counter_in(rows: Sequence[Sequence[str]]) -> int | None:
    """Find the figure that counts: whole, rising in even strides, while another one goes up and down.

    One that goes round the parts of a host, as its GPUs, names what was measured.
    """
    columns = [[float(figure) for figure in column] for column in zip(*rows, strict=True)]
    strides = [[after - before for before, after in pairwise(column)] for column in columns]
    if not any(min(steps) < 0 < max(steps) for steps in strides):
        return None
    for number, steps in enumerate(strides):
        usual, times = Counter(steps).most_common(1)[0]
        whole = usual > 0 and usual.is_integer() and columns[number][0].is_integer()
        round_parts = min(steps) < 0 and set(columns[number]) <= PARTS_OF_A_HOST
        if whole and not round_parts and times >= EVEN * len(steps):
            return number
    return None
