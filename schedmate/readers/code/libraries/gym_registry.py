"""Gym's own registry of environments, as far as the command asks for them: a specification has an id and a module."""

from collections.abc import Iterator

import re2

from schedmate.knowledge.tables import table
from schedmate.readers.code.values.run import Call, Hook, by_names
from schedmate.readers.code.values.value import COMMAND, Config, SourceLocation, Value

VERSIONED = re2.compile(r"([A-Za-z]\w*(?:-[A-Za-z]\w*)*)-v(\d{1,2})$")
"""A name, variants, a version: Pong-ramNoFrameskip-v4."""


def entry_point_of(env_id: str) -> str | None:
    """Name the module and class that gym registers for an id; later ones of MuJoCo have files of their own."""
    match = VERSIONED.search(env_id)
    if match is None:
        return None
    name, version = match[1], int(match[2])
    if any(variant in env_id for variant in table("reinforcement")["registered_in"]["gym.envs.atari"]):
        return "gym.envs.atari:AtariEnv"
    found = next((module for module, names in table("reinforcement")["registered_in"].items() if name in names), None)
    if found == "gym.envs.mujoco" and version > 2:
        found = f"{found}.{name.lower()}_v{version}"
    return f"{found}:{name}Env" if found else None


def asked_for(call: Call) -> Iterator[str]:
    """Give the ids that stand on the command."""
    for word in call.run.argv:
        text = word.data.rpartition("=")[2] if isinstance(word.data, str) else ""
        if VERSIONED.fullmatch(text):
            yield text


def give_registered(call: Call) -> Value | None:
    """Model `gym.envs.registry.all()`: of all that is registered, what the command asks for; unknown for others."""
    told = list(dict.fromkeys(asked_for(call)))
    entries = [(env_id, entry_point_of(env_id)) for env_id in told]
    if not told or any(entry is None for _, entry in entries):
        return None
    spot = (SourceLocation(COMMAND, 1), call.spot)
    return Value([Value(Config({"id": Value(one, spot), "entry_point": Value(at, spot)}), spot) for one, at in entries])


HOOKS: dict[str, Hook] = {**by_names("gym.envs.registry.all gym.envs.registration.registry.all", give_registered)}
