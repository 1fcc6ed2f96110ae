"""Tell lines that count and are no loop: what is said once, lists, settings, and how long a pass is."""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from schedmate.readers.progress.kinds.kinds import LinesOfKind
from schedmate.readers.progress.lines.fields import Stream
from schedmate.readers.progress.streams.related_streams import EXPLICIT

LEAST_TOLD = 2

GONE_ON = 4
"""More passes than these, after a line that counts the steps of one, would have left another such line."""

SETTINGS = 6
"""So many values with a sign of equality each stand in a line of settings."""
ROLE = {
    "loss": 3.0, "loss_part": 1.5, "step_time": 3.0, "steps_rate": 1.5, "time": 1.0, "part_time": 1.0,
    "elapsed": 0.7, "throughput": 1.0,
    "eta": 0.7, "epoch": 1.0, "epoch_time": 1.0,
}  # fmt: skip


def is_summary(stream: LinesOfKind, known: Mapping[Stream, LinesOfKind]) -> bool:
    """Tell what was said once, without an end, where other lines count steps to an end and time each of them."""
    return (
        stream.count == 1
        and not stream.totals()
        and any(one.count > LEAST_TOLD and one.totals() and is_timed(one) for one in known.values())
    )


def is_timed(stream: LinesOfKind) -> bool:
    """Tell lines of training, or of what may be, that print how long a step takes."""
    shape = stream.lines[-1].shape
    return shape.work in {"train", "unsaid"} and any(one.role in EXPLICIT for one in shape.fields)


def is_left_behind(stream: LinesOfKind, known: Mapping[Stream, LinesOfKind]) -> bool:
    """Tell a single line amid a pass, as what is drawn over leaves one behind, where passes went on without another."""
    last = stream.lines[-1]
    if stream.count > 1 or stream.key.counter != "step" or last.shape.find("epoch") is None:
        return False
    passes = (one for one in known.values() if one.key.counter == "epoch" and one.key.work in {"train", "unsaid"})
    return any(sum(line.order > last.order for line in one.lines) > GONE_ON for one in passes)


def stands_alone(stream: LinesOfKind) -> bool:
    """Tell a line that was said once and measures nothing, as `Starting: window=30, batch=32`: it counts no finer."""
    roles = {one.role for one in stream.lines[-1].shape.fields}
    return stream.count == 1 and not stream.totals() and roles.isdisjoint(set(ROLE) - {"epoch", "elapsed"})


def is_batch(stream: LinesOfKind) -> bool:
    """Tell `batch=32`, which says how much a step takes more often than which one it is."""
    return stream.key.name in {"batch", "batches"}


def is_written_out(stream: LinesOfKind, roles: Collection[str]) -> bool:
    """Tell settings in one line, `data=moons, epochs=90, batch=32, lr=0.1, ...`: said once, and nothing is measured."""
    is_once = stream.count == 1 and stream.key.kind == "line" and not stream.totals()
    return is_once and stream.lines[-1].text.count("=") >= SETTINGS and not (set(ROLE) - {"epoch"}).intersection(roles)


def is_length(stream: LinesOfKind) -> bool:
    """Tell a count that stays while the passes go on: `Epoch: 2, Steps: 225` says how long each of them is.

    So does `batch=8` where the next line has twice as many, as in a table of measurements.
    """
    if is_batch(stream) and not stream.totals() and doubles(stream.counter()):
        return True
    epochs = [(line, line.shape.find("epoch")) for line in stream.lines]
    passes = {one.value(line.numbers) for line, one in epochs if one is not None}
    step = stream.lines[-1].shape.find("step")
    is_end = step is not None and step.total_at >= 0 and step.total_at not in step.at
    return stream.key.counter == "step" and len(passes) > 1 and len(set(stream.counter())) == 1 and not is_end


def doubles(sizes: Sequence[float]) -> bool:
    """Tell sizes of which each is twice the one before."""
    return len(sizes) > LEAST_TOLD and all(later == 2 * earlier > 0 for earlier, later in pairwise(sizes))


def is_list(stream: LinesOfKind) -> bool:
    """Tell whether lines name one thing after the other by number, as a list of settings does."""
    return len({one.name for line in stream.lines for one in line.shape.fields[:1]}) > 1
