"""Which layers a network's own code names: in its class's body, and in the classes and functions that it uses."""

import ast
from dataclasses import dataclass, field

from schedmate.knowledge.models import layer_type
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.networks.trained_network import is_model_class
from schedmate.readers.code.fields.networks.written_attention import attends
from schedmate.readers.code.python.modules.modules import LazyImport, resolve
from schedmate.readers.code.values.objects import Class, Function, Instance
from schedmate.readers.code.values.scopes import Module
from schedmate.readers.code.values.value import External, SourceLocation, Value

Layers = dict[str, SourceLocation]
"""Names of layers and where each is first named."""

OWN = (Class, LazyImport)
"""What stands for a class of the repository's own: a module that was never followed has made nothing."""

ATTENTION = "Attention"
"""As which layer attention counts that is written out over dense layers; beside others it is one part of many."""

DEEPEST, MOST = 4, 40
"""How deep classes and functions are gone into, and how many of them."""


def layers_of(view: View, cls: Class, unmade: frozenset[str] = frozenset()) -> Layers:
    """Give the layers that a class names in its body, with those of the repository's classes that it uses.

    A class that is no module of a library's puts its layers together by functions: they are gone into, too.
    """
    search = LayerSearch(view, unmade)
    search.in_class(cls, 0)
    if layer_type(set(search.found)) == "mlp" and search.attending is not None:
        search.found[ATTENTION] = search.attending
    return search.found


@dataclass
class LayerSearch:
    """One way through what a class names."""

    view: View
    unmade: frozenset[str]
    """Classes that the network was seen to be built without."""
    found: Layers = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    attending: SourceLocation | None = None
    """Where attention is first written out by hand."""

    def in_class(self, cls: Class, depth: int) -> None:
        """Gather what a class and those that it extends name, unless it was seen."""
        if self.goes_into(cls.name, depth):
            for one in cls.lineage():
                self.in_body(one, depth)

    def goes_into(self, name: str, depth: int) -> bool:
        """Note that a class or function is gone into; not twice, and not too deep."""
        if name in self.seen or depth > DEEPEST or len(self.seen) > MOST:
            return False
        self.seen.add(name)
        return True

    def in_body(self, user: Class | Function, depth: int) -> None:
        """Gather what one body names."""
        asked = asked_for(user.node)
        by_functions = isinstance(user, Function) or not is_model_class(user)
        if self.attending is None and attends(user.node):
            self.attending = SourceLocation(user.scope.path, user.node.lineno)
        for node in ast.walk(user.node):
            name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
            if not name or id(node) in asked or name in self.unmade:
                continue
            goes_below = name[:1].isupper() or by_functions or "attention" in name.lower()
            below = named_part(self.view, node, user) if goes_below else None
            part = below.data if below is not None else None
            spot = SourceLocation(user.scope.path, getattr(node, "lineno", 1))
            if layer_type({name}) is not None:
                self.found.setdefault(name, spot)
            elif isinstance(part, External) and layer_type({part.name}) and name[:1].isupper():
                self.found.setdefault(part.name, spot)
            elif isinstance(part, Class) and name[:1].isupper():
                self.in_class(part, depth + 1)
            elif isinstance(part, Function) and self.goes_into(part.name, depth + 1):
                self.in_body(part, depth + 1)


def unmade_layers(view: View, network: Instance) -> frozenset[str]:
    """Name the classes no object of which was made, for a network that was told to have none of some layers.

    Its body names them, and makes them in a loop of no rounds.
    """
    counts = (key for key, value in network.attrs.items() if type(value.data) is int and value.data == 0)
    if not any("layers" in words_of(str(key)) for key in counts):
        return frozenset()
    made = {one.name for value in view.run.instances for one in value.data.cls.lineage()}
    places = [(one.scope, node.id) for one in network.cls.lineage() for node in names_in(one.node)]
    held = {name: scope.find(name) for scope, name in places if name not in made}
    return frozenset(name for name, part in held.items() if part is not None and isinstance(part.data, OWN))


def names_in(node: ast.AST) -> list[ast.Name]:
    """Give the plain names in some code."""
    return [one for one in ast.walk(node) if isinstance(one, ast.Name)]


def named_part(view: View, node: ast.AST, user: Class | Function) -> Value | None:
    """Give what a body names, by itself or as a part of a module, where that module was followed."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        home = followed(view, user.scope.find(node.value.id))
        parts = home.data.vars if home is not None and isinstance(home.data, Module) else {}
        return followed(view, parts.get(node.attr))
    return followed(view, user.scope.find(node.id)) if isinstance(node, ast.Name) else None


def followed(view: View, value: Value | None) -> Value | None:
    """Give what an imported name stands for, if its module was followed."""
    lazy = value is not None and isinstance(value.data, LazyImport) and value.data.module.done
    return resolve(view.run, value) if lazy and value is not None else value


def asked_for(node: ast.AST) -> set[int]:
    """Give the parts of code that build nothing: those that ask what kind a layer is, tables from which one is chosen.

    As in `isinstance(m, nn.Conv2d)`, and in `nn_module = {"cnn": ConvNet, "rnn": RecurrentNet}`.
    """
    tables = [one for one in ast.walk(node) if isinstance(one, ast.Dict) and len(one.values) > 1]
    choices = {id(value) for one in tables for value in one.values if isinstance(value, (ast.Name, ast.Attribute))}
    questions = (
        call.args[1]
        for call in ast.walk(node)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in ("isinstance", "issubclass")
        and len(call.args) == 2
    )
    return choices | {id(part) for kinds in questions for part in ast.walk(kinds)}
