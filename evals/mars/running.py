"""How a job of the Mars-like set fares: what its duration, GPU use and end depend on, and how noisily.

- A step takes 6 x parameters x tokens of all GPUs' batches (2 x where nothing trains) at the rate that the GPUs reach:
  312 TFLOP/s each, of which 20 to 45 % are reached, more with larger models and micro batches, less with more GPUs.
- A job takes its steps, and a start-up of one to six minutes; each job's speed is off by a log-normal factor (15 %),
  as nodes and neighbours differ.
- Its GPUs are busy while steps run as far as they are efficient, off by 15 % from job to job; a profiler that looks at
  the first 100 s of steps is off by 20 % more, and low by 5 %.
- It runs out of memory within minutes where weights, optimizer and activations exceed 80 GiB; one in twelve fails for
  other reasons at a random place, mostly early; one in five trainings is cancelled when its loss does not please.
"""

from dataclasses import dataclass
from math import exp, log, sqrt
from random import Random

from schedmate.schemas import JobStatus

PEAK_FLOPS = 312e12
GPU_GIB = 80.0
NOISE = 0.15
FAILS, CANCELLED = 1 / 12, 0.2


@dataclass(frozen=True)
class Request:
    """What is run, as its user asked for it."""

    kind: str
    model: str
    data: str
    billions: float
    width: int
    layers: int
    micro_batch: int
    steps: int
    gpus: int
    learning_rate: float

    @property
    def length(self) -> int:
        """Give the tokens of a sequence."""
        return 4096 if self.kind == "pretrain" else 2048


@dataclass(frozen=True)
class Fate:
    """What became of it."""

    duration_s: float
    status: JobStatus
    cause: str
    step_s: float
    start_s: float
    gpu_util: float
    """While steps ran."""
    profiled_util: float
    memory_gib: float


def memory_gib(asked: Request) -> float:
    """Give what one GPU holds: the model's state shared out over the GPUs, and a micro batch's activations."""
    state = asked.billions * (16 if asked.kind != "evaluate" else 2) / (1 if asked.kind == "evaluate" else asked.gpus)
    weights = asked.billions * 2
    activations = asked.micro_batch * asked.length * asked.width * asked.layers * 18 / 2**30
    return state + weights + activations * (0.1 if asked.kind == "evaluate" else 1)


def efficiency(asked: Request) -> float:
    """Give the share of the peak that is reached."""
    size, batch = log(1 + asked.billions) / log(10), min(asked.micro_batch, 16) / 16
    return (0.2 + 0.15 * size + 0.1 * sqrt(batch)) * exp(-0.08 * log(asked.gpus))


def play(asked: Request, draw: Random) -> Fate:
    """Let one job run."""
    work = (2 if asked.kind == "evaluate" else 6) * asked.billions * 1e9 * asked.micro_batch * asked.length
    step_s = work / (PEAK_FLOPS * efficiency(asked)) * exp(draw.gauss(0, NOISE))
    start_s = draw.uniform(60, 360)
    util = min(0.99, (0.35 + 1.2 * efficiency(asked)) * exp(draw.gauss(0, 0.15)))
    profiled = min(0.99, util * exp(draw.gauss(-0.05, 0.2)))
    needed = memory_gib(asked)
    fate, share, cause = "completed", 1.0, ""
    if needed > GPU_GIB:
        fate, cause, share = "failed", "memory", 0.0
    elif draw.random() < FAILS:
        fate, cause, share = "failed", draw.choice(("nccl", "data", "nan")), draw.betavariate(0.6, 2)
    elif asked.kind != "evaluate" and draw.random() < CANCELLED:
        fate, share = "cancelled", draw.betavariate(1.2, 2)
    duration_s = start_s * (draw.uniform(0.5, 1.2) if cause == "memory" else 1) + asked.steps * share * step_s
    held = min(needed, GPU_GIB)
    status: JobStatus = "completed" if fate == "completed" else ("failed" if fate == "failed" else "cancelled")
    return Fate(duration_s, status, cause, step_s, start_s, util, profiled, held)
