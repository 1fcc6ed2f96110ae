"""By which algorithm of reinforcement learning an agent learns, and from how many steps it learns at once."""

import posixpath

from schedmate.knowledge.code_words import words
from schedmate.knowledge.models import squash
from schedmate.knowledge.reinforcement import algorithm_of, learns_from_rollouts, learns_in_parts
from schedmate.knowledge.tasks import rows, words_of
from schedmate.readers.code.evidence.unfilled_texts import has_gap
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.words.command_names import name_in
from schedmate.readers.code.fields.words.project_words import titled
from schedmate.readers.code.values.value import Attributes, SourceLocation, Value, join_spots, product

ALGORITHM_OPTIONS = words("acting.algorithm_options")
STEPS, ENVIRONMENTS = words("acting.rollout_steps"), words("acting.environments")
PARTS = words("acting.parts_of_rollouts")
ACTING, SEARCHING = words("acting.networks"), words("acting.searches")
SETTINGS, OF_TEXTS = frozenset(words("acting.settings")), frozenset(words("acting.libraries_of_texts"))


def learns_to_act(view: View) -> bool:
    """Tell a program that imports what only learning by reinforcement needs."""
    decisive = view.imports & {row[0] for row in rows("decisive") if row[1] == "RL"}
    if any(map(view.is_in_use, decisive)):
        return True
    if any(value.data.cls.name.startswith(SEARCHING) for value in view.run.instances):
        return True
    if not any(is_actor(value) or is_world(value) for value in view.run.instances):
        return False
    named = algorithm_of(script_of(view)) is not None or option_named(view) is not None
    return named or any(algorithm_of(value.data.cls.name) is not None for value in view.run.instances)


def script_of(view: View) -> str:
    """Name the program without folder and ending."""
    path = view.program.entry.path if view.program.entry is not None else view.launch.name
    return posixpath.basename(path).rpartition(".")[0]


def is_actor(value: Value) -> bool:
    """Tell a network that an agent acts with, by its class's name."""
    name = value.data.cls.name
    return bool(name.startswith("ActorCritic") or name.endswith(ACTING))


def is_world(value: Value) -> bool:
    """Tell an environment of the repository's own: a class called so that can be stepped and begun anew."""
    cls = value.data.cls
    return "env" in cls.name.lower() and all(cls.find(name) is not None for name in ("step", "reset"))


def algorithm_named(view: View) -> tuple[str, tuple[SourceLocation, ...]] | None:
    """Give the algorithm as the option, the class or the script says it."""
    if not learns_to_act(view):
        return None
    for event in view.events:
        if event.name.startswith(("stable_baselines3.", "sb3_contrib.")) and algorithm_of(event.short):
            return event.short, (event.spot,)
    named, known = option_named(view), algorithm_of_script(view)
    by_default = named is not None and named.src[0].path.endswith(".py") and not view.is_told(named)
    if named is not None and not (by_default and known is not None and known != algorithm_of(str(named.data))):
        return str(named.data), named.src
    if by_default and known is not None:
        return known.upper(), view.command_spot  # the default is that of a parser which many programs share
    for value in view.run.instances:
        name = value.data.cls.name
        trains_texts = name.endswith("Trainer") and not view.imports.isdisjoint(OF_TEXTS)
        if algorithm_of(name) and not trains_texts and SETTINGS.isdisjoint(words_of(name)):
            whole = around(view, value)
            return whole.data.cls.name, (whole.data.spot, whole.data.cls.spot)
    return (known.upper(), view.command_spot) if known is not None else module_named(view)


def around(view: View, inner: Value) -> Value:
    """Give the algorithm that is made with another one as a part of it: `GAIL(ppo, judge)` learns to imitate by PPO."""
    known = algorithm_of(inner.data.cls.name)
    for one in view.run.instances:
        other = algorithm_of(one.data.cls.name)
        args, kwargs = one.data.given or ([], {})
        held = any(part.data is inner.data for part in (*args, *kwargs.values()))
        if held and other not in (None, known) and SETTINGS.isdisjoint(words_of(one.data.cls.name)):
            return one
    return inner


def algorithm_of_script(view: View) -> str | None:
    """Give the algorithm after which the program is called, or else the folder that it stands in: `D4PG/main.py`."""
    path = view.program.entry.path if view.program.entry is not None else view.launch.name
    folder = posixpath.basename(posixpath.dirname(path))
    named = algorithm_of(folder)
    return algorithm_of(script_of(view)) or (named if named == squash(folder) else None)


def module_named(view: View) -> tuple[str, tuple[SourceLocation, ...]] | None:
    """Give the algorithm after which a module and the project are called: `agents/hiql.py` of `HIQL: Offline ...`."""
    paths = [path for path, tree in view.run.trees.items() if tree is not None]
    named = {posixpath.basename(path).removesuffix(".py"): path for path in paths}
    found = {stem: path for stem, path in named.items() if squash(stem) == algorithm_of(stem) and titled(view, stem)}
    if len(found) != 1:
        return None
    stem, path = found.popitem()
    return stem, (SourceLocation(path, 1, note=f"the name of {path}"),)


def option_named(view: View) -> Value | None:
    """Give the option that says by which algorithm an agent learns."""
    for mapping in view.namespaces:
        for key in ALGORITHM_OPTIONS:
            named = name_in(mapping[key]) or mapping[key] if key in mapping else None
            text = named.data if named is not None else None
            if named is not None and isinstance(text, str) and (known := algorithm_of(text)) and named.src:
                is_run = "=" in text or has_gap(text)  # `td3_env=8_long`, `iql_{env}`
                return Value(known, named.src) if is_run else named
    return None


def find_rollout_batch(view: View) -> None:
    """Work out what an agent learns from that keeps no replay: the steps of all its environments, or a part of them."""
    named = algorithm_named(view)
    if named is None or not learns_from_rollouts(named[0]):
        return
    steps, environments = whole_option(view, STEPS), whole_option(view, ENVIRONMENTS)
    samples, parts = product(steps, environments), whole_option(view, PARTS)
    if samples is not None and parts is not None and learns_in_parts(named[0]) and samples.data >= parts.data:
        spots = join_spots(samples, parts)
        view.keep("batch_size", samples.data // parts.data, spots, "steps x environments, in mini-batches")
    view.number("batch_size", samples, "steps x environments")


def whole_option(view: View, names: tuple[str, ...]) -> Value | None:
    """Give the first of some options that is a positive whole number."""
    agents: list[Attributes] = [
        one.data.attrs for one in view.run.instances if algorithm_of(one.data.cls.name) is not None
    ]
    for name in names:
        for mapping in (*view.namespaces, *agents):
            value = mapping.get(name) or mapping.get(name.upper())  # as single-file programs in JAX write them
            if value is not None and type(value.data) is int and value.data > 0:
                return value
    return None
