"""Stable-Baselines3: algorithms of reinforcement learning with their own defaults."""

from schedmate.knowledge.trainers import library_config
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View, keep_default
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult, Function
from schedmate.readers.code.values.value import Value, join_spots


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
        if event.short == "A2C":
            tell_rollout(view, event, Value(defaults.get("n_steps"), (event.spot,)))


def tell_rollout(view: View, event: Event, usual: Value) -> None:
    """Take as A2C's batch all that its environments gave since the last step; PPO cuts that into batches."""
    steps = event.arg(3, "n_steps") or (usual if "**" not in event.kwargs else None)
    count = number_of_worlds(event.arg(1, "env"))
    if steps is not None and count is not None and type(steps.data) is type(count.data) is int:
        spots = join_spots(steps, count) or (event.spot,)
        view.keep("batch_size", steps.data * count.data, spots, "steps x environments")


VECTORS = ("make_vec_env", "make_atari_env")
ROWS = ("DummyVecEnv", "SubprocVecEnv")
DEEPEST = 6


def number_of_worlds(worlds: Value | None, depth: int = 0) -> Value | None:
    """Give how many environments an agent plays in: one, or as many as it is made to."""
    made = worlds.data if worlds is not None and depth < DEEPEST else None
    if worlds is not None and isinstance(made, str):
        return Value(1, worlds.src)
    if not isinstance(made, ExternalResult):
        return None
    first = made.args[0] if made.args else None
    if made.short in VECTORS and "**" not in made.kwargs:
        return made.kwargs.get("n_envs") or (made.args[1] if len(made.args) > 1 else Value(1, (made.spot,)))
    if made.short in ROWS and first is not None and isinstance(first.data, (list, tuple)):
        return Value(len(first.data), (made.spot,))
    if made.callee.startswith(("gym.", "gymnasium.")) and made.short == "make":
        return Value(1, (made.spot,))
    if made.short.startswith("Vec") and "vec_env" in made.callee:  # around others
        return number_of_worlds(made.kwargs.get("venv") or first, depth + 1)
    return None


def at_the_start(view: View, value: Value) -> Value:
    """Give what a schedule is at the beginning: a function of the part of training that is left."""
    return view.run.call(value, [Value(1.0)]) if isinstance(value.data, Function) else value


RULES = (Rule((Subject.BATCH, Subject.OPTIMIZER), "Stable-Baselines3", tell_optimizer),)
