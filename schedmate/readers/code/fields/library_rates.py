"""Learning rates that a library takes by itself where the program names none."""

from schedmate.knowledge.trainers import library_config
from schedmate.readers.code.evidence.origins import origin
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.signs.facts import TrainingSigns
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import SourceLocation, Unknown, Value

PLAIN = frozenset({"parameters", "filter", "chain", "trainable_variables", "values"})


def default_rate(view: View, event: Event) -> None:
    """Take the library's default where the program gives no learning rate and sets none in the parameters' groups."""
    if view.run.about(TrainingSigns).sets_rate:
        return
    given = [value for name, value in event.kwargs.items() if name in ("lr", "learning_rate", "**")]
    if given or len(event.args) > 1 or not takes_plain_parameters(event):
        return
    defaults = library_config(event.name)
    for name in ("lr", "learning_rate"):
        if name in defaults:
            note = f"default of {event.name}: {name} = {defaults[name]}"
            view.keep(
                "learning_rate", defaults[name], (SourceLocation(event.spot.path, event.spot.line, "", note),), note
            )


def takes_plain_parameters(event: Event) -> bool:
    """Tell an optimizer of a model's parameters themselves from one of groups, to which rates may be written later."""
    value = event.arg(0, "params", "parameters")
    if value is not None and isinstance(value.data, Unknown):
        return origin(value) is not None
    if value is not None and isinstance(value.data, ExternalResult):
        return value.data.short in PLAIN
    return value is None or not is_groups(value)


def is_groups(value: Value) -> bool:
    """Tell a list of groups of parameters, or one whose items are not seen to be parameters."""
    items = value.data if isinstance(value.data, (list, tuple)) else []
    return any(isinstance(item.data, (Unknown, dict)) for item in items[:3])
