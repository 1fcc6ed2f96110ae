"""Stable-Baselines3: algorithms of reinforcement learning with their own defaults."""

from schedmate.knowledge.trainers import library_config
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View, keep_default
from schedmate.readers.code.values.objects import Function
from schedmate.readers.code.values.value import Value


def tell_optimizer(view: View) -> None:
    """Take what Stable-Baselines3's algorithms are made with, and their defaults."""
    for event in view.of(("stable_baselines3.", "sb3_contrib.")):
        defaults = library_config(f"{event.name.partition('.')[0]}.{event.short}")
        if not defaults:
            continue
        for name in ("learning_rate", "batch_size", "optimizer"):
            if name in event.kwargs and name != "optimizer":
                view.number(name, at_the_start(view, event.kwargs[name]))
            elif name in defaults:
                keep_default(view, name, event, defaults[name], f"{event.short}: {name} = {defaults[name]}")


def at_the_start(view: View, value: Value) -> Value:
    """Give what a schedule is at the beginning: a function of the part of training that is left."""
    return view.run.call(value, [Value(1.0)]) if isinstance(value.data, Function) else value


RULES = (Rule((Subject.BATCH, Subject.OPTIMIZER), "Stable-Baselines3", tell_optimizer),)
