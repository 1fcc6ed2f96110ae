"""What a network is called by the function that makes it: `resnet18()` gives a `ResNet`."""

import ast

import re2

from schedmate.knowledge.models import family_of, family_words, squash
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.objects import Class, ExternalResult, Instance
from schedmate.readers.code.values.value import SourceLocation

VERB = re2.compile(r"^(?:get|build|make|create|new)_")

SIZE = re2.compile(r"(?i)(?:_?(?:v?\d+[a-z]?|small|base|large|tiny|mini|big))+$")
"""How sizes and editions end names."""
DIGITS = re2.compile(r"\d")
BUILDERS = re2.compile(r"^build_\w+$|^(?:get|make|create|setup|init)_(?:model|net|network)$")

INNERMOST = 3
"""A function that makes a network may have others make it, which are private to its file."""


def name_by_maker(view: View, network: Instance) -> tuple[str, tuple[SourceLocation, ...]] | None:
    """Give the name, with a number in it, of the function beside a network's class that made it, of the same family."""
    if (registered := name_in_registry(view, network)) is not None:
        return registered
    family, tree = family_of(network.cls.name), view.run.trees.get(network.cls.scope.path)
    functions = functions_of(view, network)
    if family is None or tree is None:
        return None
    for function in reversed(functions[-INNERMOST:]):
        name = str(VERB.sub("", function))
        if not is_kind_of(name, network.cls.name) or family_of(name) != family:
            continue
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name == function:
                return name, (SourceLocation(network.cls.scope.path, node.lineno), network.spot, network.cls.spot)
    return None


def functions_of(view: View, network: Instance) -> tuple[str, ...]:
    """Give the functions in which a network was made; of a copy, those in which the one was of which it is a copy."""
    made = next((event for event in view.events if event.result.data is network), None)
    if made is None or made.functions or made.spot == network.spot:
        return made.functions if made is not None else ()
    others = [event for event in view.events if event.result.data is not network and event.spot == network.spot]
    ways = {event.functions for event in others if is_of(event.result.data, network.cls)}
    return ways.pop() if len(ways) == 1 else ()


def is_of(data: object, cls: Class) -> bool:
    """Tell an object of just this class."""
    return isinstance(data, Instance) and data.cls is cls


def name_by_function(view: View, network: ExternalResult) -> tuple[str, tuple[SourceLocation, ...]] | None:
    """Give the name of the function that puts a network's layers together, where it is all a family's: `unet()`."""
    made = next((event for event in view.events if event.result.data is network), None)
    tree = view.run.trees.get(made.spot.path) if made is not None else None
    function = made.functions[-1] if made is not None and made.functions else ""
    name = str(VERB.sub("", function))
    if made is None or tree is None or family_words().isdisjoint({squash(name), squash(SIZE.sub("", name))}):
        return None
    found = (node.lineno for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == function)
    return next(((name, (SourceLocation(made.spot.path, line), made.spot)) for line in found), None)


def name_in_registry(view: View, network: Instance) -> tuple[str, tuple[SourceLocation, ...]] | None:
    """Give the name by which the program asks timm for a network that the repository registers there."""
    for event in view.ending("create_model"):
        name = event.arg(0, "model_name")
        if event.result.data is network and event.name.startswith("timm.") and name is not None:
            return str(name.data), (*name.src, event.spot, network.cls.spot)
    return None


def is_builder(name: str) -> bool:
    """Tell a function that builds any network, or a part of one, by its name: `build_vovnet_backbone`."""
    return BUILDERS.match(name) is not None


def is_kind_of(function: str, cls: str) -> bool:
    """Tell a function's name that says a class's own word and a number: `resnet18` of a `ResNet`, no `ResNeXt`."""
    word = str(DIGITS.split(function, 1)[0])
    return word != function and len(squash(word)) > 1 and squash(word) in squash(cls)
