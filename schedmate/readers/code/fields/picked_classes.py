"""Options that pick the class of a network, its holder's, a part's or the file that it stands in."""

import posixpath

from schedmate.knowledge.models import family_of, squash
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.trained_network import inner_network, origin
from schedmate.readers.code.values.objects import Class, Instance
from schedmate.readers.code.values.value import SourceLocation, Value


def names_holder(view: View, value: Value, option: str) -> bool:
    """Tell an option that picks the class by whose name the network is held and trained: `--model swap`, SwapModel."""
    for one in view.run.instances:
        name = squash(one.data.cls.name)
        if name.startswith(squash(option)) and name[len(squash(option)) :] in ("model", "trainer", "net", "learner"):
            held = [origin(part) for part in one.data.attrs.values()]
            return any(part is not None and part.data is value.data for part in held)
    return False


def names_part(value: Value, option: str) -> bool:
    """Tell an option that picks the class of a network which the trained one is built around: `--model tensornet`.

    What a network makes for itself, as its teacher, is a part of it like others.
    """
    if not isinstance(value.data, Instance):
        return False
    whole = value.data.cls
    parts = [one.data for one in value.data.attrs.values() if isinstance(one.data, Instance)]
    given = [part for part in parts if not lies_in(part.spot, whole)]
    return any(squash(part.cls.name) == squash(option) for part in given)


def names_module(value: Value, option: str) -> bool:
    """Tell an option that picks the file of the network's class, where the class is not called after the file, too."""
    inner = inner_network(value.data) or value if isinstance(value.data, Instance) else value
    if not isinstance(inner.data, Instance) or family_of(option) is None:
        return False
    cls = inner.data.cls
    stem = posixpath.basename(cls.scope.path).removesuffix(".py")
    return squash(stem) == squash(option) and not squash(cls.name).startswith(squash(option))


def lies_in(spot: SourceLocation, cls: Class) -> bool:
    """Tell a line of a class's own body."""
    last = cls.node.end_lineno or cls.spot.line
    return spot.path == cls.spot.path and cls.spot.line <= spot.line <= last


def is_picked_module(view: View, stem: str) -> bool:
    """Tell a module that the program imports by a name which it puts together: a setting says which model it is."""
    for event in view.named("import_module", "__import__"):
        name = event.args[0] if event.sure and event.args else Value("")
        paths = {spot.path for spot in name.src}
        is_made = len(paths) > 1 or not all(path.endswith(".py") for path in paths)
        if is_made and str(name.data).rpartition(".")[2] == stem:
            return True
    return False
