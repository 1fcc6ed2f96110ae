"""In which environment an agent acts that learns by reinforcement: it stands for the data."""

from schedmate.readers.code.evidence.config_sections import flattened
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.algorithms import learns_to_act
from schedmate.readers.code.fields.command_names import name_in

ENVIRONMENT_OPTIONS = ("env_id", "env_name", "env", "gym_id", "environment", "task", "task_name")
ENVIRONMENTS = ("make", "make_env", "make_vec", "make_atari_env", "make_vec_env", "SyncVectorEnv")
GYMS = ("gym", "envpool", "stable_baselines3", "gymnasium", "procgen", "dm_control", "brax", "pettingzoo")


def by_environment(view: View) -> None:
    """Take the environment of reinforcement learning."""
    for event in view.named(*ENVIRONMENTS):
        if not event.name.startswith(GYMS):
            continue
        name = event.arg(0, "id", "env_id", "task_id")
        if name is not None and isinstance(name.data, str):
            view.keep("dataset_name", name.data, name.src or (event.spot,))
    if learns_to_act(view):
        for mapping in view.namespaces:
            named = next((mapping[name] for name in ENVIRONMENT_OPTIONS if name in mapping), None)
            named = name_in(named) or named if named is not None else None
            if named is not None and isinstance(named.data, str) and 1 < len(named.data) < 60:
                view.keep("dataset_name", named.data, named.src)
    for event in view.events:
        made = event.name.startswith(("stable_baselines3.", "sb3_contrib."))
        if made and len(event.args) > 1 and isinstance(event.args[1].data, str):
            view.keep("dataset_name", event.args[1].data, event.args[1].src)
    below = [pair for mapping in view.namespaces for pair in flattened(mapping)] if learns_to_act(view) else []
    for key, given in below:
        if key in ENVIRONMENT_OPTIONS[:4] and isinstance(given.data, str) and 1 < len(given.data) < 60:
            view.keep("dataset_name", given.data, given.src)
