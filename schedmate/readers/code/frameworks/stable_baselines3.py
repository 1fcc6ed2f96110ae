"""Stable-Baselines3: algorithms of reinforcement learning with their own defaults."""

from schedmate.knowledge.trainers import library_config
from schedmate.readers.code.evidence.rule import Certainty, Rule
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.value import SourceLocation


def tell_optimizer(view: View) -> None:
    """Take what Stable-Baselines3's algorithms are made with, and their defaults."""
    for event in view.events:
        if not event.name.startswith(("stable_baselines3.", "sb3_contrib.")):
            continue
        defaults = library_config(f"{event.name.partition('.')[0]}.{event.short}")
        if not defaults:
            continue
        for field_name, option in (("learning_rate", "learning_rate"), ("batch_size", "batch_size")):
            if option in event.kwargs:
                view.number(field_name, event.kwargs[option])
            elif option in defaults and "**" not in event.kwargs:
                keep_default(view, field_name, event, option, defaults[option])
        if "optimizer" in defaults:
            keep_default(view, "optimizer", event, "optimizer", defaults["optimizer"])


def keep_default(view: View, field_name: str, event: Event, option: str, value: object) -> None:
    """Keep a library's default, saying that it is one."""
    note = f"default of {event.short}: {option} = {value}"
    view.keep(field_name, value, (SourceLocation(event.spot.path, event.spot.line, "", note),), note)


def tell_duration(view: View) -> None:
    """Take the steps of `learn`."""
    for event in view.named("learn"):
        view.number("total_steps", event.arg(0, "total_timesteps"))


RULES = (
    Rule("duration", Certainty.TOLD + 50, "Stable-Baselines3", tell_duration),
    Rule("optimizer", Certainty.SEEN + 30, "Stable-Baselines3", tell_optimizer),
)
