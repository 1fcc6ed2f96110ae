"""A program that crashes on no stack is to blame itself: under it are only the compiler's run time and the system."""

from dataclasses import replace

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.led_to import entries_by_id
from schedmate.readers.failures.reading import FailureReading
from schedmate.tools.late_patterns import late, late_re2

CRASHES = frozenset({
    "python.segfault", "python.abort", "distributed.mpi_signal_crash", "distributed.worker_aborted",
    "languages.fortran_signal", "torch.cpu_out_of_memory",
})  # fmt: skip
"""What is told of a process that touched what it may not, gave up, or asked for more memory than there is."""
OF_COMPILED_CODE = frozenset({"languages.fortran_signal", "torch.cpu_out_of_memory"})
"""What a compiler's run time says, whatever else is said."""
STACK = late(
    rb"(?i)\bpython|\.py\b|\btorch|\btensorflow|\bjax|\bkeras|\bpaddle|mindspore|mxnet|\bcaffe|\bjulia|\bjava\b"
    rb"|\bmatlab|\bR version|\bpip\b|conda\d?\b|\bnccl|\bcu(?:da|dnn)|\bhip(?:\b|error)|\brocm|\bdocker|\bkube"
    rb"|\bray\b"
    rb"|\*\*\* SIG[A-Z]{2,4}\b|\bloss\b\W{1,3}\d|\bepochs?\b|\bsingularity|\bapptainer|\bpodman|\benroot|\.sif\b"
)
"""What stands in the log of a program that runs on a stack: an interpreter's, a framework's or a library's name, and
what a training says, which has one under it.
"""
IN_A_LIBRARY = late(
    rb"[ /](?!lib(?:c|m|pthread|stdc\+\+|gcc_s|gfortran|dl|rt|mpi\w*|open-\w{2,3}|pmix)[.-]|ld-|mca_)"
    rb"[\w+-]{2,60}\.so(?:\.[\d.]{1,20})?(?![\w.-])"
)
"""A frame of a native stack in a library that is not the compiler's, the system's or MPI's, which is handed buffers."""
BY_SHELL = late_re2(
    r": line \d+: +\d+ (?:Segmentation fault|Aborted|Bus error) +(?:\(core dumped\) +)?(?P<command>\S*/\S+)"
)
"""How a shell tells which command it was that died."""
OTHERS = late_re2(
    r"(?:^|/)(?:\w*run|\w*exec|srun|singularity|apptainer|docker|podman|enroot|numactl|env|bash|sh|gmx\w*|nvidia-smi)$|\.sh$"
    r"|^/(?:usr|bin|opt|sbin)/"
)
"""Commands that start others, or that a site installed: whose crash is not that of a user's own program."""
OWN_CRASH, ANYBODYS = "languages.own_crash", "python.segfault"

LEAST_LINES = 20
"""A run that hardly says more than that it crashed tells nothing of what it ran on."""
HEAD_BYTES, TAIL_BYTES = 1 << 18, 1 << 20
"""So much of the run's start and end is asked who is named there."""


def of_its_own_program(chosen: Suspect, case: JobCase) -> Suspect:
    """Blame the program for its crash where nothing in its log speaks of a stack that it runs on."""
    failure = chosen.sighting.failure
    if failure is not None and failure.id == OWN_CRASH and names_a_stack(case.own(chosen.sighting)):
        return replace(chosen, sighting=replace(chosen.sighting, failure=entries_by_id()[ANYBODYS]))
    if failure is None or failure.id not in CRASHES or failure.category != "framework" or chosen.survived:
        return chosen
    own = case.own(chosen.sighting)
    lines = own.log.line_number(own.attempt.end) - own.log.line_number(own.attempt.start)
    shells = BY_SHELL.search(chosen.sighting.line.text)
    told = failure.id in OF_COMPILED_CODE or (shells is not None and OTHERS.search(shells["command"]) is None)
    if (lines < LEAST_LINES and not told) or names_a_stack(own):
        return chosen
    return replace(chosen, sighting=replace(chosen.sighting, failure=entries_by_id()[OWN_CRASH]))


def names_a_stack(own: FailureReading) -> bool:
    """Tell a run in which an interpreter, a framework or a foreign library's frame is named."""
    start, end = own.attempt.start, own.attempt.end
    parts = (own.log.window(start, min(end, start + HEAD_BYTES)), own.log.window(max(start, end - TAIL_BYTES), end))
    return any(STACK.search(part) or IN_A_LIBRARY.search(part) for part in parts)
