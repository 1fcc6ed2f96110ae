"""Tell what was printed before a fault and reached the log after it: a process hands over its buffer as it dies."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice

import re2

from schedmate.readers.failures.lines.steps import CHUNK_BYTES, StepMark, counts_of, has_progress, marks_in
from schedmate.readers.failures.lines.tracebacks import bare_exception
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.loudness import is_root
from schedmate.readers.failures.sightings.scan import SURE_WEIGHT
from schedmate.readers.failures.sightings.sighting import QUITS, Sighting
from schedmate.readers.lines import NOBODY, visible
from schedmate.tools.late_patterns import late, late_re2

BUFFER_CHARS = 8192
"""What a program holds back where its output is no terminal."""
NEAR_LINES, NEAR_BYTES, DIFFERENT_ZONE_S = 24, 1 << 13, 25 * 60.0
NEXT_LINES = 400
BEFORE_BYTES = 1 << 20
LAUNCHER = re2.compile(r"^(?:srun: error|slurmstepd: error|mpirun|mpiexec|prterun)\b")

KNOWN_STEPS, MOST_BUFFERS = 100, 8
"""From so many steps on there may be more before them, that nobody looked at; some buffers may lie between."""
FEW_STEPS, MOST_STEPS, MOST_ENDS, FAR_BYTES = 3, 64, 64, 1 << 18
"""As many may be printed while one process after the other ends."""
ENDS_AT_LAST, ENDS_BEFORE = 2, 3
"""Of how many processes an end is that of the job; a launcher's word of one counts for two."""
NEARLY = 0.95
"""Of a run's steps the last ones may not be printed."""
NATIVE_END = late_re2(
    r"^=+ ?backtrace \(tid|Process received signal|\bCaught signal \d|^terminate called|^Fatal Python error"
    r"|\(core dumped\)"
)
"""How a process prints that it dies of what a library of it has just said."""
BY_GLIBC = (
    r"\*\*\* Error in [`'].{1,200}': |(?:free|malloc|realloc|munmap_chunk)\(\): (?:invalid|double|corrupt|unaligned)"
    r"|double free or corruption \(|corrupted (?:size vs\. prev_size|double-linked list)|\*\*\* \w+ \w+ detected \*\*\*"
)
"""How the C library begins to say what it ends a process for: memory that it finds destroyed."""
FIRST_LAST_WORD = re2.compile(
    rf"^(?:\[[\w.-]{{1,63}}:\d{{1,8}}\] {{1,4}})?(?:terminate called |{BY_GLIBC})|^Fatal Python error: "
)
"""What is said once of each process that ends so."""
LAST_WORDS = re2.compile(rf"{FIRST_LAST_WORD.pattern}|^(?:\[[\w.-]{{1,63}}:\d{{1,8}}\] {{1,4}})?what\(\): ")
"""What the run times of C, C++ and Python say of a process that they end."""
NATIVE_LINES = 4

HOOKED, RANKED = late(rb"\[rank\d{1,6}\]: Traceback \("), late(rb"\[rank\d{1,6}\]")
"""How torch's hook for uncaught exceptions begins, and how the lines of a program that names its rank everywhere."""
MISSING = late(r"^(?:ModuleNotFound|Import)Error$")

AT_ONCE = late_re2(r"\d{1,3}%\||^.{0,60}\b(?:INFO|DEBUG|info|debug)\b")
"""What is no program's buffer: bars go to the stream of errors, and loggers hand on each line."""


def printed_in_time(own: FailureReading) -> tuple[StepMark, ...]:
    """Leave out the steps that stand behind the end of several processes, and that their buffers held.

    A process that ends after the others may hand its buffer over in between: more of them must have ended before it.
    """
    ends = ends_in(own) if not own.parts else []
    until = len(ends)
    for enough in (ENDS_AT_LAST, ENDS_BEFORE):
        first = ended_together(own, ends, until)
        late = [mark for mark in own.marks if until and mark.start > ends[first]]
        if late and until - first >= enough:
            held = fits_a_buffer(late) and not are_more_than_known(late, ends[first], own)
            return tuple(mark for mark in own.marks if mark.start < ends[first]) if held else own.marks
        until = first
    return own.marks


def ended_together(own: FailureReading, ends: Sequence[int], until: int) -> int:
    """Go back from an end to the first of those with hardly a step between them."""
    first = max(0, until - 1)
    while first > max(0, until - MOST_ENDS) and steps_between(own, ends[first - 1], ends[first]) < FEW_STEPS:
        first -= 1
    return first


