"""Find the thread whose death left its program waiting: of those who waited in vain, or missed it, it is the cause."""

from dataclasses import replace
from itertools import islice

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.never_came import never_came
from schedmate.readers.failures.causes.suspects import SURVIVED_FACTOR
from schedmate.tools.late_patterns import late

IN_THREAD = late(r"^Exception in thread (\S.{0,120}?):? ?$")
"""How Python heads the stack of an exception that ends a thread, and nothing else."""
FEEDS = late(
    r"(?i)feed|(?<!up)load|fetch|reader|(?<![a-z])read_|queue|produc|decod|stream|buffer|sampl|batch|(?<!up)data|shard"
    r"|stage|staging|ingest|rollout|(?<![a-z])actor"
)
"""What a thread does that others wait for."""
MISSED = late(
    r"(?i)\bthreads?\b.{0,60}?\b(?:dead|died|gone|crashed|exited|failed|terminated|stopped|not (?:alive|running))\b"
    r"|\b(?:dead|died|crashed|failed|stopped) (?:\w+ ){0,3}threads?\b"
)
"""How a program says that a thread of its own is no more: not why."""
STARTS = late(r"(?i)\b(?:start|creat|spawn|launch)(?:s|ed|e|ing)?\b")

BEGUN_AGAIN = late(r"(?i)\b(?:re-?started|restarting|respawn(?:ed|ing)|replaced|started (?:again|anew))\b")
"""What is said, soon behind its end, of a thread that another took over from."""
BEHIND_LINES = 3


def left_waiting(chosen: Suspect, case: JobCase) -> Suspect:
    """Give who never came, or the last thread that died and fed the rest, where all that is left is that ranks waited;
    where a process misses a thread, that one; else the choice.
    """
    failure, past = chosen.sighting.failure, [one for one in case.suspects if one.survived]
    if misses_thread(chosen):
        dead = [one for one in past if is_dead_feeder(one, case) and is_of_process(one, chosen)]
    elif chosen.effect and failure is not None and "peer" in failure.after:
        absent = [one for one in past if never_came(one, chosen, case.own(one.sighting))]
        dead = absent[:1] or [one for one in past if is_dead_feeder(one, case)]
    else:
        return chosen
    if not dead:
        return chosen
    last = max(dead, key=lambda one: one.sighting.place)
    return replace(last, survived=False, silent=True, score=last.score / SURVIVED_FACTOR)  # never surely


def misses_thread(chosen: Suspect) -> bool:
    """Tell an exception that only says that a thread is dead: not why, and not that none could be started."""
    item = chosen.sighting
    told = MISSED.search(item.raised.message) if item.raised else None
    if told is None or item.raised is None or (item.failure and not item.failure.id.startswith("python.")):
        return False
    return STARTS.search(item.raised.message) is None and ": " not in item.raised.message[told.end() :]


def is_of_process(dead: Suspect, chosen: Suspect) -> bool:
    """Tell a thread of the very process that misses one, before it does."""
    first, second = dead.sighting, chosen.sighting
    return first.line.speaker == second.line.speaker and first.place < second.place


def is_dead_feeder(one: Suspect, case: JobCase) -> bool:
    """Tell an exception that ended a thread which, by its name or its code, others take their work from."""
    raised = one.sighting.raised
    if raised is None or not raised.thread or one.sighting.failure is None or one.sighting.failure.role != "root":
        return False
    own = case.own(one.sighting)
    head = raised.head_start
    above = next((own.cleaner.take(raw) for raw in islice(own.log.lines_backward(head), 1)), None)
    behind = islice(own.log.lines(one.sighting.start), 1, 1 + BEHIND_LINES)
    if any(BEGUN_AGAIN.search(own.cleaner.take(raw).text) for raw in behind):
        return False
    named = IN_THREAD.match(above.text) if above else None
    told = f"{named[1]} {' '.join(frame.function for frame in raised.frames)}" if named else ""
    return bool(FEEDS.search(told))
