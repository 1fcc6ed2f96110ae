"""Tell the lines of a stack from what a program says: a call, the source under it, and a compiler's listing state
nothing.
"""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import islice

import re2

from schedmate.readers.failures.lines.line_cleaner import Cleaner
from schedmate.readers.failures.lines.tracebacks import FRAME, Raised, bare_exception
from schedmate.readers.failures.sightings.loudness import is_hardware
from schedmate.readers.failures.sightings.scan import SURE_WEIGHT
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.lines import Speaker
from schedmate.tools.logfile import LogFile

Spans = dict[Speaker, tuple[list[int], list[int], set[int]]]
"""For each process where its tracebacks begin, how far those up to each one reach, and where each exception stands."""

CODE_INDENT, BEFORE_BYTES = 4, 1 << 12
"""How far Python moves the source under a call in, and how long a call's line may be."""

NATIVE_CALL = re2.compile(r"^(?:frame )?#\d{1,3}:? (?:0x[0-9a-f]+ |\w*[:<(])|^@ +0x[0-9a-f]+ |^\[bt\] \(\d+\)")
"""How native run times write a call: torch, gdb, glog, dmlc."""
JULIAS_CALL = re2.compile(
    r"^\[\d{1,3}\] (?:top-level scope\b|macro expansion\b|[^ ]{0,200}\([\w#!]{0,60}::|\S{1,200} at \S+:\d)"
    r"|^@ (?:[A-Z]\w*(?:\.\w+)* )?\S+\.jl:\d"
)
"""How Julia writes a call with the types that it was made for, and from 1.6 on where that stands, below it."""
ANY_STACK_HEAD = re2.compile(r"\(most recent call (?:last|first)\):?$")
"""How a stack is announced, in whatever words: what a machine reports before that is a fact of its own."""
LISTING = re2.compile(
    r"^(?:ROOT )?%[\w.#:$-]+(?:, ?%[\w.#:$-]+){0,8} = \S"
    r"|^(?:arith|affine|builtin|cf|func|gpu|linalg|llvm|memref|mhlo|nvgpu|nvvm|rocdl|scf|stablehlo|tensor|tt|ttg"
    r"|triton_gpu|triton_nvidia_gpu|vector)\.\w+[ (\"]"
    r"|^tl\.device_(?:assert|print)\(|^T\.(?:Assert|evaluate|func_attr|call_\w+)\("
    r"|^(?:call|invoke|tail call) (?:void|i\d+|ptr) @"
)
"""Statements of what compilers print of a program: MLIR, HLO, LLVM, Triton's and TVM's own languages."""


def is_of_a_stack(item: Sighting, log: LogFile, cleaner: Cleaner) -> bool:
    """Tell a call of a stack, or the source that Python prints under one, its head in the log or not."""
    text = item.line.text
    if is_call(text):
        return True
    if ANY_STACK_HEAD.search(text):
        return not is_hardware(item)
    if item.line.indent < CODE_INDENT:
        return False
    before = islice(log.lines_backward(item.start, max(0, item.start - BEFORE_BYTES)), 1)
    return any(FRAME.match(cleaner.take(raw).text) for raw in before)


def is_call(text: str) -> bool:
    """Tell how a run time writes a call, or a compiler a statement."""
    return bool(FRAME.match(text)) or any(told.search(text) for told in (NATIVE_CALL, JULIAS_CALL, LISTING))


def spans_of(raised: Iterable[Raised]) -> Spans:
    """Give for each process where its tracebacks begin, in order, and how far those up to each one reach."""
    spans: Spans = {}
    for item in sorted(raised, key=lambda one: one.head_number):
        heads, reach, stated = spans.setdefault(item.line.speaker, ([], [], set()))
        heads.append(item.head_number)
        reach.append(max(item.number, reach[-1] if reach else 0))
        if item.head_number < item.number:  # what stands in one line with a whole stack may tell why
            stated.add(item.number)
    return spans


def in_a_span(item: Sighting, spans: Spans) -> bool:
    """Tell whether a line lies within a traceback of its process."""
    heads, reach, stated = spans.get(item.line.speaker, ([], [], set()))
    before = bisect_right(heads, item.number)
    within = before > 0 and item.number <= reach[before - 1]
    return within and (item.number in stated or not is_foreign(item))


def is_foreign(item: Sighting) -> bool:
    """Tell what another process printed between the lines of a stack where no line says whose it is: not moved in, no
    exception, and an entry knows it for a cause.
    """
    failure = item.failure
    if failure is None or item.line.indent or failure.general or failure.wording or failure.role != "root":
        return False
    return failure.weight >= SURE_WEIGHT and bare_exception(item.number, item.start, item.line) is None