def ends_in(own: FailureReading) -> list[int]:
    """List where processes ended: by an exception, in native code, by what they say where a peer has died of one just
    before, or by a launcher's word, which names one that had ended before.
    """
    ends = [one.start for one in own.findings.raised if one.leaves and not one.follows]
    ends += [item.start for item in own.findings.sightings if FIRST_LAST_WORD.search(item.line.text)]
    ends.sort()
    told = [item.start for item in own.findings.sightings if is_launchers_word(item)]
    return sorted(start for start in (*ends, *told, *told, *followers(own, ends)) if own.attempt.holds(start))


def followers(own: FailureReading, ends: Sequence[int]) -> Iterator[int]:
    """Give the exceptions without a stack by which others say that a peer is gone, with no step since it ended."""
    for item in own.findings.sightings:
        if item.failure is None or "peer" not in item.failure.after:
            continue
        before = bisect_left(ends, item.start)
        if before and bare_exception(item.number, item.start, item.line) and not has_step(own, ends[before - 1], item):
            yield item.start


def has_step(own: FailureReading, end: int, item: Sighting) -> bool:
    """Tell whether a step stands between an end and a line."""
    return any(end < mark.start < item.start for mark in own.marks)


def is_launchers_word(item: Sighting) -> bool:
    """Tell a launcher's line that says how a process ended, and not why."""
    return item.failure is not None and item.failure.role == "cascade" and bool(LAUNCHER.search(item.line.text))


def steps_between(own: FailureReading, start: int, end: int) -> int:
    """Count the steps in a part of a log, up to a few; what is far apart has many between."""
    if own.marks and own.marks[0].start <= start:
        return sum(start < mark.start < end for mark in own.marks)
    if end - start > FAR_BYTES:
        return FEW_STEPS
    return len({mark.step for mark in islice(marks_in(own.log, start, end), MOST_STEPS)})


def steps_after(item: Sighting, own: FailureReading) -> list[StepMark]:
    """Give the steps that stand behind a line and were not, by the clock, made before it.

    Those in other files that were joined with its own are later by their clock alone.
    """
    after = [mark for mark in own.later_marks(item) if not counts_for_another(mark, item)]
    if own.parts and item.line.time_s is not None and item.line.clock == "epoch":
        part, said_s = own.part_of(item.start), item.line.time_s
        after += [mark for mark in own.marks if not part.holds(mark.start) and (mark.time_s or 0.0) > said_s]
    if not after:
        return []
    since_s = time_of(item, own)
    return [mark for mark in after if not went_before(mark, item, since_s)]


def counts_for_another(mark: StepMark, item: Sighting) -> bool:
    """Tell a counter of another process, such as one that prepares data: it says nothing of what others wait for.

    What rank 0 counts it counts for all ranks.
    """
    spoken = item.line.speaker
    for_all = mark.speaker[0] == 0 and item.line.rank is not None
    return NOBODY not in (mark.speaker, spoken) and mark.speaker != spoken and not for_all


def went_before(mark: StepMark, item: Sighting, since_s: float | None) -> bool:
    """Tell a step that was printed late; clocks of lines near by may be those of another time zone.

    What has no stamp was not said before the last one in front of it: a step of that very moment went before, too.
    """
    if since_s is None or mark.time_s is None:
        return False
    own_clock = item.line.clock == "epoch"
    late_s = since_s - mark.time_s
    if not late_s:
        return not own_clock
    return 0 < late_s < (24 * 3600 if own_clock else DIFFERENT_ZONE_S)


def time_of(item: Sighting, own: FailureReading) -> float | None:
    """Give a line's own time, else the latest stamp on the lines before it: it was not printed before those."""
    if item.line.time_s is not None and item.line.clock == "epoch":
        return item.line.time_s
    head = item.begins
    lowest = max(own.part_of(head).start, head - NEAR_BYTES)
    before = map(own.cleaner.take, islice(own.log.lines_backward(head, lowest), NEAR_LINES))
    return max((line.time_s for line in before if line.time_s is not None and line.clock == "epoch"), default=None)


def in_buffer_reach(item: Sighting, own: FailureReading) -> bool:
    """Tell whether all steps after a line may have lain in a process's buffer when it died."""
    after = own.later_marks(item)
    if are_more_than_known(after, item.start, own):
        return False
    return bool(after) and fits_a_buffer(after)


