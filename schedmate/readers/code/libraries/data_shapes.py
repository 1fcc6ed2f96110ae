"""Sets that libraries load by name know how wide their samples are, and hand it on to what is made of them."""

from functools import partial

from schedmate.knowledge.code_words import words
from schedmate.knowledge.set_shapes import SetShape, classes_of_graphs, shape_of_graphs, tables_of_scikit
from schedmate.readers.code.libraries.data_lengths import SAMPLES
from schedmate.readers.code.values.joining import truth
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Attributes, External, Unknown, Value

WIDTH = "<features>"
"""Under which attribute a library's object keeps how many features its samples have."""
DEEPEST = 10
KEEPING, WRAPPING, SCALING = (frozenset(words(f"data.{name}")) for name in ("keeping", "wrapping", "scaling"))
SPLITTING = ("train_test_split", "Subset")


def width_in(value: Value | None, depth: int = 0) -> Value | None:
    """Give how many features each sample of some data has; None where it is not known."""
    data = value.data if value is not None else None
    if depth > DEEPEST:
        return None
    if isinstance(data, External):
        same = data.owner is not None and data.name.rpartition(".")[2] in ("values", "data")
        return width_in(data.owner, depth + 1) if same else None
    if isinstance(data, Unknown):
        return width_in(data.parts[0], depth + 1) if data.count is not None and len(data.parts) == 1 else None
    if not isinstance(data, ExternalResult):
        return None
    told = data.attrs.get(WIDTH)
    if told is not None:
        return told
    if data.owner is not None and data.short in KEEPING:
        return width_in(data.owner, depth + 1)
    scales = data.short in ("transform", "fit_transform") and any(name in data.callee for name in SCALING)
    wraps = data.short in WRAPPING and data.short not in ("transform", "fit_transform", "to_categorical", "one_hot")
    first = data.args[0] if data.args else None
    return width_in(first, depth + 1) if first and (scales or wraps or data.short in SPLITTING) else None


def load_table(call: Call, shape: SetShape) -> Value | None:
    """Model scikit-learn's loaders: a table and its labels, as attributes of one object or one beside the other."""
    rows = {SAMPLES: Value(shape.samples, (call.spot,))}
    features = Value(ExternalResult(f"{call.name}[]", [], {}, call.spot, attrs={**rows, **width(call, shape)}))
    labels = Value(ExternalResult(f"{call.name}[]", [], {}, call.spot, attrs=rows))
    if truth(call.arg(0, "return_X_y") or call.kwargs.get("return_X_y", Value(False))):
        return Value((features, labels), (call.spot,))
    attrs = {"data": features, "[data]": features, "target": labels, "[target]": labels}
    return Value(ExternalResult(call.name, call.args, call.kwargs, call.spot, attrs=attrs), (call.spot,))


def width(call: Call, shape: SetShape) -> Attributes:
    """Give the attribute that keeps how many features a sample has."""
    return {WIDTH: Value(shape.features, (call.spot,))}


def make_graphs(call: Call) -> Value | None:
    """Model the sets of PyTorch Geometric, which tell how many features nodes have and how many classes there are."""
    told = next(
        (one.data for one in (call.arg(1, "name"), call.arg(0, "name")) if one and isinstance(one.data, str)), ""
    )
    shape = shape_of_graphs(call.name.rpartition(".")[2], told)
    if shape is None:
        return None
    features, classes = Value(shape.features, (call.spot,)), Value(shape.classes, (call.spot,))
    matrix = Value(ExternalResult(f"{call.name}.x", [], {}, call.spot, attrs=width(call, shape)), (call.spot,))
    sides = {"num_features": features, "num_node_features": features}
    one = Value(ExternalResult(f"{call.name}[]", [], {}, call.spot, attrs={**sides, "x": matrix}), (call.spot,))
    attrs = {**sides, "num_classes": classes, "[0]": one, "data": one, "_data": one}
    return Value(ExternalResult(call.name, call.args, call.kwargs, call.spot, attrs=attrs), (call.spot,))


def measure(call: Call) -> Value | None:
    """Model `rows.size(1)` of a table whose width is known."""
    place = call.arg(0)
    return width_in(call.owner) if place is not None and place.data in (1, -1) else None


HOUSES = ("torch_geometric.datasets", "ogb.nodeproppred", "ogb.graphproppred")
HOOKS: dict[str, Hook] = {
    **{f"sklearn.datasets.{name}": partial(load_table, shape=shape) for name, shape in tables_of_scikit().items()},
    **{f"{house}.{name}": make_graphs for house in HOUSES for name in classes_of_graphs()},
}
ENDINGS: dict[str, Hook] = {"size": measure}
