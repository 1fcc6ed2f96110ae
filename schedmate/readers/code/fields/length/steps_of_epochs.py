"""How many steps a job takes whose epochs are known: by the steps that an epoch is told, or by samples and batch."""

from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.length.epochs_and_steps import asked_exit, plays
from schedmate.readers.code.fields.length.epochs_of_data import EpochOfData, is_open, keep_steps
from schedmate.readers.code.fields.length.loader_epochs import looped_over
from schedmate.readers.code.fields.length.stream_epochs import fitted, iterated, streamed
from schedmate.readers.code.frameworks.llamafactory import listed_samples
from schedmate.readers.code.frameworks.transformers import told, trainer_arguments
from schedmate.readers.code.libraries.data_lengths import samples_in
from schedmate.readers.code.values.joining import truth
from schedmate.readers.code.values.value import Value

PACKS = ("packing", "streaming")
"""Settings by which samples are put together or come without an end."""


def from_told_length(view: View) -> None:
    """Multiply the epochs by the steps that an option gives each of them."""
    each, epochs = view.option("steps_per_epoch"), view.values.get("epochs")
    if each is None or type(each.data) is not int or each.data < 2 or epochs is None or is_open(epochs.value):
        return
    if not plays(view):
        note = f"{epochs.value:g} epochs of {each.data} steps"
        view.keep("total_steps", int(epochs.value * each.data), (*epochs.spots[:1], *each.src[:1]), note)


ANSWERING = ("GRPOTrainer", "RLOOTrainer", "PPOTrainer")
"""Trainers whose batches are of answers, several to each sample."""


def from_asked_exit(view: View) -> None:
    """Take the steps that the command asks for, where nobody knows how many the epochs have."""
    view.number("total_steps", asked_exit(view))


def from_samples(view: View) -> None:
    """Count the batches of an epoch where it is known how many samples the data for training hold."""
    keep_steps(view, lambda: handed_to_trainer(view) or fitted(view) or looped(view) or listed(view))


def looped(view: View) -> EpochOfData | None:
    """Give the samples of what the training loop goes over."""
    return looped_over(view, samples_in) or streamed(view) or iterated(view)


def handed_to_trainer(view: View) -> EpochOfData | None:
    """Give the samples that a trainer of Hugging Face's is handed, and whether it drops a last small batch."""
    if view.once(trainer_arguments) is None or any(truth(told(view).get(name, Value(None))) for name in PACKS):
        return None
    for event in view.events:
        data = event.kwargs.get("train_dataset")
        counts = data is not None and event.short.endswith("Trainer") and event.short not in ANSWERING
        samples = samples_in(view.run, data) if counts else None
        if samples is not None:
            return EpochOfData(samples, truth(told(view).get("dataloader_drop_last", Value(False))) is True)
    return None


def listed(view: View) -> EpochOfData | None:
    """Give the samples of files that a tuning tool's configuration names."""
    samples = listed_samples(view)
    return EpochOfData(samples) if samples is not None else None


RULES = (
    Rule(Subject.STEPS_OF_EPOCHS, "the steps of an epoch", from_told_length),
    Rule(Subject.STEPS_OF_EPOCHS, "samples and batch", from_samples),
    Rule(Subject.STEPS_OF_EPOCHS, "the steps that the command asks for", from_asked_exit),
)
