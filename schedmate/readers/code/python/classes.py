"""Define classes and make objects of them: dataclasses by their fields, others by following `__init__`."""

import ast

import re2

from schedmate.knowledge.code_words import words
from schedmate.readers.code.python.attributes import member_of
from schedmate.readers.code.python.builtins.builtin_functions import make_dict
from schedmate.readers.code.values.joining import SameMaking
from schedmate.readers.code.values.leaving import ProgramRaised
from schedmate.readers.code.values.nested import deepen, record_defaults
from schedmate.readers.code.values.objects import (
    BoundMethod,
    Class,
    ExternalResult,
    Function,
    Instance,
    LibraryObject,
    Partial,
    fields_of,
)
from schedmate.readers.code.values.run import Call, Run
from schedmate.readers.code.values.scopes import Module, Scope
from schedmate.readers.code.values.value import (
    Config,
    External,
    Items,
    SourceLocation,
    Unknown,
    Value,
    is_constant,
    unknown,
)

RECORDS = frozenset(words("classes.records"))
RECORD_MAKERS = frozenset(words("classes.record_makers"))

SETTINGS = re2.compile(r"(Config|Settings|Options|[Pp]arams|Arguments|Args)(Base|Model|Class)?$")
"""How libraries call the classes that records of settings extend."""
MAPPINGS = frozenset(words("classes.mappings"))
FIELD_MAKERS = words("classes.field_makers")
ROW_WORDS = ("idx", "index", "layer_id", "layer_num", "block_id", "layer_number", "number")

MOST_LOOKED_AT = 400
"""How many objects are looked through for one that was made alike."""
ENUMS = frozenset(words("classes.enumerations"))


def define_class(run: Run, node: ast.ClassDef, scope: Scope) -> Value:
    """Make the class: its body is followed in a scope of its own."""
    bases = [run.evaluate(base, scope) for base in node.bases]
    spot = SourceLocation(scope.path, node.lineno)
    made = Class(node.name, node, scope, bases, spot=spot)
    inner = Scope(scope.module, made.attrs, scope, is_class=True)
    run.execute(node.body, inner)
    for value in made.attrs.values():
        if isinstance(value.data, Function) and value.data.owner is None:
            value.data.owner = made
    made.kind = kind_of(made)
    value = Value(made, (spot,))
    tell_ancestor(run, value, {one.arg: run.evaluate(one.value, scope) for one in node.keywords if one.arg})
    for decorator in reversed(node.decorator_list):
        value = decorate_class(run, decorator, value, made, scope)
    return value


def tell_ancestor(run: Run, value: Value, kwargs: dict[str, Value]) -> None:
    """Call the nearest ancestor's `__init_subclass__`, by which many wire factories and registries."""
    made: Class = value.data
    ancestors = made.lineage()[1:]
    hook = next((one.attrs["__init_subclass__"] for one in ancestors if "__init_subclass__" in one.attrs), None)
    if hook is None or not isinstance(hook.data, Function):
        return
    try:
        run.call(Value(BoundMethod(value, hook.data)), [], kwargs, made.spot)
    except ProgramRaised:
        run.note(f"{made.name} is refused by the class that it extends: its parts are read all the same")


def kind_of(made: Class) -> str:
    """Tell records and enumerations from plain classes."""
    for base in made.bases:
        if isinstance(base.data, Class) and base.data.kind != "plain":
            return base.data.kind
        name = base.data.name.rpartition(".")[2] if isinstance(base.data, External) else ""
        if name in ENUMS:
            return "enum"
        if name in RECORDS or (SETTINGS.search(name) and "__init__" not in made.attrs and fields_of(made)):
            return "record"
    return "plain"


