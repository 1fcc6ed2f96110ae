"""How many steps a job takes whose epochs are known: by the steps that an epoch is told, or by samples and batch."""

import ast
from collections.abc import Callable
from dataclasses import dataclass

from schedmate.knowledge.evaluation_words import tells_evaluation
from schedmate.readers.code.evidence.data_loaders import best_training_event, inner_values, training_loaders
from schedmate.readers.code.evidence.rule import Certainty, Rule
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.early_ends import ends_early
from schedmate.readers.code.fields.epochs_and_steps import asked_exit, plays
from schedmate.readers.code.fields.passed_over import passes_over_small
from schedmate.readers.code.frameworks.lightning import trainers
from schedmate.readers.code.frameworks.llamafactory import listed_samples
from schedmate.readers.code.frameworks.transformers import told, trainer_arguments
from schedmate.readers.code.launchers.settled_counts import started_in_ranks
from schedmate.readers.code.libraries.data_lengths import samples_in
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.events import Event, FollowedLoop
from schedmate.readers.code.values.joining import truth
from schedmate.readers.code.values.leaving import BudgetSpent, ProgramExited, ProgramRaised
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import Value, join_spots, sequence_of

LIMITS = ("limit_train_batches", "overfit_batches", "fast_dev_run")
"""How Lightning's trainer is told to go over a part of the data."""
PACKS = ("packing", "streaming")
"""Settings by which samples are put together or come without an end."""
DEALING = ("DistributedSampler", "DistributedBatchSampler")
"""Samplers that deal the samples out to the processes; Paddle's makes the batches, too."""
WHOLE = (*DEALING, "RandomSampler", "SequentialSampler")
"""Samplers that take each sample once."""
FLOWING = ("prefetch", "cache", "shuffle", "map", "with_options", "batch")
"""Calls on TensorFlow's data that take each sample once."""
DRAWING = {"SubsetRandomSampler": "indices", "WeightedRandomSampler": "num_samples", "RandomSampler": "num_samples"}
"""Samplers that take so many samples as they are told, and by which argument."""


def from_told_length(view: View) -> None:
    """Multiply the epochs by the steps that an option gives each of them."""
    each, epochs = view.option("steps_per_epoch"), view.values.get("epochs")
    if each is None or type(each.data) is not int or each.data < 2 or epochs is None or is_open(epochs.value):
        return
    if "total_steps" not in view.values and not plays(view):
        note = f"{epochs.value:g} epochs of {each.data} steps"
        view.keep("total_steps", int(epochs.value * each.data), (*epochs.spots[:1], *each.src[:1]), note)


def is_open(epochs: object) -> bool:
    """Tell epochs that are no known number."""
    return isinstance(epochs, bool) or not isinstance(epochs, (int, float)) or epochs <= 0


def from_asked_exit(view: View) -> None:
    """Take the steps that the command asks for, where nobody knows how many the epochs have."""
    if "total_steps" not in view.values:
        view.number("total_steps", asked_exit(view))


@dataclass(frozen=True)
class EpochOfData:
    """How many samples an epoch has, whether a last small batch is dropped, and if every process goes over all."""

    samples: Value
    drops: bool = False
    each_takes_all: bool = False
    loop: FollowedLoop | None = None
    """The loop over its batches, which may be left before."""


def from_samples(view: View) -> None:
    """Count the batches of an epoch where it is known how many samples the data for training hold."""
    keep_steps(view, lambda: handed_to_trainer(view) or fitted(view) or looped(view) or listed(view))


def looped(view: View) -> EpochOfData | None:
    """Give the samples of what the training loop goes over."""
    return looped_over(view, samples_in) or streamed(view)


