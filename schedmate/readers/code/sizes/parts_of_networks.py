"""What a network is put together of: rows of layers, parameters, wrappers, layers of its own and of libraries."""

from schedmate.knowledge.code_words import words
from schedmate.knowledge.layer_sizes import layer_size, library_of
from schedmate.readers.code.sizes.keras_models import is_keras
from schedmate.readers.code.sizes.ready_networks import loads_a_network
from schedmate.readers.code.values.objects import BoundMethod, Class, ExternalResult, Function, Instance
from schedmate.readers.code.values.value import Value

CONTAINERS = (
    "Sequential",
    "SparseSequential",
    "ModuleList",
    "ModuleDict",
    "LayerList",
    "LayerDict",
    "SequentialCell",
    "CellList",
    "ParameterList",
)

EMPTY = ("torch.nn.Module", "paddle.nn.Layer")
"""Modules that are made empty, to be given parts."""
PARAMETERS = ("Parameter", "create_parameter", "ParameterDict")
WRAPPERS = (
    *words("networks.wrappers"),
    "weight_norm",
    "spectral_norm",
    "deepcopy",
    "parametrize",
    "orthogonal",
    "checkpoint_wrapper",
)
BASES = tuple(words("networks.bases"))


def is_same_layer(one: Class, other: Class) -> bool:
    """Tell two classes that extend one layer of a library: convolutions that pad in different ways."""
    outside = one.outside()
    return len(outside) == 1 and outside == other.outside() and layer_size(outside[0]) is not None


def names_in_class(network: Instance) -> set[str]:
    """Name what a network's classes define: methods and settings."""
    return {name for one in network.cls.lineage() for name in one.attrs}


def is_container(network: Instance) -> bool:
    """Tell a class that extends a row of layers or a layer, whose methods are the library's."""
    native = network.native.data if network.native is not None else None
    return isinstance(native, ExternalResult) and (
        native.short in CONTAINERS or layer_size(native.callee) is not None or is_keras(native)
    )


def is_row_of(network: Instance, value: Value) -> bool:
    """Tell a plain list of layers where the library counts what stands in such, as flax.nnx and Equinox do."""
    takes = any(name.startswith(("flax.nnx.", "equinox.")) for name in network.cls.outside())
    return takes and isinstance(value.data, (list, tuple)) and any(is_layer(item.data) for item in value.data)


def is_module(data: Instance) -> bool:
    """Tell an object whose parameters belong to the one that holds it."""
    return has_layers(data.cls)


def has_layers(cls: Class) -> bool:
    """Tell a class whose objects may have parameters."""
    return any(name.rpartition(".")[2].endswith((*BASES, *CONTAINERS)) or layer_size(name) for name in cls.outside())


def is_layer(data: object) -> bool:
    """Tell a library's object that may have parameters, and a network."""
    if isinstance(data, Instance):
        return is_module(data)
    if not isinstance(data, ExternalResult):
        return False
    known = data.short in (*CONTAINERS, *PARAMETERS, *WRAPPERS) or layer_size(data.callee) is not None
    return known or loads_a_network(data) or (library_of(data.callee) is not None and data.is_object)


def is_function(value: Value) -> bool:
    """Tell one of the program's own functions, which holds nothing."""
    return isinstance(value.data, (Function, BoundMethod))


def is_ordered(data: object) -> bool:
    """Tell an ordered mapping that layers stand in."""
    return isinstance(data, ExternalResult) and data.short == "OrderedDict"
