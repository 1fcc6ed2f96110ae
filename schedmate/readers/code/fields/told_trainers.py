"""What trainers of libraries that nobody here knows are told by name: an option's usual meaning holds for them, too."""

from collections.abc import Iterator

from schedmate.knowledge.code_words import words
from schedmate.knowledge.library_trainers import row_of_call
from schedmate.knowledge.option_names import field_of_name, squashed
from schedmate.readers.code.evidence.optimizer_calls import keep_optimizer
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View, is_known
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import Value

NUMBERS = ("batch_size", "epochs", "total_steps", "learning_rate")

PARCELS = ("args", "kwargs", "params", "arguments", "parameters", "config", "hparams", "hyperparameters")
"""How arguments end that hold others: `optimizer_kwargs`, `training_args`."""
ASIDE = words("training.arguments_aside")


def by_name(view: View) -> None:
    """Take what the training call of an unknown library, or the making of its trainer, is told by names of settings."""
    for name, value in view.once(told):
        meaning = field_of_name().get(squashed(name), ("", 0))[0]
        if meaning in NUMBERS:
            view.number(meaning, value)
        elif meaning == "optimizer":
            keep_optimizer(view, value)


def told(view: View) -> list[tuple[str, Value]]:
    """Give the settings that unknown trainers are told, the call's before those of what made the trainer."""
    calls = [event for event in view.training if event.sure and is_unknown_library(event)]
    if len(calls) != len(view.training):
        return []
    return [pair for event in calls for pair in settings_of(event)]


def is_unknown_library(event: Event) -> bool:
    """Tell a call of a library of which nothing but its names is known here."""
    return event.name[:1].isalpha() and not is_known(event.name) and row_of_call(event.name) is None


def settings_of(event: Event) -> list[tuple[str, Value]]:
    """Give what one call and the maker of its object are told by names with a meaning."""
    handed = [value.data for value in event.args if type(value.data) is dict]
    found = [*spread(event.kwargs), *(pair for mapping in handed for pair in spread(mapping))]
    owner = event.owner.data if event.owner is not None else None
    if isinstance(owner, ExternalResult):
        found += spread(owner.kwargs)
    return [(name, value) for name, value in found if not name.startswith(ASIDE)]


def spread(arguments: dict[str, Value], depth: int = 0) -> Iterator[tuple[str, Value]]:
    """Give arguments by name, those too that others hold: `optimizer_params=dict(lr=0.02)`."""
    for name, value in arguments.items():
        if isinstance(name, str):
            yield name, value
            if isinstance(value.data, dict) and depth < 2 and name.lower().endswith(PARCELS):
                yield from spread(value.data, depth + 1)


RULES = (Rule((Subject.DURATION, Subject.BATCH, Subject.OPTIMIZER), "what a library's trainer is told", by_name),)
