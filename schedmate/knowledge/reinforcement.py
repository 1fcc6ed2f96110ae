"""Algorithms and environments of reinforcement learning; the table is data."""

import re2

from schedmate.knowledge.tables import table

WORDS = re2.compile(r"[A-Za-z0-9]+")

ROLES = ("learner", "agent", "policy", "trainer")
"""How classes go on that are named after an algorithm: `SACLearner`, `JaxDQNAgent`."""
VARIANT = re2.compile(r"[a-z]([A-Z][A-Z0-9]{2,})(?:Learner|Agent|Policy|Trainer)?$")
"""An algorithm in capitals that ends the name of a variant of it: `ConservativeSAC`."""


def algorithm_of(name: str) -> str | None:
    """Give the algorithm that a script, class or option is named after."""
    known = set(table("reinforcement")["algorithms"])
    words = [word.lower() for word in WORDS.findall(name)]
    words += [word.removesuffix(role) for word in words for role in ROLES if word.endswith(role)]
    variant = VARIANT.search(name)
    words += [variant.group(1).lower()] if variant is not None else []
    return next((word for word in words if word in known), None)


def learns_from_rollouts(name: str) -> bool:
    """Tell an algorithm that learns from the steps it has just made in its environments, and keeps none."""
    return algorithm_of(name) in table("reinforcement")["from_rollouts"]


def learns_in_parts(name: str) -> bool:
    """Tell an algorithm that learns from mini-batches of the steps that it has just made."""
    return algorithm_of(name) in table("reinforcement")["in_parts"]


def is_multi_agent(name: str) -> bool:
    """Tell an algorithm by which several agents learn beside each other."""
    return algorithm_of(name) in table("reinforcement")["multi_agent"]


def learned_by(name: str) -> str | None:
    """Say what an algorithm learns that a name tells: control by numbers, the worth of choices, a way to act."""
    algorithm = algorithm_of(name)
    return next((str(way) for way, known in table("reinforcement")["learned"].items() if algorithm in known), None)


def kind_of_environment(name: str) -> str | None:
    """Say what an environment asks of an agent."""
    for kind, words in table("reinforcement")["environments"].items():
        if any(word in name for word in words):
            return str(kind)
    return None
