"""What Keras' `fit` and loops over TensorFlow's data go over: how many samples or batches an epoch has."""

from schedmate.readers.code.evidence.data_loaders import best_training_event, inner_values
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.batches.batch_shares import has_several_processes
from schedmate.readers.code.fields.length.early_ends import ends_early
from schedmate.readers.code.fields.length.epochs_of_data import EpochOfData
from schedmate.readers.code.fields.length.loader_epochs import rounds_of
from schedmate.readers.code.libraries.data_lengths import SAMPLES, samples_in
from schedmate.readers.code.libraries.text_sets import ITERATORS
from schedmate.readers.code.values.events import Event, FollowedLoop
from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import Value, join_spots

FLOWING = ("prefetch", "cache", "shuffle", "map", "with_options", "batch", "repeat", "take", "skip")
"""Calls on TensorFlow's data that leave their number or change it in a known way."""
OF_BATCHES = ("Sequence", "PyDataset")
"""Keras' own classes of data whose length is that of their batches."""
DEEPEST = 20


def fitted(view: View) -> EpochOfData | None:
    """Give the samples that Keras' `fit` is given, less those that it keeps back to validate."""
    found: list[tuple[EpochOfData, object]] = []
    for event in view.named("fit", "fit_generator"):
        if not any(name in event.name for name in ("keras", "tensorflow", "paddle.")):
            continue
        one, batch = given(view, event), event.kwargs.get("batch_size")
        if one is None:
            return None
        found.append((one, batch.data if batch is not None else None))
    alike = {(one.samples.data, one.batched, batch) for one, batch in found}
    return found[0][0] if len(alike) == 1 else None


def given(view: View, event: Event) -> EpochOfData | None:
    """Give what one `fit` goes over in each epoch."""
    data = event.arg(0, "x", "generator", "train_data")
    share = event.kwargs.get("validation_split")
    again = any(loop.count is None or loop.count.data != 1 for loop in event.loops)
    if data is None or "steps_per_epoch" in event.kwargs or again or is_otherwise_limited(event):
        return None
    if isinstance(data.data, Instance):
        cuts = any(base.rpartition(".")[2] in OF_BATCHES for base in data.data.cls.outside())
        samples = samples_in(view.run, data)
        return EpochOfData(samples, batched=cuts) if samples is not None else None
    count, batched = counted(view.run, data)
    if count is None or (share is not None and not isinstance(share.data, (int, float))):
        return None
    left = count.data - int(count.data * share.data) if share is not None else count.data
    count = Value(left, join_spots(count, *([share] if share is not None else [])))
    drops = "paddle." in event.name and (told := event.arg(9, "drop_last")) is not None and told.data is True
    return EpochOfData(count, drops, each_takes_all=has_several_processes(view), batched=batched)


def is_otherwise_limited(event: Event) -> bool:
    """Tell Paddle's `fit` that gathers gradients or ends at a number of steps."""
    gathered, most = event.arg(13, "accumulate_grad_batches"), event.arg(14, "num_iters")
    told = (gathered is not None and gathered.data != 1) or (most is not None and most.data is not None)
    return "paddle." in event.name and told


def pass_within_epochs(view: View) -> FollowedLoop | None:
    """Give the loop over data that stands in one over epochs and goes on to its end."""
    training = best_training_event(view)
    loops = training.loops if training is not None else ()
    several = [loop for loop in rounds_of(loops) if loop.count is None or loop.count.data != 1]
    return several[1] if len(several) == 2 and not ends_early(view, several[1]) else None


def streamed(view: View) -> EpochOfData | None:
    """Give what a loop over TensorFlow's data in one over epochs takes one by one."""
    within = pass_within_epochs(view)
    if within is None:
        return None
    streams = [one for one in inner_values(within.items) if isinstance(one, ExternalResult)]
    stream = next((one for one in streams if one.short in FLOWING), None)
    if stream is None or not stream.callee.startswith("tensorflow"):
        return None
    count, batched = counted(view.run, Value(stream))
    if count is None:
        return None
    return EpochOfData(count, False, has_several_processes(view), within.limits, batched)


def iterated(view: View) -> EpochOfData | None:
    """Give what a loop over an iterator of torchtext's in one over epochs takes batch by batch."""
    within = pass_within_epochs(view)
    if within is None:
        return None
    made = [one for one in inner_values(within.items) if isinstance(one, ExternalResult)]
    cut = [one for one in made if one.callee.startswith("torchtext.") and set(one.callee.split(".")) & set(ITERATORS)]
    of_texts = next((one for one in cut if SAMPLES in one.attrs), None)
    return EpochOfData(of_texts.attrs[SAMPLES], limits=within.limits) if of_texts is not None else None


def counted(run: Run, data: Value) -> tuple[Value | None, bool]:
    """Give how many items a pass over data has, and whether they are batches: as each call on them leaves it."""
    calls: list[ExternalResult] = []
    for _ in range(DEEPEST):
        made = data.data
        if not isinstance(made, ExternalResult) or made.owner is None or made.short not in (*FLOWING, "flow"):
            break
        if made.short == "flow":
            samples = made.kwargs.get("x") or next(iter(made.args), None)
            return (samples_in(run, samples), False) if "subset" not in made.kwargs else (None, False)
        calls.append(made)
        data = made.owner
    whole = samples_in(run, data)
    count: int | None = whole.data if whole is not None else None
    for call in reversed(calls):
        count = after(call, count)
    batched = any(call.short == "batch" for call in calls)
    known = type(count) is int and count > 0 and whole is not None
    return (Value(count, whole.src) if known and whole is not None else None), batched


def after(call: ExternalResult, count: int | None) -> int | None:
    """Give how many items there are after a call; None where it is not known, or without an end."""
    number = next(iter(call.args), None) or call.kwargs.get("count") or call.kwargs.get("batch_size")
    told = number.data if number is not None and type(number.data) is int else None
    if call.short == "batch":
        drops = call.kwargs.get("drop_remainder") or (call.args[1] if len(call.args) > 1 else Value(False))
        known = count is not None and told is not None and told > 0 and isinstance(drops.data, bool)
        return (count // told if drops.data else -(-count // told)) if known and count and told else None
    if call.short not in ("repeat", "take", "skip") or count is None:
        return count
    if told is None or told < 0:
        return None
    return count * told if call.short == "repeat" else min(count, told) if call.short == "take" else count - told
