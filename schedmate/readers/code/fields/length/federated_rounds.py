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

ALGORITHM = re2.compile(
    r"(?i)^(?:\w+[./])*(?:fed_?(?:avg|prox|sgd|nova|opt|adam|adagrad|yogi|bn|per|rep|dyn|md|df|gen|ala|babu|proto)\w*"
    r"|feder(?:ated|ation)\w*|scaffold|ditto|pfedme|per_?fedavg)$"
)
"""How ways are called by which what clients learn is put together."""


def leave_rounds(view: View) -> None:
    """Leave open how long it takes where clients go over their data anew in each of several rounds."""
    told = options_told(view)
    rounds = [value for name, value in told if name in ROUNDS and type(value.data) is int and value.data > 1]
    if rounds and (has_both_ends(view) or any(is_federated(name, value) for name, value in told)):
        view.rule_out("epochs")
        view.rule_out("total_steps")


def options_told(view: View) -> list[tuple[str, Value]]:
    """Give the options and settings of the program, by their names without strokes."""
    mappings = [*view.namespaces, *view.chosen_configs]
    return [(squashed(name), value) for mapping in mappings for name, value in own_options(mapping)]


def has_both_ends(view: View) -> bool:
    """Tell a program that makes a server and clients of classes of its own."""
    names = {str(value.data.cls.name).lower() for value in view.run.instances}
    return all(any(name.endswith(end) for name in names) for end in ("server", "client"))


def is_federated(name: str, value: Value) -> bool:
    """Tell an option that counts clients, or that names a way to put together what they learn."""
    if name in CLIENTS and type(value.data) in (int, float):
        return bool(value.data > 0)
    return isinstance(value.data, str) and ALGORITHM.match(value.data) is not None


RULES = (Rule(Subject.DURATION, "federated rounds", leave_rounds),)
