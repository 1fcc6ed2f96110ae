"""Steps of all epochs, where it is known how many samples or batches an epoch has and what may end it before."""

from collections.abc import Callable
from dataclasses import dataclass, field

from schedmate.counts import how_many
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.length.epochs_and_steps import asked_exit, plays
from schedmate.readers.code.signs.facts import TrainingSigns
from schedmate.readers.code.values.events import LoopLimit
from schedmate.readers.code.values.leaving import BudgetSpent, ProgramExited, ProgramRaised
from schedmate.readers.code.values.value import Value


def is_open(epochs: object) -> bool:
    """Tell epochs that are no known number."""
    return isinstance(epochs, bool) or not isinstance(epochs, (int, float)) or epochs <= 0


@dataclass(frozen=True)
class EpochOfData:
    """How many samples an epoch has, whether a last small batch is dropped, and if every process goes over all."""

    samples: Value
    drops: bool = False
    each_takes_all: bool = False
    limits: list[LoopLimit] = field(default_factory=list)
    """Where the loop over its batches may be left before."""
    batched: bool = False
    """They are batches, not samples."""
    share: float = 1.0
    """The part of its batches that is taken."""
    most_steps: Value | None = None
    """The steps that end the job before its epochs do."""


def keep_steps(view: View, find: Callable[[], EpochOfData | None]) -> None:
    """Keep the steps of all epochs, where epochs, batch and samples are known."""
    epochs = view.values.get("epochs")
    if plays(view) or epochs is None or is_open(epochs.value):
        return
    times = view.accumulation.data if view.accumulation is not None else 1
    try:
        found = find()
    except (BudgetSpent, ProgramRaised, ProgramExited, RecursionError):
        return
    batches = batches_of(view, found, times) if found is not None else None
    if found is None or batches is None:
        return
    batches = min([batches, *(one.rounds.data for one in found.limits if not one.of_all)])
    each = max(1, batches // times if leaves_rest(view) else -(-batches // times))
    carries = leaves_rest(view) and view.run.about(TrainingSigns).carries_rest
    steps = int(epochs.value * batches) // times if carries else int(epochs.value * each)
    ends = [one for one in (found.most_steps, asked_exit(view)) if one is not None and one.data < steps]
    met = [one for one in found.limits if one.of_all and one.rounds.data < (steps if one.of_steps else steps * times)]
    if ends:
        view.number("total_steps", min(ends, key=lambda one: one.data))
    elif not met:
        whole = view.values.get("global_batch_size")
        spots = (*epochs.spots[:1], *found.samples.src[:1], *(whole.spots[:1] if whole is not None else ()))
        held = how_many(found.samples.data, "batch" if found.batched else "sample")
        view.keep("total_steps", steps, spots, f"{how_many(epochs.value, 'epoch')} of {held}")
    elif all((times == 1 or one.of_steps) and (one.ends_all or one.rounds.data > steps - each) for one in met):
        first = min((one.rounds for one in met), key=lambda rounds: rounds.data)
        if view.number("total_steps", first) and -(-first.data // each) != epochs.value:
            view.give_up("epochs")


def leaves_rest(view: View) -> bool:
    """Tell a program that makes no step of the batches which are left over when it has gathered enough for the last."""
    signs = view.run.about(TrainingSigns)
    return signs.leaves_rest and signs.accumulation is view.accumulation


def batches_of(view: View, found: EpochOfData, times: int) -> int | None:
    """Give how many batches an epoch has in each process: as counted, or by samples and batch."""
    whole, own = (view.values.get(name) for name in ("global_batch_size", "batch_size"))
    samples = found.samples.data
    if type(samples) is not int or samples < 1 + (not found.batched):
        return None
    if found.batched:
        return samples
    if whole is None or type(whole.value) is not int or whole.value % times:
        return None
    batch = whole.value // times
    if found.each_takes_all:
        if own is None or type(own.value) is not int or own.value < 1:
            return None
        batch = own.value
    batches = samples // batch if found.drops else -(-samples // batch)
    return int(batches * found.share) if found.share != 1 else batches
