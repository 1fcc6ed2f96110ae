"""What is true of each fault that can be injected, and the words by which its first statement is known."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Truth:
    """A label; `words` are patterns in order of preference: the first that the log has is the cause's line."""

    category: str
    words: tuple[str, ...]
    subcategory: str = ""
    accept_also: str = ""
    reason: str = ""


def script(*words: str, accept_also: str = "") -> Truth:
    return Truth("script", words, accept_also=accept_also, reason="a fault of the program, its arguments or its data")


def framework(*words: str, accept_also: str = "") -> Truth:
    return Truth("framework", words, accept_also=accept_also, reason="the software under the program gave up")


ANY = "script|framework|infrastructure|other"
DIED = (
    r"failed \(exitcode: -{signal}\)", r"exited on signal {signal}\b", r"srun: error: \S+: task \d+: {word}",
    r"A worker died or was killed while executing a task", r"The actor is dead because|Worker exit detail",
)  # fmt: skip

INSIDE: dict[str, Truth] = {
    "missing_key": script(r"KeyError: 'position_ids_7f3a'"),
    "shapes": script(r"mat1 and mat2 shapes cannot be multiplied"),
    "missing_file": script(r"FileNotFoundError: .*shard_7f3a"),
    "missing_module": script(r"No module named 'einops_7f3a'"),
    "checkpoint_misfit": script(r"Error\(s\) in loading state_dict"),
    "loss_guard": script(r"ValueError: loss is nan at step"),
    "loader_raises": script(r"^(?!.*Caught).*IndexError: list index out of range", r"Caught IndexError in DataLoader worker"),
    "divides_by_zero": script(r"ZeroDivisionError"),
    "broken_json": script(r"JSONDecodeError"),
    "is_directory": script(r"IsADirectoryError"),
    "wrong_encoding": script(r"UnicodeDecodeError"),
    "no_attribute": script(r"'NoneType' object has no attribute 'logits_7f3a'"),
    "wrong_argument": script(r"TypeError: .*unexpected keyword argument"),
    "recursion": script(r"RecursionError"),
    "own_words": script(r"fatal: vocabulary has 31999 entries"),
    "mixed_types": script(r"mat1 and mat2 must have the same dtype|expected m1 and m2 to have the same dtype"),
    "bad_option": script(r"error: unrecognized arguments: --lr-decay-7f3a"),
    "assertion": script(r"AssertionError: batch of rank \d+ is empty"),
    "cut_checkpoint": script(r"PytorchStreamReader failed|failed finding central directory", accept_also="infrastructure"),
    "unused_parameters": framework(r"Expected to have finished reduction in the prior iteration"),
    "in_place": framework(r"modified by an inplace operation"),
    "anomaly": framework(r"returned nan values in its 0th output"),
    "mismatch": framework(r"preamble\.length|op\.nbytes", r"Timed out waiting", r"Connection closed by peer", accept_also="script"),
    "loader_hangs": framework(r"DataLoader timed out after", accept_also="script"),
    "shm_full": framework(r"Unexpected bus error encountered|killed by signal: Bus error|No space left on device", accept_also="infrastructure"),
    "disk_full": Truth("infrastructure", (r"No space left on device", r"unexpected pos"), "node", reason="a disk is full"),
    "read_only": Truth("infrastructure", (r"Read-only file system",), "node", reason="a file system became read-only"),
    "memory": Truth("infrastructure", (r"Killed process \d+", *(word.replace("{signal}", "9").replace("{word}", "Killed") for word in DIED)),
                    "node", "script|framework", "the kernel killed a process for want of memory"),
}  # fmt: skip
"""Faults that the program meets by itself at a step."""

SIGNALS = {"KILL": 9, "SEGV": 11, "ABRT": 6, "BUS": 7, "TERM": 15, "INT": 2}
WORDS = {
    "KILL": "Killed",
    "SEGV": "Segmentation fault",
    "ABRT": "Aborted",
    "BUS": "Bus error",
    "TERM": "Terminated",
    "INT": "Interrupt",
}


def of_signal(role: str, name: str) -> Truth:
    """Say what is true when a signal from outside ends a rank, a loader's worker or the launcher."""
    number, word = SIGNALS[name], WORDS[name]
    told = tuple(text.replace("{signal}", str(number)).replace("{word}", word) for text in DIED)
    if role == "loader":
        return framework(
            r"DataLoader worker \(pid \d+\) is killed by signal",
            r"DataLoader worker \(pid\(s\) .*\) exited unexpectedly",
            accept_also="infrastructure",
        )
    if name == "INT" or role == "launcher":
        heard = (
            r"got signal: \d+|Received \d+ death signal|Received Signals\.SIG",
            r"KeyboardInterrupt",
            r"srun: interrupt|srun: sending Ctrl-C|srun: forcing|srun: got SIG|Killed by signal|killed by signal",
            r"STEP .* CANCELLED",
        )
        return Truth("other", heard, accept_also="infrastructure", reason=f"SIG{name} from outside to {role}")
    if name in {"KILL", "TERM"}:
        return Truth("infrastructure", told, "node", "other|framework", f"SIG{name} from outside to a rank")
    return framework(*told, accept_also="script|infrastructure")


OUTSIDE: dict[str, Truth] = {
    "stopped_rank": framework(r"Timed out waiting|timed out|Timeout", accept_also=ANY),
    "link_down": Truth("infrastructure", (r"Timed out waiting|timed out|No route to host|Network is unreachable|Connection closed by peer",), "network", "framework", "the link between two hosts went down"),
    "time_limit": Truth("other", (r"DUE TO TIME LIMIT",), reason="Slurm's time limit"),
    "cancel": Truth("other", (r"\*\*\* (JOB|STEP) \S+ ON \S+ CANCELLED",), reason="scancel"),
    "preempt": Truth("infrastructure", (r"DUE TO PREEMPTION",), "other", reason="preempted by an urgent job"),
    **{f"{role}_{name}": of_signal(role, name) for role in ("rank", "loader", "launcher") for name in SIGNALS if (role, name) != ("launcher", "KILL")},
}  # fmt: skip
"""Faults that come from outside."""

HEALTHY = Truth("none", (), reason="the run was healthy")


def truth_of(fault: str) -> Truth:
    return HEALTHY if fault == "healthy" else INSIDE.get(fault) or OUTSIDE[fault]
