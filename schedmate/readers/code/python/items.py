"""Look up items of whatever a name stands for, each kind of value by its own rule."""

import ast
import builtins
from collections.abc import Callable, Sequence

from schedmate.knowledge.evaluation_words import tells_evaluation
from schedmate.readers.code.python.assignments import in_order
from schedmate.readers.code.python.attributes import SIDES, class_attribute, is_template
from schedmate.readers.code.python.comprehensions import object_of
from schedmate.readers.code.python.modules.modules import resolve
from schedmate.readers.code.python.modules.registries import complete_table
from schedmate.readers.code.values.joining import join
from schedmate.readers.code.values.leaving import ProgramRaised
from schedmate.readers.code.values.objects import (
    BoundMethod,
    Class,
    ExternalResult,
    Function,
    Instance,
    LibraryObject,
    fields_of,
)
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Module, Scope
from schedmate.readers.code.values.value import (
    Config,
    External,
    FilledItems,
    Unknown,
    Value,
    find_in,
    is_constant,
    unknown,
)

CHANGING = frozenset({"map", "shuffle", "with_format", "remove_columns", "rename_column", "cast_column", "cast"})
"""Methods of a mapping of data sets that give one with the same parts."""
REGROUPING = ("block_size", "chunk", "return_overflowing_tokens", "group_texts", "pack")
"""What functions speak of that make more or fewer samples of those that they are given."""
MOST_ALIKE = 200
"""Objects of a list that are held against each other."""
MARKS = ("tyro.conf.",)
"""Libraries whose types only mark what stands in their brackets."""


def is_for_evaluation(node: ast.expr) -> bool:
    """Tell a mapping that is called after an evaluation, which is not what a job trains with: `val_loader_args`."""
    name = getattr(node, "id", "") or getattr(node, "attr", "")
    return name != "val" and tells_evaluation(name)  # that alone is any value


def get_item(run: Run, owner: Value, key: Value, scope: Scope | None) -> Value:
    """Give what stands under a key or at a place."""
    data = in_order(owner) if isinstance(key.data, int) else owner.data
    find = next((find for kinds, find in ITEMS if isinstance(data, kinds)), None)
    held = owner if data is owner.data else Value(data, owner.src)
    found = find(run, held, key, scope) if find is not None else None
    return found if found is not None else unknown("an item of what is not known", owner)


def object_item(run: Run, owner: Value, key: Value, scope: Scope | None) -> Value | None:
    if not is_constant(key):
        return None
    if key.data == "__main__" and scope is not None and scope.module.is_main:
        return Value(scope.module)  # of all modules, as `sys.modules[__name__]`
    found = owner.data.item(key.data)
    return found if found is not None else unknown("not set", owner)


def mapping_item(run: Run, owner: Value, key: Value, scope: Scope | None) -> Value:
    """Give what a table holds; of a key that it lacks, what a lookup does there."""
    data = owner.data
    own = key.data.filed_under() if isinstance(key.data, LibraryObject) else None
    known = key.data if is_constant(key) else own if own is not None else id(key.data)
    if isinstance(data, Config) and data.kind == "section" and isinstance(known, str) and known not in data:
        known = known.lower()  # an INI file's options are kept in small letters
    if known in data or complete_table(run, data, known):
        found = data[known]
        found = resolve(run, found) if isinstance(found, Value) else Value(found)
        if is_template(found) and isinstance(data, Config):
            return run.libraries.interpolated(run, owner, found)
        return Value(found.data, (*key.src, *found.src)[:4]) if isinstance(found.data, External) else found
    if isinstance(data, FilledItems) and is_constant(key):
        made = run.call(data.factory, [])
        run.journal.put(data, known, made)
        return made
    if isinstance(known, str) and "." in known and isinstance(data, Config):
        return (find_in(owner, known) if data.kind == "hocon" else None) or unknown("not set", owner)
    if not is_constant(key) and (one := any_of(list(data.values())[:MOST_ALIKE])) is not None:
        return one
    if is_constant(key) and scope is not None and scope.tries and not isinstance(data, Config):
        raise ProgramRaised("KeyError")
    named = repr(str(known)[:60]) if is_constant(key) else "such entry"
    return unknown(f"no {named} in the mapping", *list(data.values())[:3])


def sequence_item(run: Run, owner: Value, key: Value, scope: Scope | None) -> Value | None:
    data, place = owner.data, key.data
    if not isinstance(place, int):
        return any_of(data) if isinstance(data, (list, tuple)) and not is_constant(key) else None
    if -len(data) <= place < len(data):
        return resolve(run, data[place]) if isinstance(data, (list, tuple)) else Value(data[place], owner.src)
    if isinstance(data, (list, tuple)) and scope is not None and scope.tries:
        raise ProgramRaised("IndexError")
    return None


