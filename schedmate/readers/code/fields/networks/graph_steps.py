"""Networks of TensorFlow 1: the object that keeps a graph's training step, or in whose method that is made."""

from schedmate.knowledge.code_words import words
from schedmate.knowledge.models import family_of, stands_beside
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.networks.networks_beside import ends_behind
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import Value

DRIVERS = words("networks.drivers")
"""How classes end that drive a training and are no network, even where they hold none."""
GRAPH_STEPS = ("minimize", "apply_gradients")
"""Methods of optimizers that put a training step into a graph."""


def holding_object(view: View) -> Value | None:
    """Give the object that keeps the step of a graph of TensorFlow 1; who keeps an optimizer only drives it."""
    made = [event for event in view.training if event.sure and makes_a_step(event)]
    kept = {id(event.result.data) for event in made if isinstance(event.result.data, ExternalResult)}
    for value in view.run.instances:
        name = value.data.cls.name
        holds = any(id(part.data) in kept for part in value.data.attrs.values())
        if holds and not stands_beside(name) and not name.endswith(DRIVERS):
            return value
    return making_object(view, made)


def making_object(view: View, steps: list[Event]) -> Value | None:
    """Give the object in whose own method the step is made, where its class is named after a family of models."""
    for value in view.run.instances:
        cls = value.data.cls
        makes = any(cls.spot.path == step.spot.path and ends_behind(cls, step.spot.line) for step in steps)
        if makes and family_of(cls.name) is not None and not cls.name.endswith(DRIVERS):
            return value
    return None


def makes_a_step(event: Event) -> bool:
    """Tell a call that puts a training step into a graph."""
    return event.name.startswith("tensorflow.") and event.short in GRAPH_STEPS
