"""One log from its first line to its last, and what is true of it."""

import random
from dataclasses import dataclass

from evals.field.decoys import tell_decoys
from evals.field.epilog import tell_epilog, tell_former_attempt
from evals.field.faults import HELD, OPEN, Fault
from evals.field.job import LAUNCHERS, Job, draw_job
from evals.field.kernel import HARMLESS, place_kernel
from evals.field.launchers import close_job, open_job
from evals.field.prelude import tell_prelude, tell_preparation
from evals.field.progress import STYLES
from evals.field.stage import Stage, Truth
from evals.field.work import speakers, tell_end, tell_work
from evals.field.written import write_out

HEALTHY = Truth("none", reason="the run was healthy")


@dataclass(frozen=True)
class Story:
    """A finished log."""

    text: str
    truth: Truth
    root: int
    also: list[int]
    launcher: str
    family: str
    ranks: int


def tell_healthy(stage: Stage, began: float) -> Truth:
    """Let a job work, with handled trouble all along, and end well or be still at work."""
    job, rng = stage.job, stage.job.rng
    first = tell_prelude(stage, began)
    last = first + duration(job, job.size)
    tell_work(stage, first, last, job.size)
    tell_decoys(stage, first, first + (last - first) * 0.9, rng.randrange(2, 14))
    stage.over = last + 5
    if rng.random() < 0.7:
        tell_end(stage, last + 3)
        if rng.random() < 0.3:
            for name in job.names[:4]:
                stage.kernel(last, name, [rng.choice(HARMLESS)])
        tell_epilog(stage)
    return HEALTHY


def tell_broken(stage: Stage, fault: Fault, began: float) -> Truth:
    """Let a job start, work, and meet its fault."""
    job, rng = stage.job, stage.job.rng
    first = tell_prelude(stage, began)
    stage.trouble = first + 2
    if fault.early:
        stage.trouble = tell_preparation(stage, first, max(200, job.size // 2))
    if not fault.early:
        last = first + duration(job, job.size * 2 // 3)
        tell_work(stage, first, last, job.size * 2 // 3)
        tell_decoys(stage, first, first + (last - first) * 0.9, rng.randrange(0, 12))
        stage.trouble = last + 1
    truth = fault.tell(stage)
    close_job(stage)
    tell_epilog(stage)
    return truth


def duration(job: Job, lines: int) -> float:
    """Say how long a job worked that reported so many lines."""
    return lines / len(speakers(job)) * job.rng.uniform(0.4, 25)


def draw_fault(rng: random.Random, job: Job, *, held: bool) -> Fault:
    """Draw a category first, so that rare kinds of end are not drowned by the many ways of a program to fail."""
    fitting = [fault for fault in (HELD if held else OPEN) if fault.fits(job)]
    wanted = rng.choices(("infrastructure", "framework", "script", "other"), (45, 18, 24, 13))[0]
    return rng.choice([fault for fault in fitting if fault.category == wanted] or fitting)


def draw_style(rng: random.Random) -> str:
    return rng.choice([name for name in STYLES if name != "bar"] * 2 + ["bar"])


def tell(
    rng: random.Random, *, launcher: str, held: bool = False, healthy: bool = False, largest: int = 50_000
) -> Story:
    """Draw a job and its fate, and write its log."""
    size = int(200 * (largest / 200) ** rng.random())
    job: Job = draw_job(rng, launcher, size)
    job.style = draw_style(rng)
    stage = Stage(job, 0.0)
    open_job(stage)
    began = 0.0
    fault = None if healthy else draw_fault(rng, job, held=held)
    if job.scheduler == "slurm" and rng.random() < 0.12 and not (fault and fault.early):
        job.buffered = False
        began = tell_former_attempt(stage, size // 4)
    truth = tell_healthy(stage, began) if fault is None else tell_broken(stage, fault, began)
    place_kernel(stage)
    text, root, also = write_out(stage)
    return Story(text, truth, root, also, launcher, fault.name if fault else "healthy", job.ranks)


def launcher_of(index: int) -> str:
    return LAUNCHERS[index % len(LAUNCHERS)]