def any_of(items: Sequence[Value]) -> Value | None:
    """Give what stands for any of several objects of one class, as of a list of clients at a place that is drawn."""
    objects = [one for one in items[:MOST_ALIKE] if isinstance(one, Value)]
    made = [one for one in objects if isinstance(one.data, Instance)]
    if not made or len(made) < len(items[:MOST_ALIKE]) or any(one.data.cls is not made[0].data.cls for one in made):
        return None
    return made[0] if len(made) == 1 else join(made[0], made[-1])


def result_item(run: Run, owner: Value, key: Value, scope: Scope | None) -> Value:
    found = named_part(owner, f"[{key.data}]") if is_constant(key) else None
    if found is not None:
        return found
    item = run.libraries.row_item(run, owner, key)
    if item is not None:
        return item
    part = unknown("an item of a library's object", owner)
    part.data.count = run.libraries.length_of_part(run, owner, key)
    return part


def named_part(owner: Value, name: str) -> Value | None:
    """Give a part that a library's object keeps, or that the one keeps of which all parts were changed by `map`."""
    while isinstance(owner.data, ExternalResult):
        if name in owner.data.attrs:
            part = owner.data.attrs[name]
            return part if isinstance(part, Value) else None
        if owner.data.short not in CHANGING or owner.data.owner is None or regroups(next(iter(owner.data.args), None)):
            return None
        owner = owner.data.owner
    return None


def regroups(function: Value | None) -> bool:
    """Tell a function for `map` that cuts and joins samples: texts into blocks, long ones into several."""
    node = function.data.node if function is not None and isinstance(function.data, Function) else None
    code = ast.unparse(node) if node is not None else ""
    return any(word in code for word in REGROUPING)


def outside_item(run: Run, owner: Value, key: Value, scope: Scope | None) -> Value:
    """Name an item after the library's name; brackets of types change nothing."""
    name = owner.data.name
    if name.endswith(".shape") and key.data == 0 and owner.data.owner is not None:
        samples = run.libraries.length_of(run, owner.data.owner)
        if samples is not None:
            return samples
    if name.endswith(".shape") and type(key.data) is int and owner.data.owner is not None:
        of_weight = name.endswith(".weight.shape")
        whole = Value(External(name.removesuffix(".shape"), owner.data.owner)) if of_weight else owner.data.owner
        side = run.libraries.side_of(whole, key.data)
        if side is not None:
            return side
    if name.startswith(MARKS):
        return key
    if name.endswith(".__dict__") and isinstance(key.data, str):
        return Value(External(f"{name.removesuffix('.__dict__')}.{key.data}"), key.src)
    if name.partition(".")[0] in ("typing", "jaxtyping", "list", "dict"):
        return owner
    if isinstance(key.data, (ExternalResult, Unknown)) and owner.data.owner is not None:
        count = run.libraries.length_of_part(run, owner, key) if name.rpartition(".")[2] in SIDES else None
        if count is not None:
            part = unknown("samples at places that are not known", owner)
            part.data.count = count
            return part
    return Value(External(f"{name}[]", owner.data.owner), owner.src)


def instance_item(run: Run, owner: Value, key: Value, scope: Scope | None) -> Value | None:
    getter = owner.data.cls.find("__getitem__")
    if getter is not None and isinstance(getter.data, Function):
        return run.call(Value(BoundMethod(owner, getter.data)), [key])
    return get_item(run, owner.data.native, key, scope) if owner.data.native is not None else None


def class_item(run: Run, owner: Value, key: Value, scope: Scope | None) -> Value:
    if owner.data.kind == "enum" and isinstance(key.data, str):
        return class_attribute(owner.data, key.data, owner)
    return with_types(owner, key) if owner.data.kind == "record" else owner


def with_types(owner: Value, key: Value) -> Value:
    """Give a record's class with what stands in its brackets for the types that its fields leave open."""
    cls, args = owner.data, list(key.data) if isinstance(key.data, tuple) else [key]
    names = [node.id for node in fields_of(cls).values() if isinstance(node, ast.Name)]
    known = {name: cls.scope.find(name) for name in names if not hasattr(builtins, name)}
    left_open = [name for name, value in known.items() if is_parameter(value)]
    bound = dict(zip(left_open, args, strict=False))
    inner = Scope(cls.scope.module, bound, cls.scope)
    return Value(Class(cls.name, cls.node, inner, [owner], {}, cls.kind, cls.spot), owner.src) if bound else owner


def is_parameter(value: Value | None) -> bool:
    """Tell a name that stands for a type to come: nothing that the file defines, or a `TypeVar`."""
    return value is None or (isinstance(value.data, ExternalResult) and value.data.short == "TypeVar")


ITEMS: tuple[tuple[type | tuple[type, ...], Callable[[Run, Value, Value, Scope | None], Value | None]], ...] = (
    (dict, mapping_item),
    ((list, tuple, str, range), sequence_item),
    (LibraryObject, object_item),
    (ExternalResult, result_item),
    (Module, lambda run, owner, key, scope: unknown("an item of a module")),
    (External, outside_item),
    (Instance, instance_item),
    (Unknown, lambda run, owner, key, scope: object_of(owner)),
    (Class, class_item),
)
"""What gives the items of each kind of value."""