def are_more_than_known(after: Sequence[StepMark], place: int, own: FailureReading) -> bool:
    """Tell steps so many that there were others before them, which nobody kept: with those they fit no buffer."""
    if len(after) < KNOWN_STEPS:
        return False
    if after[-1].start - place > MOST_BUFFERS * BUFFER_CHARS:
        return True
    return not fits_a_buffer([*marks_in(own.log, place, after[0].start), *after])


def fits_a_buffer(marks: Sequence[StepMark]) -> bool:
    """Tell whether a buffer holds so many steps."""
    return sum(mark.length for mark in marks) <= BUFFER_CHARS


def had_got_on(item: Sighting, own: FailureReading) -> bool:
    """Tell whether the job had made progress before a line."""
    if any(own.parts or mark.start < item.start for mark in own.marks):
        return True
    lowest = max(own.part_of(item.start).start, item.start - BEFORE_BYTES)
    chunks = range(item.start - CHUNK_BYTES, lowest - CHUNK_BYTES, -CHUNK_BYTES)
    return any(has_progress(own.log, max(0, start)) for start in chunks)


def was_driver(item: Sighting, own: FailureReading) -> bool:
    """Tell an exception of the program that printed all others' lines: what stands behind it is only handed on."""
    if item.line.speaker != NOBODY:
        return False
    after = islice(map(own.cleaner.take, own.log.lines(item.start, own.part_of(item.start).end)), 1, 1 + NEXT_LINES)
    spoken = [line.pid is not None for line in after]
    return bool(spoken) and all(spoken)


def was_the_program(item: Sighting, own: FailureReading) -> bool:
    """Tell an exception that nothing caught: torch's hook says so by a prefix that no other line bears, or it came
    out at the top of the only program, which had more to do. What a file imports may be done without.
    """
    raised = item.raised
    if raised is None or not raised.leaves:
        return False
    after = own.later_marks(item)
    if not after or went_on_by_its_clock(item, after) or went_on_at_once(after, own):
        return False
    head = own.log.line_at(raised.head_start).raw
    if HOOKED.search(head):
        return not RANKED.search(own.log.line_at(after[0].start).raw)
    alone = item.line.speaker == NOBODY or is_its_own(after, item)
    return (
        alone
        and bool(raised.frames)
        and raised.frames[0].function == "<module>"
        and not MISSING.search(raised.name)
        and not is_done(own)
    )


def is_its_own(after: Sequence[StepMark], item: Sighting) -> bool:
    """Tell steps that the very rank printed that an exception ended: it had held them back."""
    return item.line.rank is not None and all(mark.rank == item.line.rank for mark in after)


def went_on_by_its_clock(item: Sighting, after: Sequence[StepMark]) -> bool:
    """Tell that a step bears a later stamp than an exception that bears one itself."""
    own_s = item.line.time_s
    return own_s is not None and any(mark.time_s is not None and mark.time_s > own_s for mark in after)


def went_on_at_once(after: Sequence[StepMark], own: FailureReading) -> bool:
    """Tell steps that no program holds back, more than end with it: what it printed before them it had caught."""
    rows = (own.log.line_at(mark.start).raw for mark in after)
    return len({mark.step for mark in after}) >= FEW_STEPS and all(AT_ONCE.search(visible(raw)) for raw in rows)


def is_done(own: FailureReading) -> bool:
    """Tell by its last step that a run had done what it was to do: 120/120."""
    counts = counts_of(own.marks[-1].step) if own.marks else ()
    return any(total is not None and done >= NEARLY * total for done, total in counts)


def is_unfinished(own: FailureReading) -> bool:
    """Tell by its last step that a run had more to do: 61/120."""
    counts = counts_of(own.marks[-1].step) if own.marks else ()
    return any(total is not None and done < NEARLY * total for done, total in counts)


def dies_natively(item: Sighting) -> bool:
    """Tell by a line that its process ends in native code, whatever else it says."""
    return item.raised is None and bool(LAST_WORDS.search(item.line.text))


def died_of_it(item: Sighting, own: FailureReading) -> bool:
    """Tell what a native library stated before it brought its process down: the stack or the signal stands below."""
    if item.raised or not is_root(item) or item.failure is None or item.failure.weight < SURE_WEIGHT:
        return False
    if item.failure.id in QUITS or dies_natively(item):
        return True
    below = islice(map(own.cleaner.take, own.log.lines(item.start, own.part_of(item.start).end)), 1, 1 + NATIVE_LINES)
    return any(NATIVE_END.search(line.text) for line in below)
