"""Python's own functions that ask what something has or is: `getattr`, `hasattr`, `vars`, `super`, `type`."""

from schedmate.readers.code.python.assignments import set_attribute
from schedmate.readers.code.python.attributes import get_attribute
from schedmate.readers.code.python.builtins.builtin_functions import fails
from schedmate.readers.code.python.builtins.builtin_methods import MAPPING
from schedmate.readers.code.python.modules.modules import execute_module, module_attribute
from schedmate.readers.code.values.objects import (
    BoundMethod,
    Class,
    ExternalResult,
    Function,
    Instance,
    LibraryObject,
    SuperOf,
    class_of,
)
from schedmate.readers.code.values.run import Call, LibraryMethod, Run
from schedmate.readers.code.values.scopes import Module, Scope
from schedmate.readers.code.values.value import Config, External, Unknown, Value, is_constant, unknown


def read_attribute(call: Call) -> Value | None:
    """Model `getattr`."""
    owner, name = call.arg(0), call.arg(1)
    if owner is None or name is None or not isinstance(name.data, str):
        return unknown("an attribute whose name is not known", *call.args[:1])
    value = get_attribute(call.run, owner, name.data, call.scope, call.spot.line)
    if isinstance(owner.data, Module) and isinstance(value.data, Unknown):
        value = handed_on(owner.data, name) or value
    call.run.saw(name.data, value)
    if isinstance(value.data, Unknown) and len(call.args) > 2 and certainly_lacks(owner, name.data):
        return call.args[2]
    if isinstance(value.data, Unknown) and isinstance(owner.data, Module) and certainly_lacks(owner, name.data):
        return fails(call, "AttributeError", owner)
    if isinstance(value.data, External):
        return Value(value.data, (*name.src, *value.src)[:4])
    return value


def handed_on(module: Module, name: Value) -> Value | None:
    """Give what a module may hold by its only `from library import *`: `getattr(optimizers, "Adam")`."""
    libraries = {library for library, _ in module.stars}
    plain = name.data[:1].isupper() and name.data not in module.vars
    return Value(External(f"{libraries.pop()}.{name.data}"), name.src) if len(libraries) == 1 and plain else None


def certainly_lacks(owner: Value, name: str) -> bool:
    """Tell whether an attribute is certainly not there."""
    data = owner.data
    if isinstance(data, Config):
        return name not in data
    if isinstance(data, Instance):
        return name not in data.attrs and data.cls.find(name) is None and not data.cls.outside()
    if isinstance(data, Class):
        return data.find(name) is None and not data.outside() and not name.startswith("__")
    if isinstance(data, Module):
        return name not in data.vars
    return is_constant(owner) or isinstance(data, (list, dict, tuple))


def has_attribute(call: Call) -> Value | None:
    """Model `hasattr`."""
    owner, name = call.need(0), call.text(1)
    data = owner.data
    if name == "__dict__" and isinstance(data, (Class, Instance, Function, BoundMethod, Module)):
        return Value(True)
    if isinstance(data, Module):
        return Value(module_has(call.run, data, name))
    if certainly_lacks(owner, name):
        return Value(False)
    found = isinstance(data, Config) or (isinstance(data, Class) and data.find(name) is not None)
    if found or (isinstance(data, Instance) and (name in data.attrs or data.cls.find(name))):
        return Value(True)
    return unknown("an attribute that may be there", owner)


def module_has(run: Run, module: Module, name: str) -> bool:
    """Tell whether a module has a name; one whose text does not hold it, nor takes over all names, is not followed."""
    if not module.done and module.path:
        text = run.repository.glimpse(module.path)
        if name not in text and "import *" not in text:
            return False
    return not isinstance(module_attribute(run, module, name).data, Unknown) or name in module.vars


def write_attribute(call: Call) -> Value | None:
    """Model `setattr`."""
    name = call.constant(1)
    if isinstance(name, str) and len(call.args) > 2:
        set_attribute(call.run, call.args[0], name, call.args[2])
    return Value(None)


def give_globals(call: Call) -> Value:
    """Model `globals`: the module's names themselves, so that writing to them counts."""
    return Value(call.scope.module.vars)


def give_locals(call: Call) -> Value:
    """Model `locals` and `vars`: what is written into a namespace's mapping is written into the namespace."""
    owner = call.arg(0)
    if owner is None:
        return Value(dict(call.scope.vars))
    if isinstance(owner.data, Config):
        hidden = not MAPPING.keys().isdisjoint(map(str, owner.data))  # an option `items` hides the method
        return Value(dict(owner.data), owner.src) if hidden else owner
    if isinstance(owner.data, (Instance, ExternalResult)):
        return Value(owner.data.attrs, owner.src)
    return unknown("", owner)


def list_attributes(call: Call) -> Value | None:
    """Model `dir`: the names that an object, a class or a module holds; of Python's own only `__all__`."""
    value = call.arg(0)
    data = value.data if value is not None else None
    if isinstance(data, Module):
        execute_module(call.run, data)
        names = set(data.vars)
    elif isinstance(data, (Instance, Class)):
        cls = data.cls if isinstance(data, Instance) else data
        names = {name for one in cls.lineage() for name in one.attrs}
        names |= set(data.attrs) if isinstance(data, Instance) else set()
    elif isinstance(data, (Function, BoundMethod)):
        names = set()
    else:
        return unknown("names of attributes", *call.args[:1])
    return Value([Value(name) for name in sorted(names) if name == "__all__" or not name.startswith("__")])


def give_super(call: Call) -> Value | None:
    """Model `super()`."""
    scope: Scope | None = call.scope
    cls = call.args[0].data if call.args and isinstance(call.args[0].data, Class) else None
    while scope is not None:
        for value in list(scope.vars.values())[:1]:
            if (own := class_of(value)) is not None:
                return Value(SuperOf(value, cls or class_around(call, own)))
        scope = scope.parent
    return unknown("super()")


def class_around(call: Call, cls: Class) -> Class:
    """Find the class in whose body the calling method stands."""
    line = call.spot.line
    for one in cls.lineage():
        if one.scope.path == call.spot.path and one.node.lineno <= line <= (one.node.end_lineno or line):
            return one
    return cls


def tell_callable(call: Call) -> Value | None:
    """Model `callable`."""
    value = call.arg(0)
    if value is None or isinstance(value.data, (Unknown, External)):
        return unknown("", *call.args[:1])
    return Value(isinstance(value.data, (Function, Class, BoundMethod, LibraryMethod, LibraryObject)))
