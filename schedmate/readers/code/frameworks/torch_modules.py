"""PyTorch's modules that grow: layers that are put into a row, and parts that a module registers by name."""

from schedmate.readers.code.python.assignments import set_attribute
from schedmate.readers.code.sizes.parts_of_networks import is_layer
from schedmate.readers.code.sizes.ready_networks import children_of
from schedmate.readers.code.values.nested import made_again
from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.run import Call, Hook, NotModelled, Run, by_names
from schedmate.readers.code.values.value import Attributes, Value, sequence_of

ROWS = ("Sequential", "ModuleList")


def row_of(call: Call) -> list[Value]:
    """Give the layers that a row was made with, to be written to."""
    data = call.owner.data if call.owner is not None else None
    made = data.native.data if isinstance(data, Instance) and data.native is not None else data
    if not isinstance(made, ExternalResult):
        raise NotModelled
    call.run.journal.touch(made.args)
    call.run.note_growth(made.args)
    return made.args


def add_to_row(call: Call) -> Value | None:
    """Model `layers.append(layer)`, `layers.insert(place, layer)` and `layers.add_module(name, layer)`."""
    layer = call.need(0 if call.name.endswith("append") else 1, "module")
    row_of(call).append(layer)
    return Value(None)


def extend_row(call: Call) -> Value | None:
    """Model `layers.extend([...])` and `layers.update({...})`."""
    layers = call.need(0)
    row_of(call).extend(sequence_of(layers) or [layers])
    return Value(None)


def name_of_part(call: Call, parts: Attributes) -> str:
    """Give the name that a part is registered by; parts whose names are open are told apart by their place."""
    name = call.arg(0, "name")
    return name.data if name is not None and isinstance(name.data, str) else f"part {len(parts)}"


def register(call: Call) -> Value | None:
    """Model `self.add_module(name, layer)`, `register_buffer` and `register_parameter`."""
    owner = call.owner
    if owner is None or not isinstance(owner.data, (Instance, ExternalResult)):
        return None
    name = name_of_part(call, owner.data.attrs)
    value = call.arg(1, "module") or call.kwargs.get("tensor") or call.kwargs.get("param") or Value(None)
    set_attribute(call.run, owner, name, value)
    return Value(None)


def layers_in(run: Run, row: ExternalResult) -> list[Value] | None:
    """Give the layers of a row all of which are known."""
    known = not row.kwargs and not row.attrs and all(is_layer(layer.data) for layer in row.args)
    return row.args if known and run.has_known_length(Value(row.args)) else None


def name_children(call: Call) -> Value | None:
    """Give the parts of a network by name, as `named_children` and `children` do."""
    made = call.owner.data if call.owner is not None else None
    if isinstance(made, ExternalResult) and call.name.endswith(".children"):
        held = layers_in(call.run, made) if made.short in ROWS else children_of(made)
        if held is None:
            raise NotModelled
        return Value([made_again(layer) if made.is_copy else layer for layer in held], (call.spot,))
    parts = {name: value for name, value in call.own(Instance).attrs.items() if is_layer(value.data)}
    if call.name.endswith("named_children"):
        return Value([Value((Value(name), value)) for name, value in parts.items()], (call.spot,))
    return Value(list(parts.values()), (call.spot,))


ENDINGS: dict[str, Hook] = {
    **by_names(
        "ModuleList.append ModuleList.insert Sequential.append Sequential.add_module LayerList.append", add_to_row
    ),
    **by_names("ModuleList.extend ModuleDict.update Sequential.extend LayerList.extend", extend_row),
    **by_names("named_children children", name_children),
    **by_names("add_module register_buffer register_parameter register_module add_sublayer", register),
}
