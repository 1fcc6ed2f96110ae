"""Batches that nobody calls so: samples drawn at random in each step, a loader's default, torchtext's iterators."""

from schedmate.knowledge.evaluation_words import tells_evaluation
from schedmate.readers.code.evidence.data_loaders import best_training_event, looped_over, training_loaders
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View, is_known
from schedmate.readers.code.libraries.data_lengths import samples_in
from schedmate.readers.code.python.rounds.loop_counts import PROGRESS_BARS
from schedmate.readers.code.values.events import Event, FollowedLoop
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import Value, sequence_of

COUNTERS = ("range", "count", *PROGRESS_BARS)
"""What a loop counts by that goes over no data."""
DRAWING = ("sample", "choice", "choices", "randint")
LIBRARIES = ("random.", "numpy.random.", "torch.")
ITERATORS = (
    "BucketIterator.splits",
    "Iterator.splits",
    "torchtext.data.BucketIterator",
    "torchtext.legacy.data.BucketIterator",
)
LIGHTNING = ("pytorch_lightning.", "lightning.")
MOST = 100_000


def by_drawing(view: View) -> None:
    """Take how many samples each step draws at random, where all draws in the training loop are of one number.

    A draw in a loop around the steps picks something else, clients or pictures to show, and steps that go over data
    have their batches from there.
    """
    training = best_training_event(view)
    loops = training.loops if training is not None else ()
    drawn: dict[int, Value] = {}
    is_of_step, perhaps = False, training is not None and not training.sure  # once enough is remembered
    for event in view.events if loops and only_counts(loops[-1]) else ():
        if (
            (event.sure or perhaps)
            and event.short in DRAWING
            and event.name.startswith(LIBRARIES)
            and loops[0] in event.loops
        ):
            count = drawn_by(event)
            if count is not None and 1 < count.data < MOST:
                drawn.setdefault(count.data, Value(count.data, count.src or (event.spot,)))
                is_of_step |= event.loops[-1] is loops[-1]
    if len(drawn) == 1 and is_of_step:
        view.number("batch_size", next(iter(drawn.values())))


def by_next_batch(view: View) -> None:
    """Take how many samples a step asks its data for, where all that train ask for the same: `next_batch(64)`."""
    training = best_training_event(view)
    loops = training.loops if training is not None else ()
    asked: dict[int, Value] = {}
    for event in view.named("next_batch") if loops else ():
        told = event.arg(0, "batch_size")
        aside = tells_evaluation(event.name.lower(), "splits") and "train" not in event.name.lower()
        if event.sure and not aside and event.loops[:1] == loops[:1] and told is not None and type(told.data) is int:
            asked.setdefault(told.data, Value(told.data, told.src or (event.spot,)))
    if len(asked) == 1:
        view.number("batch_size", next(iter(asked.values())))


def by_unknown_loader(view: View) -> None:
    """Take the batch that something out of sight is told which makes what the job trains on: `rows(batch_size=8)`."""
    handed = [event.arg(1, "train_dataloaders", "train_dataloader") for event in view.of(LIGHTNING, "fit")]
    made = [one.data for one in handed if one is not None] or looped_over(view)
    for data in (one for one in made if isinstance(one, ExternalResult) and not is_known(one.callee)):
        told = data.kwargs.get("batch_size")
        if told is not None and type(told.data) is int and not tells_evaluation(data.short, "splits"):
            view.number("batch_size", Value(told.data, told.src or (data.spot,)))
            return


def only_counts(loop: FollowedLoop) -> bool:
    """Tell a loop that goes over no data: over numbers, or as long as something holds."""
    data = loop.items.data
    while isinstance(data, ExternalResult) and data.short in PROGRESS_BARS and data.args:
        data = data.args[0].data
    return loop.kind == "while" or isinstance(data, range) or getattr(data, "short", "") in COUNTERS


def drawn_by(event: Event) -> Value | None:
    """Give how many things a call draws, if it is told."""
    if event.short in ("sample", "choices", "choice"):
        told = event.arg(1, "k", "size")
        return told if told is not None and type(told.data) is int else None
    told = event.kwargs.get("size") or (event.args[2] if len(event.args) > 2 else None)
    told = told or (event.args[1] if len(event.args) == 2 and sequence_of(event.args[1]) else None)
    if told is None:
        return None
    sides = sequence_of(told)
    return sides[0] if sides and type(sides[0].data) is int else told if type(told.data) is int else None


def by_default(view: View) -> None:
    """Take one sample where a loader of torch's is told nothing of batches, nor what to make of samples."""
    for event in training_loaders(view)[:1]:
        told = len(event.args) > 1 or event.kwargs.keys() & {"batch_size", "batch_sampler", "collate_fn", "**"}
        batched = samples_in(view.run, event.arg(0, "dataset")) is not None
        if event.name.endswith("utils.data.DataLoader") and not told and batched and view.option("batch_size") is None:
            view.keep("batch_size", 1, (event.spot,), "default of torch's DataLoader: batch_size = 1")


def by_iterators(view: View) -> None:
    """Take the batch that iterators of torchtext cut data into, the first of several."""
    for event in view.ending(*ITERATORS):
        if (counted := event.kwargs.get("batch_size_fn")) is not None and counted.data is not None:
            continue  # in tokens, mostly
        told = event.kwargs.get("batch_size") or event.arg(1, "batch_sizes")
        first = next(iter(sequence_of(told)), told)
        if first is not None and type(first.data) is int:
            view.number("batch_size", Value(first.data, first.src or (event.spot,)))
            return


RULES = (
    Rule(Subject.BATCH, "torchtext's iterators", by_iterators),
    Rule(Subject.BATCH, "what each step asks for", by_next_batch),
    Rule(Subject.BATCH, "what each step draws at random", by_drawing),
    Rule(Subject.BATCH, "a loader out of sight", by_unknown_loader),
    Rule(Subject.BATCH, "a loader's default", by_default),
)
