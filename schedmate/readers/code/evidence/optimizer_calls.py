"""The calls that make optimizers on the path."""

from schedmate.knowledge.optimizers import is_library_optimizer
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.value import SourceLocation


def optimizer_events(view: View) -> list[Event]:
    """Give the calls that make optimizers on the path, those first that something is trained with."""
    made = [event for event in view.events if is_library_optimizer(event.name)]
    used = [event.owner.data for event in view.training if event.owner is not None]
    made.sort(key=lambda event: not any(event.result.data is owner for owner in used))
    rivals: dict[SourceLocation, set[str]] = {}
    for event in made:
        rivals.setdefault(event.spot, set()).add(event.short)
    # One call that may make one of several classes, chosen from a table by what is not known, makes none for sure.
    return [event for event in made if event.sure or len(rivals[event.spot]) == 1]
