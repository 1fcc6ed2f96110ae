"""Learn from many lines how a whole log is dressed: what stands before nearly every line, and where lines are cut."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, takewhile

from schedmate.readers.lines import visible
from schedmate.readers.prefixes import LOOSE_PREFIXES
from schedmate.readers.progress.lines.columns import find_header
from schedmate.readers.progress.lines.head import message_start
from schedmate.readers.progress.lines.names import has, pieces_of
from schedmate.readers.progress.text.colours import uncoloured
from schedmate.tools.late_patterns import late
from schedmate.tools.plain_text import encodable

SAMPLED_BYTES = 1 << 15
MAX_SAMPLE = 400

MOST = 0.8
"""The share of lines that must begin alike before that is taken for a prefix."""
LEAST_LINES = 3

JUMPS = 2
"""What is seen of a long log: lines at its beginning, and two runs of lines at its end."""
USUAL_WIDTHS = {72, 76, 78, 79, 80, 100, 119, 120, 132, 160}

LEAST_WIDTH, LEAST_CUTS = 60, 4
"""Another width than the usual ones must be met oftener to be believed."""
FEW_LONGER = 4
"""So many times as many lines must be cut amid a word at a width as are longer."""
BORDERS = {"|", "+", *map(chr, range(0x2500, 0x2580))}

WITHIN = re.compile(r"\w[\w.]")
"""What stands on both sides of a cut amid a word or a number."""
OFTEN = 0.7
"""The share of lines of one length behind which the same kind of lines begins."""
HEAD, HEAD_CHARS = 160, 6
LABELLED = 60
PACKED = ('{"log":"', '{"log": "')

CODED = ('\\n"', '\\n",', "\\n'", "\\n',")
"""How a line ends that is text within a notebook's file or a program."""
NUMBERED = (
    re.compile(r" *(\d{1,7})\t(?!-?[\d.])"),
    re.compile(r"(?=[ \d]{6}\t) +(\d{1,5})\t"),
    re.compile(r"[\w./-]{0,80}[A-Za-z][\w./-]{0,80}:(\d{1,7}):"),
)
"""Lines that `cat -n` or `grep -n` has numbered; a table whose first column counts goes on with numbers."""
WORDED = re.compile(r"[^\W\d_]{2}")

LOOSELY_NUMBERED = (re.compile(r"(\d{1,7}):"), re.compile(r" *(\d{1,7})(?:\t| {2})"))
"""Lines that `grep -n` of one file or `nl` has numbered; a counter is printed so too, before lines of one kind."""
OWN_COUNTER = late(r"(?i)\b(?:epoch|step|iter|iteration|batch|update)s?\b\W{0,3}\d")

BARRED = re.compile(r"([│|]) ")
"""A bar before every line, and none within: so a terminal sets off what another program says."""
BRACKETED = re.compile(r"\[((?:[A-Za-z][\w./-]{0,60}?)?\d{1,5}(?::\d{1,3})?)\]:? ")
"""A rank or a machine in brackets, as `[trainer/0]: ` and `[gpu06] `."""
MARKED = re.compile(r"(>{1,6}|[+;*](?= ))[ \t]?")
"""A mark before every line: a line of a comment, a list, a difference or a mail, as which a log was pasted."""
NUMBERINGS = (*NUMBERED, *LOOSELY_NUMBERED)
MAX_PREFIXES = 2

AT_RIGHT = re.compile(r"(?<=\S) {2,200}[\w./-]{1,80}\.py:\d{1,6} *$")
"""The source of a line, which Rich's handler sets at the terminal's right edge."""
LEVELLED = late(r"\b(?:DEBUG|INFO|WARNING|ERROR)\b[^A-Za-z]*(?:[A-Za-z][\w.-]{0,60}[:\]])?[^A-Za-z\d]*$")
SERVICE = re.compile(r"[-_/]\d+(?::\d+)?$")
COUNTED = ("step", "epoch", "loss", "time", "rate", "things")


