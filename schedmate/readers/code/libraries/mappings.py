"""Mappings with attributes and records of the standard library: namespaces, `namedtuple`, `OrderedDict`."""

from typing import Any

from schedmate.readers.code.libraries.standard_library import copy_value
from schedmate.readers.code.python.builtins.builtin_functions import make_dict
from schedmate.readers.code.values.nested import copied, deepen
from schedmate.readers.code.values.objects import Instance
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, by_names
from schedmate.readers.code.values.value import Config, FilledItems, Items, Value, is_constant, sequence_of

GROWING = ("addict.Dict", "DotMap", "dotdict.dotdict")
"""Mappings that make the sections which are asked for and not there."""


def make_namespace(call: Call) -> Value | None:
    """Model `SimpleNamespace`, `Namespace`, `EasyDict` and other mappings with attributes."""
    items: Items = {}
    if call.args and isinstance(call.args[0].data, dict):
        items.update(call.args[0].data)
    items.update(call.kwargs)
    kind = "growing" if call.name.endswith(GROWING) else "config"
    return Value(Config({key: deepen(value) for key, value in items.items()}, kind), (call.spot,))


def make_chain(call: Call) -> Value | None:
    """Model `ChainMap(first, second)`: what the first mappings hold hides the later ones'."""
    if not all(isinstance(arg.data, dict) for arg in call.args):
        return None
    items: Items = {}
    for arg in reversed(call.args):
        items.update(arg.data)
    return Value(items, (call.spot,))


def make_filled(call: Call) -> Value | None:
    """Model `defaultdict`: a key that is asked for gets what its factory makes."""
    value = make_dict(Call(call.run, "dict", call.args[1:], call.kwargs, call.spot, call.scope))
    if value is None or type(value.data) is not dict or not call.args:
        return value
    return Value(FilledItems(value.data, call.args[0]), value.src)


def replace_fields(call: Call) -> Value | None:
    """Model `dataclasses.replace`."""
    value = copy_value(call)
    if value is not None and hasattr(value.data, "attrs"):
        value.data.attrs.update(call.kwargs)
    return value


def replace_in_tuple(call: Call) -> Value | None:
    """Model a named tuple's `_replace`."""
    made = copied(call.owner) if call.owner is not None else None
    if made is not None and isinstance(made.data, Instance):
        made.data.attrs.update(call.kwargs)
    return made


def mapping_of_tuple(call: Call) -> Value | None:
    """Model a named tuple's `_asdict`: its fields by their names."""
    owner = call.own(Instance)
    return Value(dict(owner.attrs), (call.spot,))


def replace_in_object(call: Call) -> Value | None:
    """Model `replace` of objects that do not change, as Flax's: another one with new parts."""
    owner = call.owner.data if call.owner is not None else None
    if not isinstance(owner, Instance) or call.args:
        return call.run.libraries.follow_unmodelled(call)
    return replace_in_tuple(call)


def make_record_class(call: Call) -> Value | None:
    """Model `namedtuple`: calling it gives a mapping with attributes."""
    fields = call.arg(1)
    names: list[Any] = []
    if fields is not None and isinstance(fields.data, str):
        names = fields.data.replace(",", " ").split()
    elif fields is not None and isinstance(fields.data, (list, tuple)):
        names = [item.data for item in fields.data if is_constant(item)]

    defaults = sequence_of(call.kwargs.get("defaults"))
    usual = dict(zip(names[max(0, len(names) - len(defaults)) :], defaults, strict=False))

    def make(inner: Call) -> Value:
        given = {**usual, **dict(zip(names, inner.args, strict=False)), **inner.kwargs}
        items = {name: given[name] for name in (*names, *given) if name in given}
        return Value(Config(items, "tuple"), (inner.spot,))

    return Value(LibraryMethod(make, "namedtuple"))


HOOKS: dict[str, Hook] = {
    **by_names("dataclasses.replace attr.evolve attrs.evolve", replace_fields),
    "collections.ChainMap": make_chain,
    **by_names("types.SimpleNamespace argparse.Namespace", make_namespace),
    "collections.OrderedDict": make_dict,
    **by_names("types.MappingProxyType immutabledict.immutabledict frozendict.frozendict", make_dict),
    **by_names("flax.core.freeze flax.core.unfreeze flax.core.FrozenDict flax.core.frozen_dict.FrozenDict", make_dict),
    "collections.defaultdict": make_filled,
    "collections.namedtuple": make_record_class,
}
ENDINGS: dict[str, Hook] = {
    "NamedTuple._replace": replace_in_tuple,
    "NamedTuple._asdict": mapping_of_tuple,
    "replace": replace_in_object,
    **by_names(
        "EasyDict edict AttributeDict Munch munchify Bunch bunchify AttrDict DotMap Box addict.Dict", make_namespace
    ),
}
