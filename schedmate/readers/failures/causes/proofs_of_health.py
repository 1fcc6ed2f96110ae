"""Find the line that proves that a job ended well, and tell it from what a job's script says whatever happened."""

from collections.abc import Iterator, Sequence

import re2

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.suspects import is_health
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.loudness import is_root, is_trackers
from schedmate.readers.failures.sightings.sighting import OF_ONE_TEST, QUITS, Sighting
from schedmate.readers.failures.survival.kernel_dumps import by_machine
from schedmate.readers.failures.survival.killed_commands import ASKED, SHELLS_WORD, tells_of_program
from schedmate.readers.lines import NOBODY
from schedmate.tools.late_patterns import late_re2

LEAST_SURVIVED_SCORE = 0.16

SUCCEEDED = "health.job_succeeded"
"""The entry of who ran the job, and says at its end how that was."""
ECHOED = frozenset({"health.training_completed", "health.tuning_done", SUCCEEDED, "health.script_code_zero"})
"""Entries of words that the script around a program prints, too, behind each program that it started."""
LEAVING = frozenset({"jax.coordination_service", "jax.task_silent"})
"""Entries of what processes that joined say when they part and one is gone already."""
NEAR_LINES = 8
"""So few lines are a script's; what a program says that ran after the one that failed is more."""
LAUNCHER = late_re2(r"^(?:srun|slurmstepd|mpirun|mpiexec|prterun|flux-job|jsrun|aprun)\b|^$")
"""What launchers say as they end tasks, and blank lines."""
MOST_FAREWELLS = 4_000
"""So many lines a launcher may say of the tasks that it ends."""
GIVEN_UP = frozenset({"distributed.child_failed", "distributed.elastic_summary", "distributed.deepspeed_exit"})
"""Entries of what launchers of a training say last when it failed."""
TEST_FAILED = late_re2(r"\bTest (?:NCCL |CUDA )?failure\b")
"""How nccl-tests and its like say that they gave up."""
FAR_BACK = 200_000
"""In so many characters before a test's word another of the same sweep is looked for."""
TASKS_WORD = re2.compile(
    r"^srun: error: \S{1,80}: tasks? [\d,-]{1,60}: (?:Out Of Memory|Killed|Aborted|Segmentation fault|Bus error"
    r"|Illegal instruction|Floating point exception|Exited with exit code [1-9])"
    r"|^\W{0,3}State: (?:OUT_OF_MEMORY|NODE_FAIL|FAILED)\b"
)
"""How Slurm says that a task or a job was over before its script's last word."""


def last_proof_of_health(suspects: Sequence[Suspect], case: JobCase) -> Sighting | None:
    """Find the line that proves the job well: nothing of weight may stand after it.

    What a kernel noted behind the last step harmed nobody, nor does a tracker's server, nor that processes which take
    leave no longer reach each other.
    """
    ends = list(ends_of_programs(suspects))
    proofs = [item for item in case.sightings if proves_health(item)]
    proofs = [item for item in proofs if not is_echoed(item, ends, case.own(item))]
    proofs = [item for item in proofs if not is_behind_failed_test(item, case.own(item))]
    if not proofs:
        return None
    last = proofs[-1]
    own = case.own(last)
    over = all(mark.start <= last.start for mark in own.marks)
    later = (one for one in suspects if one.sighting.source == last.source and one.sighting.start > last.start)
    later = (one for one in later if one.sighting.raised or not is_trackers(one.sighting.line.text))
    later = (one for one in later if not (takes_leave(one) or is_of_a_worker(one, last)))
    loud = (one for one in later if one.score >= LEAST_SURVIVED_SCORE and not one.dumped)
    return None if any(not (over and by_machine(one.sighting, own.log, own.cleaner)) for one in loud) else last


def proves_health(item: Sighting) -> bool:
    """Tell a line that an entry takes for a proof that the job ended well."""
    return item.failure is not None and is_health(item) and item.failure.weight > 0


def takes_leave(one: Suspect) -> bool:
    """Tell what a process that is done meets as others go before it."""
    failure = one.sighting.failure
    return failure is not None and failure.id in LEAVING and one.effect and not one.sighting.raised


def is_of_a_worker(one: Suspect, proof: Sighting) -> bool:
    """Tell what a worker's line, which came late, says behind the word of who ran them all that the job succeeded."""
    if proof.failure is None or proof.failure.id != SUCCEEDED or proof.line.speaker != NOBODY:
        return False
    return one.sighting.line.pid is not None or one.sighting.line.rank is not None


def is_behind_failed_test(proof: Sighting, own: FailureReading) -> bool:
    """Tell a test's word that it went well, behind one that failed: each pair of nodes has a test of its own."""
    if proof.failure is None or proof.failure.id not in OF_ONE_TEST:
        return False
    before = own.log.window(max(0, proof.start - FAR_BACK), proof.start)
    return TEST_FAILED.search(before.decode("utf-8", "replace")) is not None


def ends_of_programs(suspects: Sequence[Suspect]) -> Iterator[Sighting]:
    """Give where a program ended badly: it raised at its top, could not be called, or a shell tells of a signal."""
    for one in suspects:
        item = one.sighting
        raised = item.raised is not None and item.raised.leaves and is_root(item)
        quits = item.failure is not None and item.failure.id in QUITS
        gave_up = item.failure is not None and item.failure.id in GIVEN_UP
        if (one.heard and (raised or quits or was_ended(item.line.text))) or (gave_up and not one.survived):
            yield item


def was_ended(text: str) -> bool:
    """Tell a shell's word that its program died of a signal, or Slurm's; a script itself ends its helpers."""
    told = SHELLS_WORD.search(text)
    if told is None:
        return TASKS_WORD.search(text) is not None
    return told["how"] not in ASKED and tells_of_program(text)


def is_echoed(proof: Sighting, ends: Sequence[Sighting], own: FailureReading) -> bool:
    """Tell words of completion right behind the bad end of the program, with no step between: nobody else had run."""
    if proof.failure is None or proof.failure.id not in ECHOED:
        return False
    before = [end for end in ends if end.source == proof.source and end.start < proof.start]
    if not before or others_between(before[-1], proof, own) > NEAR_LINES:
        return False
    return not any(before[-1].start < mark.start < proof.start for mark in own.marks)


def others_between(end: Sighting, proof: Sighting, own: FailureReading) -> int:
    """Count the lines that no launcher says of how it ends the other tasks: of many nodes it has many to say."""
    if proof.number - end.number > MOST_FAREWELLS:
        return proof.number - end.number
    lines = (own.cleaner.take(raw).text for raw in own.log.lines(end.start, proof.start))
    return sum(not LAUNCHER.search(text) for text in lines)
