"""Modules that are looked up by name: `sys.modules`, `pydoc.locate`, `inspect.getmembers`, `cProfile.run`."""

from collections.abc import Callable, Hashable

from schedmate.readers.code.python.attributes import get_attribute
from schedmate.readers.code.python.dynamic_code import run_profiled
from schedmate.readers.code.python.modules.imports import find_module
from schedmate.readers.code.python.modules.modules import execute_module, resolve
from schedmate.readers.code.values.joining import truth
from schedmate.readers.code.values.objects import Class, Instance, LibraryObject
from schedmate.readers.code.values.run import Call, Hook, Run, by_names
from schedmate.readers.code.values.scopes import Module
from schedmate.readers.code.values.value import Value, unknown

MOST_MEMBERS = 400


class LoadedModules(LibraryObject):
    """`sys.modules`: the repository's own modules, by their names."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def item(self, key: Hashable) -> Value | None:
        """Give a module by its name."""
        if not isinstance(key, str) or len(key) > 300:
            return None
        found = find_module(self.run, key, self.run.roots)
        return Value(found) if found is not None else None

    def contains(self, key: Value) -> bool | None:
        """Tell whether a module is there; only of the repository's own that is known."""
        return True if isinstance(key.data, str) and self.item(key.data) is not None else None


def locate(call: Call) -> Value | None:
    """Model `pydoc.locate("package.module.Class")`."""
    parts = call.text(0, "path").split(".")
    for cut in range(len(parts), 0, -1):
        module = find_module(call.run, ".".join(parts[:cut]), call.scope.module.roots or call.run.roots)
        if module is not None and (module.path or cut == len(parts)):
            value = Value(module, (call.spot,))
            for part in parts[cut:]:
                value = get_attribute(call.run, value, part, call.scope)
            return value
    return None


def list_members(call: Call) -> Value | None:
    """Model `inspect.getmembers(thing, predicate)`: names and values in the order of the names."""
    thing, predicate = call.need(0, kind=(Module, Class, Instance)), call.arg(1, "predicate")
    found = members_of(call.run, thing)
    rows: list[Value] = []
    for name in sorted(found)[:MOST_MEMBERS]:
        value = resolve(call.run, found[name])
        fits = call.run.call(predicate, [value], {}, call.spot, call.scope) if predicate is not None else Value(True)
        known = truth(fits)
        if known is None and predicate is not None:
            continue  # a library's thing, of which it is not known what it is
        rows += [Value((Value(name), value))] if known else []
    return Value(rows, (call.spot,))


def members_of(run: Run, thing: Value) -> dict[str, Value]:
    """Give what a module, a class or an object holds."""
    data = thing.data
    if isinstance(data, Module):
        execute_module(run, data)
        return dict(data.vars)
    cls = data.cls if isinstance(data, Instance) else data
    found = {name: get_attribute(run, thing, name, None) for one in cls.lineage() for name in one.attrs}
    return {**found, **(data.attrs if isinstance(data, Instance) else {})}


def enter_context(call: Call) -> Value | None:
    """Model `ExitStack.enter_context(manager)`: what entering it gives."""
    value = call.need(0)
    if isinstance(value.data, list):
        return value.data[0] if len(value.data) == 1 else unknown("what a manager gives", value)
    if isinstance(value.data, Instance) and value.data.cls.find("__enter__") is not None:
        return call.run.call(get_attribute(call.run, value, "__enter__", None), [], {}, call.spot, call.scope)
    return value


HOOKS: dict[str, Hook] = {
    "pydoc.locate": locate,
    "inspect.getmembers": list_members,
    **by_names("cProfile.run profile.run", run_profiled),
    **by_names("contextlib.ExitStack.enter_context", enter_context),
}
VALUES: dict[str, Callable[[Run], Value]] = {"sys.modules": lambda run: Value(LoadedModules(run))}
