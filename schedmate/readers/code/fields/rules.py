"""All who propose values: the frameworks, and what fields find by themselves."""

from functools import lru_cache
from importlib import import_module

from schedmate.readers.code.adapters import MODELS
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields import (
    extras,
    framework_names,
    named_settings,
    shallow_learners,
    told_trainers,
    training,
)
from schedmate.readers.code.fields.batches import batches, drawn_batches, gathered_gradients
from schedmate.readers.code.fields.data import acted_environments, datasets, fetched_data
from schedmate.readers.code.fields.devices import (
    hardware,
    loops_elsewhere,
    precision,
    processes,
    strategies,
    told_hardware,
)
from schedmate.readers.code.fields.length import epochs_and_steps, standard_sets, steps_of_epochs
from schedmate.readers.code.fields.networks import model_names
from schedmate.readers.code.fields.rates import optimizers
from schedmate.readers.code.fields.tasks import tasks

FIELDS = (
    training, framework_names, processes, strategies, epochs_and_steps, batches, optimizers, precision, hardware,
    told_hardware, extras, model_names, datasets, tasks, shallow_learners, steps_of_epochs, standard_sets,
    told_trainers, named_settings, acted_environments, gathered_gradients, fetched_data, drawn_batches,
    loops_elsewhere,
)  # fmt: skip

LONGEST_NOTE = 200


@lru_cache(maxsize=1)
def rules() -> dict[str, tuple[Rule, ...]]:
    """Collect the rules of all frameworks and fields by what they are about, the most certain first."""
    sources = (*(import_module(name) for name in MODELS), *FIELDS)
    found: dict[str, list[Rule]] = {}
    for source in sources:
        for rule in getattr(source, "RULES", ()):
            for about in (rule.about,) if isinstance(rule.about, str) else rule.about:
                found.setdefault(about, []).append(rule)
    return {about: tuple(sorted(some, key=lambda rule: -rule.certainty)) for about, some in found.items()}


def ask(view: View, about: str) -> None:
    """Let all who know something of a subject propose; the most certain is kept, the others are remembered."""
    for rule in rules()[about]:
        let_propose(view, rule)


def let_propose(view: View, rule: Rule) -> None:
    """Let one propose; one that stumbles over what strangers wrote leaves the rest of the reading as it is."""
    with view.proposing(rule.proposer, rule.certainty):
        try:
            rule.propose(view)
        except Exception as error:  # whatever it is: what others propose must not be lost with it
            view.run.note(
                f"{rule.proposer} stumbles over a fault of the reader: {type(error).__name__}: {error}"[:LONGEST_NOTE]
            )
