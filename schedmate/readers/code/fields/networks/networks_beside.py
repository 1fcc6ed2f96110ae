"""Networks that stand beside the one that is trained: readers of prompts, judges within a loss."""

import re2

from schedmate.knowledge.models import family_of, is_rival, stands_beside
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.words.project_words import project_lines
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import Class, ExternalResult, Instance
from schedmate.readers.code.values.value import SourceLocation, Value

MEASURES = re2.compile(
    r"(?i)(?:^|/)(?:loss|losses|metrics|criterions)/"
    r"|(?:^|[/_])(?:loss|losses|metrics?|criterions?|criteria)(?:_?(?:fn|func|functions?|utils?))?\.py$"
)
"""Files of what measures a network: an `MAE` of theirs is an error."""
DEEPEST = 2
"""How deep inside of what an object holds another one is looked for."""
JUDGE = "vgg"
"""The family of networks through which most perceptual losses look."""


def short_name(value: Value) -> str:
    """Give the name of what made an object."""
    data = value.data
    return data.cls.name if isinstance(data, Instance) else data.short if isinstance(data, ExternalResult) else ""


JUDGING = frozenset({"netd", "net_d", "discriminator", "disc", "d", "d_net", "d_model", "critic"})

MAKING = frozenset({"netg", "net_g", "generator", "gen", "g", "g_net", "g_model"})
"""Under which names a program holds the network that judges, and the one whose work is judged."""


def is_judge(network: Value) -> bool:
    """Tell a network that only judges what another one makes, by its class or by the names under which it is held."""
    return is_rival(short_name(network)) or is_held_as(network, JUDGING)


def is_held_as(network: Value, names: frozenset[str]) -> bool:
    """Tell an object that the program holds under one of some names."""
    held = network.data.names if isinstance(network.data, (Instance, ExternalResult)) else []
    return not names.isdisjoint(name.rpartition(".")[2].lower() for name in held)


def adds_noise(event: Event) -> bool:
    """Tell a call that makes a process of diffusion, whatever library it is from: `create_gaussian_diffusion`."""
    words = words_of(event.short)
    return event.sure and "diffusion" in words and not {"make", "create", "build", "get", "gaussian"}.isdisjoint(words)


def without_readers(view: View, networks: list[Value]) -> list[Value]:
    """Leave out models of pictures and texts that beside a process of diffusion read prompts or judge pictures."""
    if not any(adds_noise(event) for event in view.events):
        return networks
    return [value for value in networks if not reads_prompts(value)]


def without_judges(view: View, networks: list[Value]) -> list[Value]:
    """Leave out a VGG where the project's title names another family: what is made is looked at through it."""
    title = next((family_of(text) for text, _ in project_lines(view)[:1]), None)
    if title is None or title == family_of(JUDGE):
        return networks
    return [value for value in networks if not short_name(value).lower().startswith(JUDGE)]


def reads_prompts(value: Value) -> bool:
    """Tell a model of pictures and texts."""
    family = family_of(short_name(value))
    return family is not None and family.fine.startswith("image-text")


def judges_beside(view: View, event: Event) -> bool:
    """Tell a ready network that a loss or a metric makes for itself: a perceptual loss holds a `vgg19`."""
    classes = (value.data.cls for value in view.run.instances if stands_beside(value.data.cls.name))
    return any(cls.spot.path == event.spot.path and ends_behind(cls, event.spot.line) for cls in classes)


LOSS = ("Loss", "Losses", "Criterion")


def looks_for_loss(view: View, value: Value) -> bool:
    """Tell a network that a loss makes within itself, or that such a one makes: it is only looked through."""
    if not isinstance(value.data, (Instance, ExternalResult)):
        return False
    classes = [one.data.cls for one in view.run.instances]
    looked = [cls for cls in classes if cls.name.endswith(LOSS)]
    for _ in range(DEEPEST):
        inside = (one.data for one in view.run.instances if any(is_in_body(one.data.spot, cls) for cls in looked))
        looked += [data.cls for data in inside if data.cls not in looked]
    return any(is_in_body(value.data.spot, cls) for cls in looked)


def is_in_body(spot: SourceLocation, cls: Class) -> bool:
    """Tell a place in the body of a class."""
    return cls.spot.path == spot.path and ends_behind(cls, spot.line)


def ends_behind(cls: Class, line: int) -> bool:
    """Tell a line of a class's own body."""
    return cls.spot.line <= line <= (cls.node.end_lineno or cls.spot.line)


def measures(cls: Class) -> bool:
    """Tell a class that stands in a file of metrics or losses."""
    return MEASURES.search(cls.scope.path) is not None


def is_held_in(part: object, holder: Instance, depth: int = 0) -> bool:
    """Tell what an object holds, itself or by what it holds, not too deep."""
    held = [value.data for value in holder.attrs.values()]
    if any(one is part for one in held):
        return True
    return depth < DEEPEST and any(is_held_in(part, one, depth + 1) for one in held if isinstance(one, Instance))
