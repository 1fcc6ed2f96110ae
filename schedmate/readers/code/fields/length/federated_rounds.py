"""Federated rounds, in each of which clients train for epochs of their own: neither number is the job's length."""

import re2

from schedmate.knowledge.code_words import words
from schedmate.knowledge.option_names import squashed
from schedmate.readers.code.evidence.device_counts import own_options
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.value import Value

ROUNDS = frozenset(words("training.federated_rounds"))
CLIENTS = frozenset(words("training.federated_clients"))
USERS = frozenset(words("training.federated_users"))

ALGORITHM = re2.compile(
    r"(?i)^(?:\w+[./])*(?:fed_?(?:avg|prox|sgd|nova|opt|adam|adagrad|yogi|bn|per|rep|dyn|md|df|gen|ala|babu|proto)\w*"
    r"|feder(?:ated|ation)\w*|pfedme|per_?fedavg)$"
)
"""How ways are called by which what clients learn is put together."""

WEAK_ALGORITHM = re2.compile(r"(?i)^(?:\w+[./])*(?:scaffold|ditto)$")
"""Ways of federations whose names are those of other things as well: a split of molecules, a matcher of entities."""


def leave_rounds(view: View) -> None:
    """Leave open how long it takes where clients go over their data anew in each of several rounds.

    One sign of a federation is enough where the rounds, or rounds that nobody counts, go on around the loop that
    trains; where the run saw nothing of that, two must agree. A name that means other things too counts where it did.
    """
    told = options_told(view)
    rounds = [value for name, value in told if name in ROUNDS and type(value.data) is int and value.data > 1]
    if not rounds:
        return
    signs = has_both_ends(view) + any(counts_clients(pair) for pair in told) + any(names_way(pair) for pair in told)
    seen = any(bounds_around(view, value) for value in rounds)
    weak = any(counts_users(pair) or names_weak_way(pair) for pair in told)
    if signs > 1 or (signs and (seen or goes_on_around(view))) or (weak and seen):
        view.rule_out("epochs")
        view.rule_out("total_steps")


def bounds_around(view: View, rounds: Value) -> bool:
    """Tell rounds that bound a loop around another one that trains."""
    around = [loop.count for event in view.training for loop in event.loops[:-1] if loop.count is not None]
    return any(count.data == rounds.data and not set(count.src).isdisjoint(rounds.src) for count in around)


def goes_on_around(view: View) -> bool:
    """Tell a loop of which nobody knows how often it is gone through, around another one that trains."""
    return any(event.loops[:-1] and event.loops[0].count is None for event in view.training)


def options_told(view: View) -> list[tuple[str, Value]]:
    """Give the options and settings of the program, by their names without strokes."""
    mappings = [*view.namespaces, *view.chosen_configs]
    return [(squashed(name), value) for mapping in mappings for name, value in own_options(mapping)]


def has_both_ends(view: View) -> bool:
    """Tell a program that makes a server and clients of classes of its own."""
    names = {str(value.data.cls.name).lower() for value in view.run.instances}
    return all(any(name.endswith(end) for name in names) for end in ("server", "client"))


def counts_clients(option: tuple[str, Value]) -> bool:
    """Tell an option that counts clients, or tells their share."""
    return option[0] in CLIENTS and type(option[1].data) in (int, float) and bool(option[1].data > 0)


def counts_users(option: tuple[str, Value]) -> bool:
    """Tell an option that counts users, who are clients of a federation or whoever rates things."""
    return option[0] in USERS and type(option[1].data) is int and option[1].data > 0


def names_way(option: tuple[str, Value]) -> bool:
    """Tell an option that names a way to put together what clients learn."""
    return isinstance(option[1].data, str) and ALGORITHM.match(option[1].data) is not None


def names_weak_way(option: tuple[str, Value]) -> bool:
    """Tell an option with the name of such a way that may well mean something else."""
    return isinstance(option[1].data, str) and WEAK_ALGORITHM.match(option[1].data) is not None


RULES = (Rule(Subject.DURATION, "federated rounds", leave_rounds),)
