"""Say how much time is left, as an interval: an end is told by log, command or code, or is passes times steps."""

import math
import re
import shlex
from dataclasses import dataclass
from statistics import median, quantiles

from schedmate.readers.progress.loop import TrainingLoop
from schedmate.readers.progress.names import role_of
from schedmate.readers.progress.quantities import Item
from schedmate.readers.progress.tokens import value_of
from schedmate.readers.progress.weigh import Verdict

MAX_COMMAND = 1 << 14
LEAST = 4
PACE, ELSEWHERE, PRINTED = 0.05, 0.1, 0.25
"""How far off, at the least, the pace may be, an end that the log does not tell, and an estimate that it prints."""
WHOLE = dict.fromkeys(("steps", "iters", "iterations", "train_steps", "train_iters", "niter", "n_iters"), "total_steps")
WHOLE |= dict.fromkeys(("epochs", "epoch", "nepochs", "train_epochs"), "total_epochs")
"""What the end of a run is called by options, where a log calls a counter so."""
OPTION = re.compile(r"-{0,2}([A-Za-z][\w.-]*)=(\d[\d_,.]*(?:e\d+)?)")


@dataclass(frozen=True, slots=True)
class Ends:
    """Where a run ends, as its command or its code say."""

    steps: float | None = None
    epochs: float | None = None


NO_ENDS = Ends()


@dataclass(frozen=True, slots=True)
class Remaining:
    """Seconds that are left, between which bounds, and the end that was counted to."""

    seconds: float | None = None
    low: float | None = None
    high: float | None = None
    total: float | None = None


def ends_of(command: str) -> Ends:
    """Read the end of a run from the options of its command: `--max-steps 5000`, `trainer.max_epochs=3`."""
    try:
        words = shlex.split(command[:MAX_COMMAND], comments=False)
    except ValueError:
        words = command[:MAX_COMMAND].split()
    found: dict[str, float] = {}
    for word, following in zip(words, [*words[1:], ""], strict=False):
        match = OPTION.fullmatch(word) or (OPTION.fullmatch(f"{word}={following}") if word.startswith("-") else None)
        if match is None:
            continue
        name = match[1].rpartition(".")[2]
        role = role_of(Item(tuple(re.split(r"[_-]", name)), (0,), (1.0,)))[0]
        found.setdefault(WHOLE.get(name.lower().replace("-", "_"), role), value_of(match[2].replace("_", "")))
    return Ends(found.get("total_steps"), found.get("total_epochs"))


def remaining(loop: TrainingLoop, verdict: Verdict, ends: Ends, step_time: float | None) -> Remaining:
    """Count what is left by the loop's own pace; where its end is not known, take the estimate that is printed."""
    found = loop.rows.last("step") if loop.counter_role else None
    pace = verdict.per_count_s or step_time
    if found is not None and pace:
        total, told = end_of(loop, ends, found[0])
        if total is not None:
            seconds = max(0.0, total - found[0]) * pace
            return bounded(seconds, off(loop, verdict) + (0.0 if told else ELSEWHERE), total)
    printed = loop.rows.last("eta")
    return bounded(printed[0], PRINTED, None) if printed is not None else Remaining()


def end_of(loop: TrainingLoop, ends: Ends, step: float) -> tuple[float | None, bool]:
    """Give the count at which the whole run ends, and whether the log itself tells it."""
    epochs = loop.total_epochs or ends.epochs
    if loop.counter_role == "epoch":
        return (loop.total or epochs, loop.total is not None) if (loop.total or epochs or 0) >= step else (None, False)
    epoch = loop.rows.last("epoch")
    if loop.total is not None:
        passes = max(0.0, epochs - math.floor(epoch[0]) - 1) if epochs and epoch and loop.restarts else 0.0
        return loop.total * (1 + passes), not passes or loop.total_epochs is not None
    if ends.steps and ends.steps >= step:
        return ends.steps, False
    if epochs and epoch and epoch[0] % 1 and not loop.restarts:
        return max(step, step / epoch[0] * epochs), False
    return None, False


def off(loop: TrainingLoop, verdict: Verdict) -> float:
    """Give how far the pace may be off, relatively: what its digits leave open, and how much it wavers."""
    width = verdict.chosen.width if verdict.chosen else 0.0
    values = [value for value in loop.rows.column("step_time") if math.isfinite(value) and value > 0]
    if len(values) < LEAST:
        return PACE + width
    tenths = quantiles(values, n=10)
    return PACE + max(width, (tenths[-1] - tenths[0]) / 2 / median(values) / math.sqrt(len(values)))


def bounded(seconds: float, relative: float, total: float | None) -> Remaining:
    """Put bounds around what is left."""
    if not math.isfinite(seconds):
        return Remaining()
    low, high = seconds * max(0.0, 1 - relative), seconds * (1 + relative)
    return Remaining(round(seconds, 3), round(low, 3), round(high, 3), total)