def decorate_class(run: Run, node: ast.expr, value: Value, made: Class, scope: Scope) -> Value:
    """Apply one decorator; registration and the like leave the class as it is."""
    callee = node.func if isinstance(node, ast.Call) else node
    if ast.unparse(callee)[-40:] in RECORD_MAKERS:
        made.kind = "record"
        if isinstance(node, ast.Call) and any(one.arg == "slots" for one in node.keywords):
            made.attrs.setdefault("__slots__", Value(()))
        return value
    decorator = run.evaluate(node, scope)
    made.bases += mixed_in(made, decorator)
    outcome = run.call(decorator, [value], {}, SourceLocation(scope.path, node.lineno), scope)
    return outcome if isinstance(outcome.data, (Class, Function, Partial, Instance, LibraryObject)) else value


def mixed_in(made: Class, decorator: Value) -> list[Value]:
    """Give what a library's decorator makes of a record: it has that library's methods, as `dataclass_json` gives."""
    data = decorator.data
    name = data.name if isinstance(data, External) else data.callee if isinstance(data, ExternalResult) else ""
    return [Value(External(name), decorator.src)] if name and made.kind == "record" else []


def default_of(run: Run, made: Class, name: str) -> Value | None:
    """Give a field's default; `field(default=...)` and factories are looked into."""
    value = made.find(name)
    if value is None:
        return None
    data = value.data
    if isinstance(data, ExternalResult) and data.short in FIELD_MAKERS:
        for key in ("default", "default_value"):
            if key in data.kwargs:
                return data.kwargs[key]
        for key in ("default_factory", "factory"):
            if key in data.kwargs:
                return run.call(data.kwargs[key], [], {}, data.spot)
        if data.args and data.short in ("Field", "choice", "mutable_field"):
            first = data.args[0]
            return run.call(first, [], {}, data.spot) if data.short == "mutable_field" else first
        return unknown(f"{name} has no default")
    return value


def instantiate(run: Run, cls: Value, args: list[Value], kwargs: dict[str, Value], spot: SourceLocation) -> Value:
    """Make an object of a class of the repository."""
    made: Class = cls.data
    if made.kind == "enum" and args:
        return member_of(made, args[0]) or args[0]
    if any(name.rpartition(".")[2] == "TypedDict" for name in made.outside()):
        given = args[0].data if args and isinstance(args[0].data, dict) else {}
        return Value({**given, **kwargs}, (spot,))
    if is_mapping(made) and made.kind != "record":
        return fill_mapping(run, made, args, kwargs, spot)
    instance = Instance(made, {}, spot, given=(args, kwargs), loops=run.open_loops)
    value = Value(instance, (spot,))
    run.instances.append(value)
    if made.kind == "record":
        kwargs = run.libraries.bound_arguments(run, made, args, kwargs)
        fill_record(run, value, made, args, kwargs)
        after = made.find("__post_init__")
        if after is not None and isinstance(after.data, Function):
            told = [name for name, kind in fields_of(made).items() if kind and "InitVar" in ast.unparse(kind)]
            run.call(Value(BoundMethod(value, after.data)), [instance.attrs[name] for name in told])
        return value
    start = made.find("__init__")
    if start is not None and isinstance(start.data, Function):
        outcome = run.call(Value(BoundMethod(value, start.data)), args, kwargs, spot)
        if not instance.attrs and isinstance(outcome.data, Unknown):
            be_like(run, instance, start.data)
    else:
        adopt(run, value, args, kwargs, spot)
    if start is None and any(name.startswith("flax.") for name in made.outside()):
        fill_record(run, value, made, args, kwargs)
    run.record(f"new {made.name}", args, kwargs, spot, None, value)
    return value


def be_like(run: Run, instance: Instance, start: Function) -> None:
    """Give an object whose making is not followed any more what the last one of its class has that was made alike."""
    for other in reversed(run.instances[-MOST_LOOKED_AT:]):
        twin: Instance = other.data
        if twin.cls is instance.cls and twin.attrs and twin.given and instance.given:
            if made_alike(start, twin.given, instance.given):
                instance.attrs.update(twin.attrs)
                instance.native, instance.is_copy = twin.native, True
            return


Given = tuple[list[Value], dict[str, Value]]


