"""Learning rates that no option names: a library's default, and what optax's chains of transformations amount to."""

import ast

from schedmate.knowledge.code_words import words
from schedmate.knowledge.optimizers import canonical
from schedmate.knowledge.trainers import library_config
from schedmate.readers.code.evidence.view import View, keep_default
from schedmate.readers.code.fields.networks.trained_network import origin
from schedmate.readers.code.signs.facts import TrainingSigns
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult, Function
from schedmate.readers.code.values.value import External, Unknown, Value, each_of, held, sequence_of

PLAIN = frozenset({"parameters", "filter", "chain", "trainable_variables", "values"})


KEPT_RATES = frozenset(words("training.kept_rates"))

RATE_FIRST = (
    "optax",
    "keras",
    "tensorflow",
    "paddle.optimizer",
    "jax.example_libraries",
    "jax.experimental.optimizers",
)
"""Libraries whose optimizers take the rate before anything else."""


def default_rate(view: View, event: Event) -> None:
    """Take the library's default where the program gives no learning rate and sets none in the parameters' groups."""
    if view.run.about(TrainingSigns).sets_rate:
        return
    given = [value for name, value in event.kwargs.items() if name in ("lr", "learning_rate", "**")]
    before = 0 if any(library in event.name for library in RATE_FIRST) else 1
    if given or len(event.args) > before or not takes_plain_parameters(event) or is_set_afterwards(view, event):
        return
    if is_held_by_schedule(view, event):
        return
    defaults = library_config(event.name)
    for name in ("lr", "learning_rate"):
        if name in defaults:
            keep_default(view, "learning_rate", event, defaults[name], f"{event.name}: {name} = {defaults[name]}")


def is_set_afterwards(view: View, event: Event) -> bool:
    """Tell an optimizer whose rate is written once it is made, as Keras' are: `opt.learning_rate.assign(0.1)`."""
    made = held(event.result, ExternalResult)
    parts = [held(one.arg(0, "x"), External) for one in view.named("set_value")]
    names = [part.name for part in parts if part is not None]
    names += [one.name.rpartition(".")[0] for one in view.named("assign")]
    written = {name.rpartition(".")[2] for name in names} | set(made.attrs if made is not None else ())
    return not KEPT_RATES.isdisjoint(written)


def is_held_by_schedule(view: View, event: Event) -> bool:
    """Tell an optimizer inside an object of the repository's whose class writes rates: `Warmup(Adam(...), 4000)`."""
    holders = [
        value.data
        for value in view.run.instances
        if any(part.data is event.result.data for part in value.data.attrs.values())
    ]
    functions = [
        held(one, Function) for holder in holders for cls in holder.cls.lineage() for one in cls.attrs.values()
    ]
    return any(writes_rate(function.node) for function in functions if function is not None)


def writes_rate(node: ast.AST) -> bool:
    """Tell a body that sets a learning rate in a group of parameters: `group["lr"] = rate`."""
    stores = (one for one in ast.walk(node) if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store))
    return any(isinstance(one.slice, ast.Constant) and one.slice.value == "lr" for one in stores)


def takes_plain_parameters(event: Event) -> bool:
    """Tell an optimizer of a model's parameters themselves from one of groups, to which rates may be written later."""
    value = event.arg(0, "params", "parameters")
    if value is not None and isinstance(value.data, Unknown):
        return origin(value) is not None
    if value is not None and isinstance(value.data, ExternalResult):
        return value.data.short in PLAIN
    return value is None or not any(isinstance(item.data, (Unknown, dict)) for item in sequence_of(value)[:3])


def from_transformations(view: View) -> None:
    """Take optax's chains, which scale gradients by an optimizer's rule and then by a rate."""
    for event in view.events:
        if event.name.startswith("optax.scale_by_") and (known := canonical(event.short.removeprefix("scale_by_"))):
            view.keep("optimizer", known, (event.spot,))
            for scale in view.ending("optax.scale", "optax.scale_by_schedule", "optax.scale_by_learning_rate"):
                value = scale.arg(0)
                rate = peak_of(value.data) if value is not None and isinstance(value.data, ExternalResult) else value
                if rate is None or not isinstance(rate.data, (int, float)) or not 0 < abs(rate.data) < 1:
                    continue
                if rate.data < 0 or scale.short != "scale":
                    view.number("learning_rate", Value(abs(rate.data), rate.src or (scale.spot,)))


def from_momentum(view: View) -> None:
    """Take optax's chains that only gather momentum, which is what its `sgd` is made of."""
    traces = view.ending("optax.trace")
    if traces and view.ending("optax.chain"):
        view.keep("optimizer", "SGD", (traces[0].spot,), "momentum and a rate")


def peak_of(schedule: ExternalResult, depth: int = 0) -> Value | None:
    """Give the highest value that a schedule is made with, where it is written out."""
    for name in ("peak_value", "peak_lr", "initial_learning_rate", "init_value", "base_lr", "learning_rate", "value"):
        value = schedule.kwargs.get(name)
        if value is not None and isinstance(value.data, (int, float)) and value.data:
            return value
    first = schedule.args[0] if schedule.args else None
    if first is not None and type(first.data) is float and 0 < first.data < 1 and holds_rate(schedule):
        return first
    if "piecewise" in schedule.callee.lower():
        steps = flat([schedule.kwargs.get("values") or next(reversed(schedule.args), Value(None))])
        if steps and all(isinstance(step.data, (int, float)) for step in steps):
            return max(steps, key=lambda step: step.data)
    inner = [*schedule.args, *schedule.kwargs.values()]
    if depth < 3:
        rates = [peak_of(item.data, depth + 1) for item in flat(inner) if isinstance(item.data, ExternalResult)]
        known = [rate for rate in rates if rate is not None]
        if known:
            return max(known, key=lambda rate: abs(rate.data))
    if schedule.args and isinstance(schedule.args[0].data, float) and "schedule" in schedule.callee.lower():
        return schedule.args[0]
    return None


OF_A_NUMBER = ("Variable", "placeholder_with_default", "constant", "tensor")
"""What a number becomes a part of a graph by."""


def holds_rate(made: ExternalResult) -> bool:
    """Tell what holds the number that it is made with first, or lets it decay: `tf.train.exponential_decay`."""
    return made.short in OF_A_NUMBER or made.short.lower().endswith("decay")


def flat(values: list[Value]) -> list[Value]:
    """Give values and the items of lists among them."""
    return [item for value in values for item in each_of(value)]
