"""Stable-Baselines3: algorithms of reinforcement learning with their own defaults."""

from schedmate.knowledge.trainers import library_config
from schedmate.readers.code.evidence.rule import Certainty, Rule
from schedmate.readers.code.evidence.view import View, keep_default


def tell_optimizer(view: View) -> None:
    """Take what Stable-Baselines3's algorithms are made with, and their defaults."""
    for event in view.events:
        if not event.name.startswith(("stable_baselines3.", "sb3_contrib.")):
            continue
        defaults = library_config(f"{event.name.partition('.')[0]}.{event.short}")
        if not defaults:
            continue
        for name in ("learning_rate", "batch_size", "optimizer"):
            if name in event.kwargs and name != "optimizer":
                view.number(name, event.kwargs[name])
            elif name in defaults:
                keep_default(view, name, event, defaults[name], f"{event.short}: {name} = {defaults[name]}")


RULES = (Rule("optimizer", Certainty.SEEN + 30, "Stable-Baselines3", tell_optimizer),)
