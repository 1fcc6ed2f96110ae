"""Further facts of a job that its code states: they differ from job to job, and are kept by name."""

from schedmate.knowledge.code_words import words
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import Value, is_constant

PLAIN = ("sequence_length", "weight_decay", "warmup", "lr_scheduler", "image_size", "lora_rank", "num_workers", "seed")
RANDOM = ("Random", "Color", "Mixup", "CutMix", "AutoAugment", "TrivialAugment", "Gaussian")
TRANSFORMS = words("data.transforms")


def find_extras(view: View) -> None:
    """Keep what options and calls on the path state."""
    accumulation = view.accumulation
    if accumulation is not None and accumulation.data > 1:
        view.keep("extra.gradient_accumulation_steps", accumulation.data, accumulation.src)
    for name in PLAIN:
        value = view.option(name)
        if value is not None and is_constant(value) and value.data not in ("", False, True):
            view.keep(f"extra.{name}", value.data, value.src)
    find_augmentation(view)


def find_augmentation(view: View) -> None:
    """Name the random transforms that the path makes, evaluation's left out where functions say so."""
    names: dict[str, Value] = {}
    for event in view.events:
        is_transform = event.short.startswith(RANDOM) and event.name.startswith(TRANSFORMS)
        if is_transform and isinstance(event.result.data, ExternalResult):
            names.setdefault(event.short, Value(event.short, (event.spot,)))
    if names:
        spots = tuple(spot for value in names.values() for spot in value.src)
        view.keep("extra.augmentation", ", ".join(names), spots)


RULES = (Rule(Subject.EXTRAS, "options and calls", find_extras),)
