"""What an evaluation trains for itself, such as a classifier on a model's features: it is not what the job trains."""

from schedmate.knowledge.evaluation_words import tells_evaluation
from schedmate.readers.code.values.events import Event

TRAINS_TOO = ("train", "fit", "learn")
"""Parts of names of functions that do not evaluate alone: `train_and_evaluate`."""


def is_in_evaluation(event: Event) -> bool:
    """Tell a call inside a function that is named after evaluation alone."""
    return any(
        tells_evaluation(name) and not any(part in name.lower() for part in TRAINS_TOO) for name in event.functions
    )


def without_probes(events: list[Event]) -> list[Event]:
    """Leave out what only evaluations do, where others do the same for sure, or nobody does."""
    others = [event for event in events if not is_in_evaluation(event)]
    is_settled = any(event.sure for event in others) or not any(event.sure for event in events)
    return others if others and is_settled else events
