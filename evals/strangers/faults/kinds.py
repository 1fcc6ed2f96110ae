"""What a fault is, and how a process says an exception in its own dress."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evals.strangers.job import Job, Truth

ALL = ("torch", "jax", "mpi", "tf")


@dataclass(frozen=True)
class Fault:
    name: str
    category: str
    tell: Callable[[Job], Truth]
    stacks: tuple[str, ...] = ALL
    dresses: tuple[str, ...] = ()
    """Only under these launchers; empty: under any."""
    early: bool = False
    """Before the first step."""


def raised(job: Job, rank: int, frames: Sequence[tuple[str, int, str, str]], error: str, *, at: float | None = None, root: bool = True, also: bool = False) -> None:  # fmt: skip
    """Let a rank die of an exception with these frames: file, line, function, code."""
    texts = ["Traceback (most recent call last):"]
    for file, line, function, code in frames:
        texts += [f'  File "{file}", line {line}, in {function}', f"    {code}"]
    texts.append(error)
    if job.stack == "torch" and job.number % 2:
        texts = [f"[rank{rank}]: {text}" for text in texts]
    job.say(job.now if at is None else at, rank, texts, root=-1 if root else None, also=(-1,) if also else ())


MAIN = ("/workspace/train.py", 311, "<module>", "main()")
STEP = ("/workspace/trainer/loop.py", 207, "run_step", "loss = self.model(batch)")
BACKWARD = ("/opt/conda/lib/python3.11/site-packages/torch/_tensor.py", 581, "backward", "torch.autograd.backward(")