def keep_steps(view: View, find: Callable[[], EpochOfData | None]) -> None:
    """Keep the steps of all epochs, where epochs, batch and samples are known."""
    epochs, whole, own = (view.values.get(name) for name in ("epochs", "global_batch_size", "batch_size"))
    if "total_steps" in view.values or plays(view) or epochs is None or is_open(epochs.value):
        return
    times = view.accumulation.data if view.accumulation is not None else 1
    if whole is None or type(whole.value) is not int or whole.value % times:
        return
    try:
        found = find()
    except (BudgetSpent, ProgramRaised, ProgramExited, RecursionError):
        return
    if found is None or found.samples.data < 2:
        return
    samples, batch = found.samples, whole.value // times
    if found.each_takes_all:
        if own is None or type(own.value) is not int or own.value < 1:
            return
        batch = own.value
    batches = samples.data // batch if found.drops else -(-samples.data // batch)
    limits = found.loop.limits if found.loop is not None else []
    batches = min([batches, *(one.rounds.data for one in limits if not one.of_all)])
    steps = int(epochs.value * max(1, -(-batches // times)))
    spots = (*epochs.spots[:1], *samples.src[:1], *whole.spots[:1])
    asked = asked_exit(view)
    if asked is not None and asked.data < steps:
        view.number("total_steps", asked)
        return
    met = [one for one in limits if one.of_all and one.rounds.data < epochs.value * batches]
    if not met:
        view.keep("total_steps", steps, spots, f"{epochs.value:g} epochs of {samples.data} samples")
    elif times == 1 and all(one.ends_all for one in met):
        first = min((one.rounds for one in met), key=lambda rounds: rounds.data)
        if view.number("total_steps", first) and -(-first.data // batches) != epochs.value:
            view.give_up("epochs")


def looped_over(view: View, count: Callable[[Run, Value | None], Value | None]) -> EpochOfData | None:
    """Give the samples of the loader that the training loop goes over, or Lightning's trainer, and if it drops some."""
    loader = next(iter(training_loaders(view)), None)
    if loader is None or loader.short != "DataLoader":
        return None
    sampler, drops = sampler_of(loader)
    drawn = drawn_by(view, sampler)
    if drawn is None and not takes_all(sampler):
        return None
    fits = view.once(trainers)
    loop = gone_over(view, loader) if not fits else None
    if any(told_to_limit(event.kwargs.get(name)) for event in fits for name in LIMITS) or not (fits or loop):
        return None
    samples = drawn or count(view.run, loader.arg(0, "dataset"))
    if samples is None:
        return None
    shared = bool(fits) or is_shared(view, sampler)
    left_out = (drops is not None and truth(drops) is True) or (loop is not None and passes_over_small(loop))
    return EpochOfData(samples, left_out, not shared, loop)


SHARING = ("prepare", "prepare_data_loader", "setup_dataloaders", "initialize", "process_dataloader")
"""Calls of libraries that deal a loader's samples out to the processes: Accelerate, Ray, Fabric, DeepSpeed, Ignite."""


def sampler_of(loader: Event) -> tuple[Value | None, Value | None]:
    """Give what draws a loader's samples, be it inside of what makes its batches, and whether a small batch is left."""
    batches = loader.kwargs.get("batch_sampler")
    made = batches.data if batches is not None else None
    if made is None:
        return loader.kwargs.get("sampler"), loader.kwargs.get("drop_last")
    if not isinstance(made, ExternalResult) or made.short != "BatchSampler":
        return batches, made.kwargs.get("drop_last") if isinstance(made, ExternalResult) else None
    inner = made.kwargs.get("sampler") or (made.args[0] if made.args and "dataset" not in made.kwargs else None)
    return inner, made.kwargs.get("drop_last") or (made.args[2] if len(made.args) > 2 else None)


def is_shared(view: View, sampler: Value | None) -> bool:
    """Tell a loader whose samples are dealt out to the processes, be there several or one alone."""
    made = sampler.data if sampler is not None else None
    alone = made is None or (isinstance(made, ExternalResult) and made.short not in DEALING)
    return not (alone and starts_several(view)) or bool(view.named(*SHARING))


def starts_several(view: View) -> bool:
    """Tell a job of several processes, of which each has its own loop over data."""
    return started_in_ranks(view.launch) or view.run.about(ProcessSigns).starts is not None


def drawn_by(view: View, sampler: Value | None) -> Value | None:
    """Give how many samples a sampler draws for each epoch, where it is told so."""
    made = sampler.data if sampler is not None else None
    if not isinstance(made, ExternalResult) or made.short not in DRAWING:
        return None
    place = {"SubsetRandomSampler": 0, "WeightedRandomSampler": 1}.get(made.short, 2)
    told = made.kwargs.get(DRAWING[made.short]) or (made.args[place] if len(made.args) > place else None)
    if told is None or told.data is None:
        return None
    return told if type(told.data) is int and told.data > 0 else samples_in(view.run, told)


def takes_all(sampler: Value | None) -> bool:
    """Tell a sampler that goes over all samples once, if one is given at all: others draw a part, or some twice."""
    if sampler is None or sampler.data is None:
        return True
    data = sampler.data
    return isinstance(data, ExternalResult) and data.short in WHOLE and "num_samples" not in data.kwargs


def told_to_limit(value: Value | None) -> bool:
    """Tell a limit of the batches in an epoch from its default."""
    return value is not None and (value.data is True or value.data not in (None, False, 0, 1.0))


def gone_over(view: View, loader: Event) -> FollowedLoop | None:
    """Give the loop in one over epochs that takes a loader's batches one by one, to the end or a known number."""
    training = best_training_event(view)
    loops = training.loops if training is not None else ()
    over = [loop for loop in loops if any(loader.result.data is one for one in inner_values(loop.items))]
    cut = over and any(isinstance(one, ExternalResult) and one.short == "islice" for one in inner_values(over[0].items))
    if not over or cut or (ends_early(view, over[0]) and not is_left_as_asked(view, over[0])):
        return None
    several = [loop for loop in rounds_of(loops) if is_of_epochs(loop) or loop.count is None or loop.count.data != 1]
    return over[0] if over[0] in several[1:2] and several[2:] == [] else None


def is_left_as_asked(view: View, loop: FollowedLoop) -> bool:
    """Tell a loop that is left in one place alone, at a number of steps that the command asks for."""
    ways = [one for part in loop.body for one in ast.walk(part) if isinstance(one, (ast.Break, ast.Return))]
    return len(ways) == 1 and loop.left_at is not None and view.is_told(loop.left_at[1])


def is_of_epochs(loop: FollowedLoop) -> bool:
    """Tell a loop of epochs by its names: of one epoch, too."""
    return any("epoch" in name.lower() for name in loop.names)


def rounds_of(loops: tuple[FollowedLoop, ...]) -> list[FollowedLoop]:
    """Leave out loops over the phases of an epoch, of which training is one: `for phase in ["train", "val"]`."""
    return [loop for loop in loops if not is_of_phases(loop)]


def is_of_phases(loop: FollowedLoop) -> bool:
    """Tell a loop over names of which one means training and all others evaluation."""
    names = [str(one.data).lower() for one in sequence_of(loop.items) if isinstance(one.data, str)]
    trained = [name for name in names if name.startswith("train")]
    return len(trained) == 1 and all(tells_evaluation(name, "splits") for name in names if name not in trained)


def handed_to_trainer(view: View) -> EpochOfData | None:
    """Give the samples that a trainer of Hugging Face's is handed, and whether it drops a last small batch."""
    if view.once(trainer_arguments) is None or any(truth(told(view).get(name, Value(None))) for name in PACKS):
        return None
    for event in view.events:
        data = event.kwargs.get("train_dataset")
        samples = samples_in(view.run, data) if data is not None and event.short.endswith("Trainer") else None
        if samples is not None:
            return EpochOfData(samples, truth(told(view).get("dataloader_drop_last", Value(False))) is True)
    return None


def fitted(view: View) -> EpochOfData | None:
    """Give the samples that Keras' `fit` is given, less those that it keeps back to validate."""
    for event in view.named("fit"):
        data = event.arg(0, "x") if "keras" in event.name or "tensorflow" in event.name else None
        samples = samples_in(view.run, before_batches(data)) if "steps_per_epoch" not in event.kwargs else None
        share = event.kwargs.get("validation_split")
        if samples is None or (share is not None and not isinstance(share.data, (int, float))):
            continue
        left = samples.data - int(samples.data * share.data) if share is not None else samples.data
        counted = Value(left, join_spots(samples, *([share] if share is not None else [])))
        return EpochOfData(counted, each_takes_all=starts_several(view))
    return None


def streamed(view: View) -> EpochOfData | None:
    """Give the samples of TensorFlow's data whose batches a loop over epochs takes one by one."""
    training = best_training_event(view)
    loops = training.loops if training is not None else ()
    several = [loop for loop in rounds_of(loops) if loop.count is None or loop.count.data != 1]
    if len(several) != 2 or ends_early(view, several[1]):
        return None
    streams = [one for one in inner_values(several[1].items) if isinstance(one, ExternalResult)]
    stream = next((one for one in streams if one.short in FLOWING), None)
    if stream is None or not stream.callee.startswith("tensorflow"):
        return None
    samples = samples_in(view.run, before_batches(Value(stream)))
    return EpochOfData(samples, False, starts_several(view), several[1]) if samples is not None else None


def before_batches(data: Value | None) -> Value | None:
    """Give the samples of what Keras' `fit` is given: what stands before `batch`, or what a generator goes over."""
    for _ in range(20):
        made = data.data if data is not None else None
        if not isinstance(made, ExternalResult) or made.owner is None or made.short not in (*FLOWING, "flow"):
            break
        if made.short == "flow":
            return None if "subset" in made.kwargs else made.kwargs.get("x") or next(iter(made.args), None)
        drops = made.kwargs.get("drop_remainder")
        if made.short == "batch" and ((drops is not None and drops.data is not False) or len(made.args) > 1):
            return None
        data = made.owner
    return data


def listed(view: View) -> EpochOfData | None:
    """Give the samples of files that a tuning tool's configuration names."""
    samples = listed_samples(view)
    return EpochOfData(samples) if samples is not None else None


RULES = (
    Rule("steps of epochs", Certainty.OPTION + 10, "the steps of an epoch", from_told_length),
    Rule("steps of epochs", Certainty.OPTION, "samples and batch", from_samples),
    Rule("steps of epochs", Certainty.LIKELY - 10, "the steps that the command asks for", from_asked_exit),
)
