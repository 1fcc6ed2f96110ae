"""Sets that libraries load by name know how wide their samples are, and hand it on to what is made of them."""

from functools import partial
from math import prod

from schedmate.knowledge.code_words import words
from schedmate.knowledge.set_shapes import SetShape, classes_of_graphs, shape_of_graphs, tables_of_scikit
from schedmate.readers.code.libraries.data_lengths import SAMPLES, array_in, attributes_of, samples_in
from schedmate.readers.code.libraries.layer_shapes import shape_of, shape_of_weight
from schedmate.readers.code.values.joining import truth
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.run import Call, Hook, by_names
from schedmate.readers.code.values.value import Attributes, External, Unknown, Value, sequence_of

SIDES = "<sides>"
"""Under which attribute a library's object keeps the shape of one of its samples."""
DEEPEST = 10
KEEPING, WRAPPING, SCALING = (frozenset(words(f"data.{name}")) for name in ("keeping", "wrapping", "scaling"))
SPLITTING = ("train_test_split", "Subset")

OTHERWISE = ("transform", "fit_transform", "to_categorical", "one_hot", "pad_sequences", "texts_to_matrix", "squeeze")
"""What gives as many samples as it is given, of another shape."""


def sides_in(value: Value | None, depth: int = 0) -> tuple[Value, ...] | None:
    """Give the shape of each sample of some data; None where it is not known."""
    data = value.data if value is not None else None
    if depth > DEEPEST:
        return None
    if isinstance(data, External):
        same = {"values", "data"}.issuperset(attributes_of(value)) if value is not None else False
        return sides_in(data.owner, depth + 1) if same else None
    if isinstance(data, Unknown):
        return sides_of_open(data, depth)
    if not isinstance(data, ExternalResult):
        return None
    told = data.attrs.get(SIDES)
    if told is not None:
        return tuple(told.data)
    if data.owner is not None and data.short in KEEPING:
        return sides_in(data.owner, depth + 1)
    if data.short == "reshape":
        return reshaped(data)
    scales = data.short in ("transform", "fit_transform") and any(name in data.callee for name in SCALING)
    wraps = data.short in WRAPPING and data.short not in OTHERWISE
    first = data.args[0] if data.args else None
    return sides_in(first, depth + 1) if first and (scales or wraps or data.short in SPLITTING) else None


def sides_of_open(data: Unknown, depth: int) -> tuple[Value, ...] | None:
    """Give the shape of samples where some of them were taken, or all worked on with plain numbers: `x / 255`."""
    cut = data.count is not None and len(data.parts) == 1 and data.reason is Reason.PART
    array = data.parts[0] if cut else array_in(data)
    return sides_in(array, depth + 1) if array is not None else None


def reshaped(data: ExternalResult) -> tuple[Value, ...] | None:
    """Give the shape of samples that are put into another one, whose sides are told as numbers."""
    rest = data.args if data.owner is not None else data.args[1:]
    told = sequence_of(rest[0]) if rest and isinstance(rest[0].data, (list, tuple)) else rest
    sides = tuple(told[1:])
    return sides if sides and all(type(side.data) is int and side.data > 0 for side in sides) else None


def side_of(value: Value, place: int) -> Value | None:
    """Give one side of an array by its place: behind the samples come those of each of them."""
    sides = sides_in(value)
    passed = shape_of(value) if sides is None else None
    if passed is not None and -len(passed) <= place < len(passed):
        return Value(passed[place], value.src)
    if sides is None or place == 0 or not -len(sides) <= place <= len(sides):
        return None
    return sides[place - 1] if place > 0 else sides[place]


def load_table(call: Call, shape: SetShape) -> Value | None:
    """Model scikit-learn's loaders: a table and its labels, as attributes of one object or one beside the other."""
    rows = {SAMPLES: Value(shape.samples, (call.spot,))}
    features = Value(ExternalResult(f"{call.name}[]", [], {}, call.spot, attrs={**rows, **width(call, shape.features)}))
    labels = Value(ExternalResult(f"{call.name}[]", [], {}, call.spot, attrs=rows))
    if truth(call.arg(0, "return_X_y") or call.kwargs.get("return_X_y", Value(False))):
        return Value((features, labels), (call.spot,))
    attrs = {"data": features, "[data]": features, "target": labels, "[target]": labels}
    return call.made(attrs)


