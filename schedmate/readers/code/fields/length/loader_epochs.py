"""Loaders of PyTorch's and the loops over them: how many samples an epoch has, and what is left out of them."""

import ast
from collections.abc import Callable
from dataclasses import replace

from schedmate.knowledge.evaluation_words import tells_evaluation
from schedmate.readers.code.evidence.data_loaders import best_training_event, inner_values, training_loaders
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.batches.batch_shares import has_several_processes
from schedmate.readers.code.fields.length.early_ends import ends_early
from schedmate.readers.code.fields.length.epochs_of_data import EpochOfData
from schedmate.readers.code.fields.length.passed_over import passes_over_small
from schedmate.readers.code.fields.length.sampler_lengths import gives_its_length
from schedmate.readers.code.frameworks.ignite import IgniteFacts
from schedmate.readers.code.frameworks.lightning import trainers
from schedmate.readers.code.libraries.data_lengths import length_of, samples_in
from schedmate.readers.code.python.rounds.endless_loops import is_endless
from schedmate.readers.code.python.rounds.loop_counts import count_of
from schedmate.readers.code.values.events import Event, FollowedLoop, LoopLimit
from schedmate.readers.code.values.joining import truth
from schedmate.readers.code.values.objects import ExternalResult, Function, Instance
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import Value, held, sequence_of

UNCOUNTED = ("overfit_batches", "fast_dev_run")
"""How Lightning's trainer is told to try a part of the data."""
DEALING = ("DistributedSampler", "DistributedBatchSampler")
"""Samplers that deal the samples out to the processes; Paddle's makes the batches, too."""
WHOLE = (*DEALING, "RandomSampler", "SequentialSampler")
"""Samplers that take each sample once."""
DRAWING = {"SubsetRandomSampler": "indices", "WeightedRandomSampler": "num_samples", "RandomSampler": "num_samples"}
"""Samplers that take so many samples as they are told, and by which argument."""


def looped_over(view: View, count: Callable[[Run, Value | None], Value | None]) -> EpochOfData | None:
    """Give the samples of the loader that the training loop goes over, or Lightning's trainer, and if it drops some."""
    loader = next(iter(training_loaders(view)), None)
    by_timm = loader is not None and loader.name.startswith("timm.") and loader.short == "create_loader"
    if loader is None or not (loader.short == "DataLoader" or by_timm):
        return None
    sampler, drops = (None, loader.kwargs.get("is_training")) if by_timm else sampler_of(loader)
    own = length_of_sampler(view, sampler)
    drawn = own or drawn_by(view, sampler)
    if drawn is None and not takes_all(sampler):
        return None
    fits = view.once(trainers)
    loop = gone_over(view, loader) if not fits else None
    engine = run_over(view, loader) if not (fits or loop) else None
    cut = any(told_to_limit(event.kwargs.get(name)) for event in fits for name in UNCOUNTED)
    if cut or not (fits or loop or engine is not None):
        return None
    samples = drawn or count(view.run, loader.arg(0, "dataset"))
    if samples is None:
        return None
    batched = own is not None and "batch_sampler" in loader.kwargs
    shared = own is None and (bool(fits) or by_timm or is_shared(view, sampler))
    left_out = (drops is not None and truth(drops) is True) or (loop is not None and passes_over_small(loop))
    found = EpochOfData(samples, left_out, not shared, engine or [], batched)
    if engine is not None:
        return found
    if loop is None:
        return limited_by_trainer(found, fits)
    beside = limits_beside(view, loader, loop)
    return replace(found, limits=[*loop.limits, *beside]) if beside is not None else None


def run_over(view: View, loader: Event) -> list[LoopLimit] | None:
    """Give the limits of the one engine of Ignite's that runs over a loader; None where there is no such one."""
    runs = view.run.about(IgniteFacts).data
    if len(runs) != 1 or view.once(ends_engines) or runs[0][0].data is not loader.result.data:
        return None
    told = runs[0][1]
    if told is None or told.data is None:
        return []
    return [LoopLimit(None, told)] if type(told.data) is int and told.data > 0 else None


