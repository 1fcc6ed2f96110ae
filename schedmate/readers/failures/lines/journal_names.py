"""Tell whether a journal keeps a job's own output, and under which name: most lines then begin with that name."""

import re
from collections import Counter

from schedmate.readers.failures.lines.steps import is_progress
from schedmate.readers.failures.lines.tracebacks import FRAME
from schedmate.readers.lines import STACK_HEAD
from schedmate.tools.late_patterns import late
from schedmate.tools.logfile import LogFile

SAMPLE_BYTES = 1 << 14
MOST_SHARE = 0.6

TAGGED = re.compile(
    r"(?:\w{3} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\S{2,16}) [\w.-]{1,63} "
    r"(?P<name>[\w./-]{1,48})\[\d{1,9}\]: ?(?P<text>.*)"
)
"""How a journal begins each line: when, on which host, which program."""
PROGRAMS = late(r"(?:python|torchrun|accelerate|deepspeed|mpirun|mpiexec|srun|bash|sh)[\d.]{0,5}|[\w.-]+\.(?:py|sh)")


def own_name(log: LogFile) -> str:
    """Give the name under which a journal keeps the job's own lines; empty where the log is no such journal.

    A daemon's journal bears its name on all lines, too: the job's shows a program's name, steps or a traceback.
    """
    said: Counter[str] = Counter()
    works: set[str] = set()
    lines = 0
    for start in dict.fromkeys((0, log.size // 2, max(0, log.size - SAMPLE_BYTES))):
        for raw in log.window(start, start + SAMPLE_BYTES).split(b"\n")[start > 0 :]:
            lines += bool(raw.strip())
            if match := TAGGED.match(raw[:512].decode("utf-8", "replace")):
                name, text = match["name"], match["text"].strip()
                said[name] += 1
                if name not in works and (is_progress(text) or STACK_HEAD in text or FRAME.match(text)):
                    works.add(name)
        if not said:
            return ""
    name, count = said.most_common(1)[0]
    own = count >= MOST_SHARE * lines and (name in works or PROGRAMS.fullmatch(name) is not None)
    return name if own else ""