def width(call: Call, *sides: int) -> Attributes:
    """Give the attribute that keeps the shape of a sample."""
    return {SIDES: Value(tuple(Value(side, (call.spot,)) for side in sides), (call.spot,))}


def make_graphs(call: Call) -> Value | None:
    """Model the sets of PyTorch Geometric, which tell how many features nodes have and how many classes there are."""
    told = next(
        (one.data for one in (call.arg(1, "name"), call.arg(0, "name")) if one and isinstance(one.data, str)), ""
    )
    shape = shape_of_graphs(call.name.rpartition(".")[2], told)
    if shape is None:
        return None
    features, classes = Value(shape.features, (call.spot,)), Value(shape.classes, (call.spot,))
    matrix = Value(ExternalResult(f"{call.name}.x", [], {}, call.spot, attrs=width(call, shape.features)), (call.spot,))
    sides = {"num_features": features, "num_node_features": features}
    one = Value(ExternalResult(f"{call.name}[]", [], {}, call.spot, attrs={**sides, "x": matrix}), (call.spot,))
    samples = {SAMPLES: Value(shape.samples, (call.spot,))} if shape.samples else {}
    attrs = {**samples, **sides, "num_classes": classes, "[0]": one, "data": one, "_data": one}
    return call.made(attrs)


def measure(call: Call) -> Value | None:
    """Model `rows.size(1)` of a table whose width is known, and the size of a tensor that was passed through layers."""
    place, owner = call.arg(0), call.owner
    made = owner.data if owner is not None else None
    if isinstance(made, ExternalResult) and ".weight." in call.name[len(made.callee) :]:
        passed = shape_of_weight(made)
    else:
        passed = shape_of(owner)
    if passed is not None and owner is not None and (place is None or type(place.data) is int):
        sides = tuple(Value(side, owner.src) for side in passed)
        if place is None:
            return Value(sides, owner.src)
        return sides[place.data] if -len(sides) <= place.data < len(sides) else None
    if place is not None and place.data == 0:
        return samples_in(call.run, owner)
    known = place is not None and type(place.data) is int and call.owner is not None
    return side_of(call.owner, place.data) if known and place is not None and call.owner is not None else None


MADE_UP = 100
"""How many samples scikit-learn makes up where it is not told."""


def make_up(call: Call) -> Value | None:
    """Model `make_moons(n_samples=500)`: samples and labels, as many as are asked for."""
    told = call.arg(0, "n_samples") or Value(MADE_UP, (call.spot,))
    if type(told.data) is not int:
        return None
    made = ExternalResult(
        f"{call.name}[]", [], {}, call.spot, attrs={SAMPLES: Value(told.data, told.src or (call.spot,))}
    )
    return Value((Value(made, (call.spot,)), Value(made, (call.spot,))), (call.spot,))


def count_numbers(call: Call) -> Value | None:
    """Model `rows.numel()` of a tensor that was passed through layers."""
    passed = shape_of(call.owner)
    return Value(prod(passed), (call.spot,)) if passed is not None else None


HOUSES = ("torch_geometric.datasets", "ogb.nodeproppred", "ogb.graphproppred")
HOOKS: dict[str, Hook] = {
    **{f"sklearn.datasets.{name}": partial(load_table, shape=shape) for name, shape in tables_of_scikit().items()},
    **by_names(" ".join(f"sklearn.datasets.{name}" for name in words("data.making_up")), make_up),
    **{f"{house}.{name}": make_graphs for house in HOUSES for name in classes_of_graphs()},
}
ENDINGS: dict[str, Hook] = {"size": measure, **by_names("numel nelement", count_numbers)}