class Dress:
    """What a log's lines wear; learnt while its training loop is looked for."""

    def __init__(self) -> None:
        self.sample: list[str] = []
        self.prefixes: tuple[re.Pattern[str], ...] = ()
        """One within the other, as a machine's name before a rank."""
        self.ranked: re.Pattern[str] | None = None
        """Which of them tells one process from another."""
        self.label = ""
        """What stands behind the time before every line, as a logger's name does."""
        self.width = 0

    def learn(self, data: bytes) -> None:
        """Look at whole lines of a piece: those at its ends, as long as there is room for more."""
        if len(self.sample) >= MAX_SAMPLE or not data:
            return
        if len(data) > 2 * SAMPLED_BYTES:
            data = data[:SAMPLED_BYTES].rpartition(b"\n")[0] + b"\n\n" + data[-SAMPLED_BYTES:].partition(b"\n")[2]
        rows = [row.lstrip(b"\r").partition(b"\r")[0] for row in data.removesuffix(b"\n").split(b"\n")]
        if len(rows) > MAX_SAMPLE:
            rows = rows[: MAX_SAMPLE // 2] + rows[-MAX_SAMPLE // 2 :]
        self.sample = (self.sample + [uncoloured(row) for row in rows])[-MAX_SAMPLE:]
        told = [line for line in self.sample if line.strip()]
        while len(self.prefixes) < MAX_PREFIXES and (found := common_prefix([self.bare(line) for line in told])):
            labels = {match.group(1) for line in told if (match := found.match(self.bare(line)))}
            if found not in NUMBERINGS and len(labels) > 1:
                self.ranked = found
            self.prefixes = (*self.prefixes, found)
        self.label = self.label or common_label([self.bare(line) for line in told])
        self.width = self.width or cut_at(self.sample)

    def off(self, text: str) -> str:
        """Take off a line what nearly all lines have before their message."""
        if text.startswith(PACKED):
            text = unpacked(text)
        elif ".py:" in text[-LABELLED:]:
            text = AT_RIGHT.sub("", text)
        elif text.endswith(CODED):
            text = text[: text.rindex("\\n")].lstrip().removeprefix('"')
        text = self.bare(text)
        place = text.find(self.label, 0, HEAD) if self.label else -1
        return text[:place] + text[place + len(self.label) :] if place >= 0 else text

    def bare(self, text: str) -> str:
        """Take off a line the prefixes that were learnt."""
        for prefix in self.prefixes:
            if found := prefix.match(text):
                text = text[found.end() :]
        return text

    def rank(self, text: str) -> str:
        """Tell which of several processes wrote a line, where a prefix that was learnt names it."""
        for prefix in self.prefixes if self.ranked else ():
            if found := prefix.match(text):
                if prefix is self.ranked:
                    return found.group(1)
                text = text[found.end() :]
        return ""

    def joined(self, data: bytes) -> tuple[bytes, bytes]:
        """Put lines together that were cut at the width, and give apart the last, whose end is yet to come.

        Empty lines behind a record keep the count.
        """
        out: list[bytes] = []
        record: list[bytes] = []
        *lines, last = data.split(b"\n")  # what a bar's return ends is no line yet, and whole all the same
        for line in lines:
            record.append(line)
            bars = b"\r" in line[:-1]  # drawn anew in one place: nothing was cut there
            if len(line) < self.width or bars or len(visible(line)) != self.width:
                out.append(b"".join(record) + b"\n" * len(record))
                record = []
        if last and not record:
            return b"".join(out) + last, b""
        return b"".join(out), b"".join(line + b"\n" for line in record) + last


def unpacked(text: str) -> str:
    """Give the line that a container runtime has packed into JSON, behind its time."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return text
    inner, when = record.get("log"), record.get("time", "")
    if not isinstance(inner, str) or not isinstance(when, str):
        return text
    return f"{encodable(when)} {visible(encodable(inner))}"


def common_label(lines: Sequence[str]) -> str:
    """Give the words that stand before every message, of whatever kind: they tell nothing of any."""
    if len(lines) <= LEAST_LINES:
        return ""
    messages = [line[message_start(line) :] for line in lines[-LABELLED:]]
    label = re.sub(r"[^\s:\]|)>-]*$", "", common_start(messages).partition("{")[0])  # a record names its values itself
    kinds = {head_mask(message[len(label) :].lstrip()) for message in messages}
    apart = len(kinds) > 1 and any(map(str.isalnum, label))  # a mark alone may stand anywhere before
    name = label.strip(" :|])>-")
    telling = is_progress(name) or has(pieces_of(tuple(name.split())), "other_work")
    head = lines[-1][: message_start(lines[-1])]
    if is_counted(name) and all(message[len(label) :].lstrip()[:1].isdigit() for message in messages):
        return ""  # a counter's name, and each line's number behind it
    if label.count("[") > label.count("]"):
        return ""  # the first of several numbers in brackets
    return label if apart and (LEVELLED.search(head + label) or not telling) else ""


def common_start(texts: Sequence[str]) -> str:
    """Give what all texts begin with."""
    first, last = min(texts), max(texts)
    return first[: sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))]


def common_prefix(lines: Sequence[str]) -> re.Pattern[str] | None:
    """Give the launcher's prefix that nearly all lines begin with; a counter or a name of progress is none."""
    for pattern in NUMBERINGS:
        numbers = [int(numbered.group(1)) for line in lines if (numbered := pattern.match(line))]
        heads = (line[:HEAD] for line in lines)  # as far as is searched: a line may be thousands of digits
        worded = any(WORDED.search(pattern.sub("", head, 1)) for head in heads)  # a table's first column heads no words
        apart = pattern in NUMBERED or kinds_behind(pattern, lines) >= LEAST_LINES or numbers_lines(pattern, lines)
        if LEAST_LINES < len(lines) == len(numbers) and worded and apart and is_numbering(numbers):
            return pattern
    for pattern in (*LOOSE_PREFIXES, BRACKETED, BARRED, MARKED):
        found = [match for match in map(pattern.match, lines) if match]
        labels = [match.group(1) for match in found]
        least = 1 if labels and SERVICE.search(labels[0]) else LEAST_LINES
        if len(found) < max(least, len(lines) if pattern is MARKED else MOST * len(lines)):
            continue
        apart = pattern is not BRACKETED or kinds_behind(pattern, lines) > 1
        if pattern is BARRED and sum(line[:1] in line[2:] for line in lines) > len(lines) * (1 - MOST):
            continue  # a table
        if is_label(labels) and apart and not is_progress(labels[0]):
            return pattern
    return None


def numbers_lines(pattern: re.Pattern[str], lines: Sequence[str]) -> bool:
    """Tell numbers that count lines and no steps: a heading has one too, or each line names a counter of its own."""
    rest = [line[found.end() :] for line in lines if (found := pattern.match(line))]
    headed = bool(rest) and find_header(rest[0]) is not None
    headed = headed or any(not any(char.isdigit() for char in text) and WORDED.search(text) for text in rest)
    own = sum(OWN_COUNTER.search(text) is not None for text in rest)
    return headed or 2 * own > len(rest)


def kinds_behind(pattern: re.Pattern[str], lines: Sequence[str]) -> int:
    """Count the kinds of lines by how they go on behind a prefix."""
    return len({head_mask(line[found.end() :].lstrip()) for line in lines if (found := pattern.match(line))})


def is_numbering(numbers: Sequence[int]) -> bool:
    """Tell whether lines are numbered as an editor or `cat -n` does: by one, in the pieces of the log that are seen."""
    strides = [later - earlier for earlier, later in pairwise(numbers)]
    return numbers[0] == 1 and sum(stride == 1 for stride in strides) >= len(strides) - JUMPS and min(strides) > 0


def is_counted(label: str) -> bool:
    """Tell whether a label is what steps or passes are called."""
    told = pieces_of(tuple(label.split()))
    return any(has(told, kind) for kind in ("step", "epoch"))


def is_progress(label: str) -> bool:
    """Tell whether a label may be the name of a value; a machine or service may be called trainer-1."""
    told = pieces_of((re.sub(r"\d+", "", label),))
    kinds = COUNTED if SERVICE.search(label) else (*COUNTED, "training", "evaluation", "learning")
    return any(has(told, kind) for kind in kinds)


def is_label(labels: Sequence[str]) -> bool:
    """Tell whether what lines begin with names their writer: always the same, or a few in turn."""
    distinct = set(labels)
    falls = sum(later < earlier for earlier, later in pairwise(labels))
    return len(distinct) == 1 or (2 * len(distinct) <= len(labels) and falls >= 2)


def cut_at(lines: Sequence[str]) -> int:
    """Give the width at which a terminal has cut all lines; nought where nothing was cut."""
    width = max(map(len, lines), default=0)
    if width < LEAST_WIDTH:
        return 0
    if is_width(width, lines):
        return width
    often, times = Counter(len(line) for line in lines if len(line) >= LEAST_WIDTH).most_common(1)[0]
    longer = sum(len(line) > often for line in lines)  # who made names in a log unknown made a few lines longer
    ends = [line[-1] + after[:1] for line, after in pairwise(lines) if len(line) == often]
    words = sum(WITHIN.match(one) is not None for one in ends)
    return often if max(longer * FEW_LONGER, times / 2) <= words and is_width(often, lines) else 0


def is_width(width: int, lines: Sequence[str]) -> bool:
    """Tell whether lines were cut at a width: what follows those that are as long begins as no other line does."""
    pairs = [pair for pair in pairwise(lines) if not is_rule(pair[0])]
    full = [(line, after) for line, after in pairs if len(line) == width and not is_rule(after)]
    if full and all(is_framed(line) for line, _ in full):
        return False  # the rows of a table end where it does
    cuts = [(line, after) for line, after in full if not AT_RIGHT.search(line)]
    begins = {head_mask(lines[0]), *(head_mask(after) for line, after in pairs if len(line) < width)}
    anew = sum(head_mask(after) in begins or head_mask(after) == head_mask(line) for line, after in cuts)
    torn = sum(is_torn(line, after) for line, after in cuts)
    kinds = Counter(head_mask(after) for _, after in cuts)  # what is cut goes on in many ways, a kind of lines in one
    capital = [head_mask(after) for line, after in cuts if after[0].isupper() and not line[-1].isspace()]
    if capital and max(Counter(capital).values()) > OFTEN * len(cuts):
        return False  # nothing is cut before a capital each time
    usual = width in USUAL_WIDTHS and (torn >= 1 or (len(cuts) >= LEAST_LINES and len(kinds) > 1))
    return (usual or torn >= LEAST_CUTS) and anew <= 0.3 * len(cuts)


def is_torn(line: str, after: str) -> bool:
    """Tell whether a line ends amid a word or number, or awaits a value."""
    return not (line[-1].isspace() or after[0].isspace()) or line.rstrip()[-1:] in set(":=,(")


def is_framed(line: str) -> bool:
    """Tell a line of a table that is drawn with borders."""
    return line[:1] in BORDERS and line.rstrip()[-1:] in BORDERS


def is_rule(line: str) -> bool:
    """Tell whether a line is empty, or drawn of one character."""
    return len(set(line.strip())) < 2


def head_mask(line: str) -> str:
    """Give how a line begins, whatever its digits."""
    return re.sub(r"\d+", "0", line[: 2 * HEAD_CHARS])[:HEAD_CHARS]