def made_alike(start: Function, first: Given, second: Given) -> bool:
    """Tell whether two objects of a class are made of the same, but for rates and for which in a row they are."""
    names = [arg.arg for arg in start.node.args.args[1:]]
    one, other = ({**dict(zip(names, args, strict=False)), **kwargs} for args, kwargs in (first, second))
    if len(first[0]) != len(second[0]) or one.keys() != other.keys():
        return False
    return all(is_rate(one[name], other[name], name) or SameMaking().alike(one[name], other[name]) for name in one)


def is_rate(first: Value, second: Value, name: str) -> bool:
    """Tell two fractions, or two numbers that only say which in a row an object is."""
    if type(first.data) is int and type(second.data) is int:
        return any(word in name for word in ROW_WORDS)
    return type(first.data) is float and type(second.data) is float


def fill_mapping(run: Run, made: Class, args: list[Value], kwargs: dict[str, Value], spot: SourceLocation) -> Value:
    """Make a mapping of a class of the repository: of the mapping it is given, else as its own start fills it."""
    start = made.find("__init__")
    starts = start if start is not None and isinstance(start.data, Function) else None
    given = args[0].data if args and isinstance(args[0].data, dict) else None
    items: Items = dict(given or {})
    items.update(items_of(run, [] if starts is not None or given is not None else args, kwargs, spot))
    mapping = Config({key: deepen(value) for key, value in items.items()})
    mapping.cls = made
    value = Value(mapping, (spot,))
    if given is None and starts is not None:
        run.call(Value(BoundMethod(value, starts.data)), args, kwargs, spot)
    return value


def items_of(run: Run, args: list[Value], kwargs: dict[str, Value], spot: SourceLocation) -> Items:
    """Give what `dict(...)` holds of such arguments: a mapping, pairs, or names with their values."""
    made = make_dict(Call(run, "dict", args, kwargs, spot, Scope(Module("", "", "."), {})))
    items: Items = {}
    items.update(made.data if made is not None and isinstance(made.data, dict) else kwargs)
    return items


def is_mapping(made: Class) -> bool:
    """Tell a class of mappings: the `AttrDict(dict)` that many write, or one that extends a library's node."""
    names = [getattr(base.data, "name", "") for one in made.lineage() for base in one.bases]
    return any(name.rpartition(".")[2] in MAPPINGS or name == "addict.Dict" for name in names)


def fill_record(run: Run, value: Value, made: Class, args: list[Value], kwargs: dict[str, Value]) -> None:
    """Give each field of a record its argument or its default."""
    names = list(fields_of(made))
    given = {**dict(zip(names, args, strict=False)), **kwargs}
    for name in names:
        if name not in given:
            default = default_of(run, made, name)
            given[name] = default if default is not None else unknown(f"{name} has no default")
            if "**" in kwargs:
                given[name] = unknown(f"{name} may be given by what is not known", given[name])
    for outside in made.outside():
        for name, default in record_defaults(outside, value.data.spot).items():
            given.setdefault(name, default)
    value.data.attrs.update(given)


def adopt(run: Run, value: Value, args: list[Value], kwargs: dict[str, Value], spot: SourceLocation) -> None:
    """Give the object the library's part of itself, where its ancestor is one that is followed closely."""
    outside = value.data.cls.outside()
    if not outside:
        return
    made = run.call(Value(External(outside[0])), args, kwargs, spot, value.data.cls.scope)
    value.data.native = made
    if isinstance(made.data, LibraryObject):
        made.data.worn_by(value)
    if isinstance(made.data, Config):
        value.data.attrs.update(made.data)


def call_library_init(call: Call, owner: Value) -> Value:
    """Follow `super().__init__(...)` into a library: the object gets the library's part, a mapping its items."""
    if isinstance(owner.data, Config):
        for key, item in items_of(call.run, call.args, call.kwargs, call.spot).items():
            call.run.journal.put(owner.data, key, deepen(item))
    if isinstance(owner.data, Instance):
        if owner.data.cls.kind != "record":
            adopt(call.run, owner, call.args, call.kwargs, call.spot)
        for key, item in call.kwargs.items():
            if is_constant(item) and key not in owner.data.attrs:
                owner.data.attrs[f"super.{key}"] = item
    return Value(None)
