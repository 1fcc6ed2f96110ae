"""Bind names, attributes and items, as assignments and loops do."""

import ast

from schedmate.readers.code.python.modules.registries import remember_table
from schedmate.readers.code.values.joining import join
from schedmate.readers.code.values.objects import (
    BoundMethod,
    Class,
    ExternalResult,
    Function,
    Instance,
    LibraryObject,
    fields_of,
)
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.run import Call, Run
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import Config, External, Unknown, Value, is_constant, unknown

ROWS = (".layer", ".layers", ".blocks", ".block", ".h")
"""Parts of networks that hold their rows of layers, however deep they lie."""


def ast_load(target: ast.expr) -> ast.expr:
    """Give a target as the expression that reads it."""
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Load())
    if isinstance(target, ast.Subscript):
        return ast.Subscript(target.value, target.slice, ast.Load())
    return target


def assign(run: Run, target: ast.expr, value: Value, scope: Scope) -> None:
    """Bind a target; what cannot be followed is left as it was."""
    if isinstance(target, ast.Name):
        remember_name(value, target.id)
        if scope.is_class or scope.vars is scope.module.vars:
            remember_table(run, value)
        run.journal.put(scope.home_of(target.id), target.id, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        unpack(run, target.elts, value, scope)
    elif isinstance(target, ast.Starred):
        assign(run, target.value, value, scope)
    elif isinstance(target, ast.Attribute):
        remember_name(value, target.attr)
        remember_table(run, value)
        set_attribute(run, run.evaluate(target.value, scope), target.attr, value)
    elif isinstance(target, ast.Subscript):
        owner = run.evaluate(target.value, scope)
        if isinstance(target.slice, ast.Slice) and isinstance(owner.data, list):
            run.forget_length(owner.data)
            run.grown[id(owner.data)] = owner.data  # a piece may get longer or shorter
            return
        set_item(run, owner, run.evaluate(target.slice, scope), value)


def remember_name(value: Value, name: str) -> None:
    """Keep under which names an object goes: `train_loader` says what `DataLoader(...)` does not."""
    names = value.data.names if isinstance(value.data, (ExternalResult, Instance)) else None
    if names is not None and len(names) < 4 and name not in names:
        names.append(name)


def unpack(run: Run, targets: list[ast.expr], value: Value, scope: Scope) -> None:
    """Bind several targets at once."""
    items = in_order(value)
    starred = next((i for i, target in enumerate(targets) if isinstance(target, ast.Starred)), None)
    if isinstance(items, (list, tuple)) and starred is not None and len(items) >= len(targets) - 1:
        after = len(targets) - starred - 1
        middle = list(items[starred : len(items) - after])
        items = [*items[:starred], Value(middle, value.src), *items[len(items) - after :]]
    if isinstance(items, (list, tuple)) and len(items) == len(targets):
        for target, item in zip(targets, items, strict=True):
            assign(run, target, item, scope)
        return
    for place, target in enumerate(targets):
        part = value.data.attrs.get(f"[{place}]") if isinstance(value.data, ExternalResult) else None
        assign(run, target, part or unknown("part of what is not known", value), scope)


def in_order(value: Value) -> object:
    """Give a named tuple's items as the sequence that it is; anything else as it stands."""
    data = value.data
    if isinstance(data, Config) and data.kind == "tuple":
        return list(data.values())
    if isinstance(data, Instance) and any(name.endswith("NamedTuple") for name in data.cls.outside()):
        return [data.attrs.get(name, unknown(f"{name} is not given")) for name in fields_of(data.cls)]
    return data


def set_attribute(run: Run, owner: Value, name: str, value: Value) -> None:
    """Write an attribute."""
    data = owner.data
    if isinstance(data, (Instance, Config)) and name == "__dict__" and isinstance(value.data, dict):
        names = data if isinstance(data, Config) else data.attrs
        for key, item in list(value.data.items()) if value.data is not names else ():
            run.journal.put(names, key, item)
    elif isinstance(data, (Instance, ExternalResult, Class)):
        run.journal.put(data.attrs, name, value)
    elif isinstance(data, Config):
        run.journal.put(data, name, as_node(data, value))
    elif isinstance(data, Function):
        run.journal.put(data.marks, name, value)
    elif isinstance(data, BoundMethod):
        run.journal.put(data.function.marks, name, value)
    elif isinstance(data, LibraryObject) and hasattr(data, "put"):
        data.put(name, value)
    elif isinstance(data, External) and (data.name, name) == ("sys", "argv") and isinstance(value.data, list):
        run.journal.touch(run.arguments.data)
        run.arguments.data[:] = value.data
    elif isinstance(data, External):
        put_into_part(run, data, f".{name}", value)
    elif hasattr(data, "vars"):
        run.journal.put(data.vars, name, value)
    elif isinstance(data, Unknown) and data.reason is Reason.ALTERNATIVES:
        set_on_either(run, data, name, value)


def set_on_either(run: Run, owner: Unknown, name: str, value: Value) -> None:
    """Write an attribute of one of several objects: each may be the one."""
    for one in [part.data for part in owner.parts if isinstance(part.data, Instance)]:
        run.journal.put(one.attrs, name, join(one.attrs.get(name, value), value))


def write_named(call: Call) -> Value:
    """Model `self.__setattr__(name, value)`, the same of `super()`, and of `object` with the owner told."""
    given = [*([call.owner] if call.owner is not None else []), *call.args]
    if len(given) == 3 and isinstance(given[1].data, str):
        set_attribute(call.run, given[0], given[1].data, given[2])
    return Value(None)


def put_into_part(run: Run, part: External, place: str, value: Value) -> None:
    """Keep what is put into a part of a network that a function made: `net.classifier[1] = nn.Linear(64, 10)`."""
    owner = part.owner.data if part.owner is not None else None
    if isinstance(owner, ExternalResult) and isinstance(value.data, (Instance, ExternalResult, Unknown)):
        name = part.name.removeprefix(f"{owner.callee}.")
        if owner.short[:1].islower() and ("." not in name or place in ROWS):
            run.journal.put(owner.attrs, name + place, value)


def take_from_part(run: Run, part: External) -> None:
    """Keep that layers are taken from a network that a function made: `del net.encoder.layers[6:]`."""
    name = f".{part.name.rpartition('.')[2]}"
    if name in ROWS and part.owner is not None and isinstance(part.owner.data, ExternalResult):
        above = External(part.name.removesuffix(name), part.owner)
        put_into_part(run, above, name, unknown("what is left of layers", part.owner))


def as_node(owner: Config, value: Value) -> Value:
    """Turn a plain mapping put into a configuration into one of its nodes, as these classes do."""
    if type(value.data) is not dict or owner.kind == "namespace":
        return value
    return Value(Config(dict(value.data.items()), owner.kind), value.src)


def set_item(run: Run, owner: Value, key: Value, value: Value) -> None:
    """Write under a key; an unknown key makes nothing known."""
    data = owner.data
    own = data.cls.find("__setitem__") if isinstance(data, Instance) else None
    if own is not None and isinstance(own.data, Function):
        run.call(Value(BoundMethod(owner, own.data)), [key, value])
        return
    if isinstance(data, list) and isinstance(key.data, int) and -len(data) <= key.data < len(data):
        run.journal.touch(data)
        data[key.data] = value
    elif key.data == "lr" and not isinstance(data, dict):
        run.observer.sets_item(run, key)
    elif isinstance(data, dict) and is_constant(key):
        if run.again and key.data not in data:
            run.grown[id(data)] = data  # a key that the round before had not: nobody knows how many there will be
        run.journal.put(data, key.data, as_node(data, value) if isinstance(data, Config) else value)
    elif isinstance(data, dict):
        run.grown[id(data)] = data
    elif isinstance(data, ExternalResult) and data.short == "ModuleDict" and is_constant(key):
        run.journal.put(data.attrs, f"[{key.data}]", value)
    elif isinstance(data, External) and is_constant(key):
        put_into_part(run, data, f"[{key.data}]", value)
    elif isinstance(data, LibraryObject) and is_constant(key) and hasattr(data, "put"):
        data.put(key.data, value)
