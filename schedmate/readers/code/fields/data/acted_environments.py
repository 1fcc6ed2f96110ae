"""In which environment an agent acts that learns by reinforcement: it stands for the data."""

import re2

from schedmate.readers.code.evidence.config_sections import flattened
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.words.algorithms import is_world, learns_to_act
from schedmate.readers.code.fields.words.command_names import is_to_be_filled_in, name_in
from schedmate.readers.code.values.objects import Instance
from schedmate.readers.code.values.value import Value

ENVIRONMENT_OPTIONS = ("env_id", "env_name", "env", "gym_id", "environment", "task", "task_name")
ENVIRONMENTS = ("make", "make_env", "make_vec", "make_atari_env", "make_vec_env", "SyncVectorEnv")
GYMS = ("gym", "envpool", "stable_baselines3", "gymnasium", "procgen", "dm_control", "brax", "pettingzoo")

MADE_BY_MODULES = ("env", "parallel_env", "aec_env", "raw_env")
"""How PettingZoo's modules, which are named after games, make them."""
SAYS_LITTLE = re2.compile(
    r"(?i)env(?:ironment)?s?|wrapper|custom|dummy|base|gym|vec(?:tor)?|my|simple|single|multi|agent"
)
"""What stands in names of classes of environments beside what they are of."""

VERSION = re2.compile(r"Env(?:ironment)?_?[vV]?\d+$")


def by_environment(view: View) -> None:
    """Take the environment of reinforcement learning."""
    for event in view.named(*ENVIRONMENTS):
        if not event.name.startswith(GYMS):
            continue
        name = event.arg(0, "id", "env_id", "task_id")
        if name is not None and isinstance(name.data, str):
            view.keep("dataset_name", name.data, name.src or (event.spot,))
    by_environment_option(view)
    for event in view.events:
        if event.name.startswith("pettingzoo.") and event.short in MADE_BY_MODULES:
            view.keep("dataset_name", event.name.split(".")[-2], (event.spot,))
        made = event.name.startswith(("stable_baselines3.", "sb3_contrib."))
        if made and len(event.args) > 1 and isinstance(event.args[1].data, str):
            view.keep("dataset_name", event.args[1].data, event.args[1].src)
    below = [pair for mapping in view.namespaces for pair in flattened(mapping)] if learns_to_act(view) else []
    for key, given in below:
        if key in ENVIRONMENT_OPTIONS[:4] and isinstance(given.data, str) and 1 < len(given.data) < 60:
            view.keep("dataset_name", given.data, given.src)


def by_environment_option(view: View) -> None:
    """Take the option that names the environment of an agent."""
    for mapping in view.namespaces if learns_to_act(view) else ():
        named = next((mapping[name] for name in ENVIRONMENT_OPTIONS if name in mapping), None)
        named = name_in(named) or named if named is not None else None
        if named is not None and isinstance(named.data, str) and 1 < len(named.data) < 60:
            if is_to_be_filled_in(named.data):
                continue
            domain = mapping.get("domain_name")
            if domain is not None and isinstance(domain.data, str):  # a body, and what it is to do
                named = Value(f"{domain.data}-{named.data}", (*domain.src, *named.src))
            view.keep("dataset_name", named.data, named.src)


def by_own_world(view: View) -> None:
    """Take the class of the environment that the repository itself has, where its name says of what it is."""
    for value in view.run.instances if learns_to_act(view) else ():
        cls = value.data.cls
        wraps = any(name.endswith("Wrapper") for name in cls.outside())
        named = cls.name.endswith(("Env", "Environment", "World", "Game")) or bool(VERSION.search(cls.name))
        if is_world(value) and named and not wraps and len(SAYS_LITTLE.sub("", cls.name)) > 2:
            task = task_of(value.data)
            name = f"{task.cls.name} ({cls.name})" if task is not None else cls.name
            view.keep("dataset_name", name, (value.data.spot, *((task.cls.spot,) if task else ()), cls.spot))
            return


def task_of(world: Instance) -> Instance | None:
    """Give the object by which an environment for many tasks is told which of them it sets."""
    args, kwargs = world.given or ([], {})
    told = [*([kwargs["task"]] if "task" in kwargs else []), *args]
    return next((one.data for one in told if isinstance(one.data, Instance) and "Task" in one.data.cls.name), None)


RULES = (Rule(Subject.DATA, "the repository's own environment", by_own_world),)