def ends_engines(view: View) -> bool:
    """Tell a program that ends an engine of Ignite's itself: `engine.terminate()`."""
    nodes = (node for tree in view.run.trees.values() if tree is not None for node in ast.walk(tree))
    return any(isinstance(node, ast.Attribute) and node.attr in ("terminate", "terminate_epoch") for node in nodes)


def limits_beside(view: View, loader: Event, loop: FollowedLoop) -> list[LoopLimit] | None:
    """Give how far what a loop takes beside a loader's batches reaches, as `zip` does; None where it is not known."""
    made = next(
        (one for one in inner_values(loop.items) if isinstance(one, ExternalResult) and one.callee == "zip"), None
    )
    limits = []
    for other in made.args if made is not None else ():
        if is_endless(other) or any(loader.result.data is one for one in inner_values(other)):
            continue
        length = count_of(other) or length_of(view.run, other)
        if length is None or type(length.data) is not int or length.data < 1:
            return None
        limits.append(LoopLimit(None, length))
    return limits


def limited_by_trainer(found: EpochOfData, fits: list[Event]) -> EpochOfData | None:
    """Take what Lightning's trainer is told to go over: so many batches, a share of them, so many steps in all."""
    told = [value for event in fits if (value := event.kwargs.get("limit_train_batches")) is not None]
    steps = [value for event in fits if (value := event.kwargs.get("max_steps")) is not None]
    if any(value.data is not None and type(value.data) not in (int, float) for value in told):
        return None
    cut = [value for value in told if type(value.data) is int]
    share = min((value.data for value in told if type(value.data) is float), default=1.0)
    most = [value for value in steps if type(value.data) is int and value.data > 0]
    limits = [LoopLimit(None, value) for value in cut]
    return replace(found, limits=limits, share=share, most_steps=most[0] if most else None)


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


def length_of_sampler(view: View, sampler: Value | None) -> Value | None:
    """Give how much a sampler of the repository's own says to draw in an epoch, each process for itself."""
    made = sampler.data if sampler is not None else None
    if sampler is None or not isinstance(made, Instance) or held(made.cls.find("__len__"), Function) is None:
        return None
    return samples_in(view.run, sampler) if gives_its_length(made.cls) else None


def is_shared(view: View, sampler: Value | None) -> bool:
    """Tell a loader whose samples are dealt out to the processes, be there several or one alone."""
    made = sampler.data if sampler is not None else None
    alone = made is None or (isinstance(made, ExternalResult) and made.short not in DEALING)
    return not (alone and has_several_processes(view)) or bool(view.named(*SHARING))


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
    over = [loop for loop in loops if any(loader.result.data is one for one in taken_by(loop))]
    cut = over and any(isinstance(one, ExternalResult) and one.short == "islice" for one in inner_values(over[0].items))
    if not over or cut or (ends_early(view, over[0]) and not is_left_as_asked(view, over[0])):
        return None
    several = [loop for loop in rounds_of(loops) if is_of_epochs(loop) or loop.count is None or loop.count.data != 1]
    is_inner = over[0] in several[1:2] and several[2:] == []
    return over[0] if is_inner and not trains_beside(view, several[0], over[0]) else None


def trains_beside(view: View, outer: FollowedLoop, inner: FollowedLoop) -> bool:
    """Tell an epoch in which another loop trains as well, over other data."""
    places = [[loop.spot for loop in event.loops] for event in view.training if event.short == "backward"]
    return any(outer.spot in spots[:-1] and inner.spot not in spots for spots in places)


def taken_by(loop: FollowedLoop) -> list[object]:
    """Give what a loop goes over: what is inside of its items, and what is called for them, as Paddle's `loader()`."""
    inside = inner_values(loop.items)
    called = [one.owner.data for one in inside if isinstance(one, ExternalResult) and one.owner and "()" in one.callee]
    return [*inside, *called]


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
