"""What picks the class of a network: an option for it, its holder, a part or its file; the name the project goes by."""

import posixpath

from schedmate.knowledge.models import family_of, squash
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.networks.trained_network import inner_network, is_model_class, origin
from schedmate.readers.code.fields.words.project_words import titled
from schedmate.readers.code.sizes.called_parts import called_parts
from schedmate.readers.code.values.objects import Class, ExternalResult, Instance
from schedmate.readers.code.values.value import SourceLocation, Value


def class_named_by(view: View, option: Value | None) -> Value | None:
    """Give the network whose class an option names to the letter, where another one is made before it."""
    if option is None:
        return None
    called: list[Value] = [value for value in view.run.instances if value.data.cls.name == option.data]
    return next((value for value in called if is_model_class(value.data.cls)), called[0] if called else None)


def is_title(view: View, name: str) -> bool:
    """Tell a class by whose name the project goes, though no family has it: `TMR: Text-to-Motion Retrieval`."""
    return len(name) > 1 and family_of(name) is None and titled(view, name)


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


def told_part(view: View, value: Value, own: str) -> Value | None:
    """Give the command's word by which a class of the same family makes the ready network that it is built around."""
    data = value.data
    if not isinstance(data, Instance):
        return None
    asked = called_parts(data.cls)
    held = [part.data for key, part in data.attrs.items() if key in asked and isinstance(part.data, ExternalResult)]
    words = [made.args[0] for made in held if made.short == "create_model" and made.args]
    if len(words) != 1 or not isinstance(words[0].data, str) or not view.is_told(words[0]):
        return None
    family = family_of(words[0].data)
    return words[0] if family is not None and family_of(own) in (family, None) else None


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
        if str(name.data).rpartition(".")[2] == stem and not all(writes_out(view, spot, stem) for spot in name.src):
            return True
    return False


def writes_out(view: View, spot: SourceLocation, stem: str) -> bool:
    """Tell a line of code in which a module's name stands."""
    lines = (view.run.repository.readable_text(spot.path) or "").split("\n") if spot.path.endswith(".py") else []
    return len(lines) >= spot.line and stem in lines[spot.line - 1]
