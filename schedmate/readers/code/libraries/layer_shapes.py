"""What layers show of themselves, and what shape comes out where a program passes an empty tensor through them."""

from math import prod

from schedmate.knowledge.layer_sizes import layer_size
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import External, Value, each_of, held, sequence_of

Shape = tuple[int, ...]

FILLED = ("zeros", "ones", "empty", "randn", "rand", "Tensor", "FloatTensor")
HOUSES = ("torch", "numpy", "np")

TURNED = ("as_tensor", "from_numpy", "tensor", "Variable")
"""Calls that make a tensor of an array, of the same shape."""
SAME = (
    "ReLU", "ReLU6", "LeakyReLU", "PReLU", "ELU", "CELU", "SELU", "GELU", "SiLU", "Mish", "Softplus", "Tanh", "Sigmoid",
    "Hardswish", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "BatchNorm1d", "BatchNorm2d",
    "BatchNorm3d", "LayerNorm", "GroupNorm", "InstanceNorm1d", "InstanceNorm2d", "LocalResponseNorm", "Identity",
    "Softmax",
    "relu", "relu6", "leaky_relu", "elu", "selu", "gelu", "silu", "mish", "softplus", "tanh", "sigmoid", "dropout",
    "dropout2d", "softmax", "log_softmax",
    "to", "float", "double", "half", "type", "cuda", "cpu", "detach", "contiguous", "clone", "requires_grad_", "relu_",
)  # fmt: skip
"""Layers, functions and methods that leave a tensor's shape."""
SHOWN = frozenset(
    [
        "in_features", "out_features", "in_channels", "out_channels", "num_features", "input_size", "hidden_size",
        "num_layers", "num_embeddings", "embedding_dim", "embed_dim", "num_heads", "groups", "kernel_size",
    ]
)  # fmt: skip
"""What layers were made with and show under the same names."""
ROWS = ("Sequential", "ModuleList")
DEEPEST, MOST_LAYERS = 60, 2_000


class OpenShape(Exception):
    """Say that something on the way is not known."""


def shape_of(value: Value | None, depth: int = 0) -> Shape | None:
    """Give a tensor's shape, where it comes of one of known shape; None where anything on the way is open."""
    data = value.data if value is not None else None
    made = data.owner.data if isinstance(data, External) and data.owner is not None else None
    if isinstance(data, External) and data.name.endswith(".weight") and isinstance(made, ExternalResult):
        return shape_of_weight(made)
    if isinstance(data, External) and data.name.endswith(".data"):
        return shape_of(data.owner, depth + 1)
    if not isinstance(data, ExternalResult) or depth > DEEPEST:
        return None
    short = data.short
    if data.owner is None and short in FILLED and data.callee.partition(".")[0] in HOUSES:
        return told_shape(data)
    if short in TURNED and data.owner is None:
        return shape_of(next(iter(data.args), None), depth + 1)
    try:
        if short.endswith("()"):
            return through(data.owner, shape_of(next(iter(data.args), None), depth + 1))
        if data.owner is not None:
            given = shape_of(data.owner, depth + 1)
            return changed(short, data, data.args, given) if given is not None else None
        given = shape_of(data.args[0], depth + 1) if data.args and data.callee.startswith("torch.") else None
        return changed(short, data, data.args[1:], given) if given is not None else None
    except (OpenShape, ArithmeticError, ValueError, LookupError):
        return None


def told_shape(made: ExternalResult) -> Shape | None:
    """Give the shape that a call is told to fill."""
    sides = made.kwargs.get("size") or made.kwargs.get("shape")
    given = [sides] if sides is not None else made.args
    if made.callee.partition(".")[0] != "torch" and made.short not in ("rand", "randn"):
        given = given[:1]
    if len(given) == 1 and isinstance(given[0].data, (list, tuple)):
        if made.short == "FloatTensor":
            return None
        given = list(given[0].data)
    return sides_told(given)


def sides_told(given: list[Value]) -> Shape | None:
    """Give sides that are all known numbers."""
    known = all(type(side.data) is int and side.data > 0 for side in given)
    return tuple(side.data for side in given) if given and known else None


def through(module: Value | None, shape: Shape | None) -> Shape | None:
    """Give the shape behind a layer, or behind a row of layers."""
    if module is None:
        return None
    waiting = [module]
    for _ in range(MOST_LAYERS):
        if not waiting or shape is None:
            return shape
        made = waiting.pop()
        if not isinstance(made.data, ExternalResult):
            return None
        if made.data.short != "Sequential":
            shape = changed(made.data.short, made.data, made.data.args, shape)
        elif made.data.kwargs or made.data.attrs:
            return None
        else:
            waiting += reversed(made.data.args)
    return None


def changed(short: str, made: ExternalResult, args: list[Value], shape: Shape) -> Shape | None:
    """Give the shape that a layer, a function or a method makes of another one."""
    if short in SAME:
        return shape
    name = short.lower().replace("_", "")
    if name.startswith(("conv", "maxpool", "avgpool", "convtranspose")) and name.endswith(("1d", "2d", "3d")):
        return slid(short, name, made, args, shape)
    if name.startswith(("adaptiveavgpool", "adaptivemaxpool")):
        wanted = numbers(made.kwargs.get("output_size") or next(iter(args), None), int(name[-2]))
        return (*shape[: -len(wanted)], *wanted)
    if short == "Linear":
        wide = told_to(made)["out_features"].data
        return (*shape[:-1], wide) if type(wide) is int else None
    if name == "flatten":
        start = made.kwargs.get("start_dim") or next(iter(args), None) or Value(int(short == "Flatten"))
        to_the_end = type(start.data) is int and len(args) < 2 and "end_dim" not in made.kwargs
        place = start.data % len(shape) if to_the_end else None
        return (*shape[:place], prod(shape[place:])) if place is not None else None
    if short == "select" and len(args) == 1:
        return shape[1:]
    if short in ("view", "reshape"):
        return viewed(args, shape)
    if short == "unsqueeze" and args and type(args[0].data) is int:
        place = args[0].data % (len(shape) + 1)
        return (*shape[:place], 1, *shape[place:])
    if short == "squeeze" and args and type(args[0].data) is int:
        place = args[0].data % len(shape)
        return shape if shape[place] != 1 else (*shape[:place], *shape[place + 1 :])
    if short == "permute":
        order = sides_of_rest(args)
        return tuple(shape[place] for place in order) if order and sorted(order) == [*range(len(shape))] else None
    return None


def slid(short: str, name: str, made: ExternalResult, args: list[Value], shape: Shape) -> Shape | None:
    """Give the shape behind a window that slides over the sides: a convolution or a pool."""
    ways = int(name[-2])
    if short[0].islower() and "conv" in name:
        return None
    given = told_to(made) if "conv" in name else dict(zip(pool_names(name), args, strict=False)) | made.kwargs
    if "return_indices" in given or ((whole := given.get("ceil_mode")) is not None and whole.data is not False):
        return None
    window = numbers(given.get("kernel_size"), ways)
    step = numbers(given.get("stride"), ways, None if "conv" in name else window)
    around, apart = numbers(given.get("padding"), ways, (0,) * ways), numbers(given.get("dilation"), ways, (1,) * ways)
    before = shape[-ways:]
    if len(shape) not in (ways + 1, ways + 2):
        return None
    sides = list(zip(before, window, step, around, apart, strict=True))
    if "transpose" in name:
        extra = numbers(given.get("output_padding"), ways, (0,) * ways)
        after = tuple(
            (side - 1) * s - 2 * p + d * (k - 1) + e + 1 for (side, k, s, p, d), e in zip(sides, extra, strict=True)
        )
    else:
        after = tuple((side + 2 * p - d * (k - 1) - 1) // s + 1 for side, k, s, p, d in sides)
    channels = given["out_channels"].data if "conv" in name else shape[-ways - 1]
    if type(channels) is not int or min(after) < 1:
        return None
    return (*shape[: -ways - 1], channels, *after)


def pool_names(name: str) -> tuple[str, ...]:
    """Name what a pool is told in its order."""
    names = ("dilation", "return_indices", "ceil_mode") if name.startswith("max") else ("ceil_mode", "count", "divisor")
    return ("kernel_size", "stride", "padding", *names)


def told_to(made: ExternalResult) -> dict[str, Value]:
    """Give by name what a layer was made with."""
    layer = layer_size(made.callee)
    if layer is None or "**" in made.kwargs:
        raise OpenShape
    given = dict(zip(layer.names, made.args, strict=False))
    return given | {layer.alias.get(name, name): value for name, value in made.kwargs.items()}


def numbers(value: Value | None, ways: int, usual: Shape | None = None) -> Shape:
    """Give a number for each side: one that is told for all of them, or a row; where none is told, the usual ones."""
    data = value.data if value is not None else None
    if data is None:
        return usual if usual is not None else (1,) * ways
    if type(data) is int:
        return (data,) * ways
    row = tuple(one.data for one in sequence_of(value))
    if len(row) != ways or not all(type(one) is int for one in row):
        raise OpenShape
    return row


def sides_of_rest(args: list[Value]) -> list[int]:
    """Give numbers that a method is told one by one or as a row."""
    told = sequence_of(args[0]) if len(args) == 1 and isinstance(args[0].data, (list, tuple)) else args
    return [one.data for one in told] if all(type(one.data) is int for one in told) else []


def viewed(args: list[Value], shape: Shape) -> Shape | None:
    """Give the shape that a tensor is put into, where one side at most is left open."""
    sides = sides_of_rest(args)
    rest = prod(side for side in sides if side != -1)
    if not sides or sides.count(-1) > 1 or rest < 1 or prod(shape) % rest:
        return None
    whole = tuple(prod(shape) // rest if side == -1 else side for side in sides)
    return whole if prod(whole) == prod(shape) else None


def shape_of_weight(made: ExternalResult) -> Shape | None:
    """Give the shape of a layer's weight, of those that programs ask for it."""
    names = {"Linear": ("out_features", "in_features"), "Embedding": ("num_embeddings", "embedding_dim")}
    if made.short not in names or not made.callee.startswith("torch.nn"):
        return None
    try:
        given = told_to(made)
        return sides_told([given[name] for name in names[made.short]])
    except (OpenShape, KeyError):
        return None


def shown_by(owner: Value, name: str) -> Value | None:
    """Give what a layer was made with and shows under the same name, or the shape of a tensor."""
    made = owner.data
    if name == "shape":
        sides = shape_of(owner)
        return Value(tuple(Value(side, owner.src) for side in sides), owner.src) if sides is not None else None
    if name == "output_size" and made.short.startswith("Adaptive"):
        return made.kwargs.get(name) or next(iter(made.args), None)
    if name not in SHOWN:
        return None
    try:
        given = told_to(made).get(name)
    except OpenShape:
        return None
    if name == "kernel_size" and given is not None and type(given.data) is int:
        return Value((given,) * int(made.short[-2]), given.src) if made.short[-2:-1].isdigit() else None
    return given if given is not None and type(given.data) in (int, tuple) else None


def row_item(run: Run, owner: Value, key: Value) -> Value | None:
    """Give a library's layer by its place in a row all of whose layers are known, or a part of a tensor."""
    row, place = owner.data, key.data
    if (place is None or type(place) is int) and shape_of(owner) is not None:
        spot = row.spot
        name, at = ("unsqueeze", Value(0)) if place is None else ("select", key)
        return Value(ExternalResult(f"{row.callee}.{name}", [at], {}, spot, owner), owner.src)
    if row.short not in ROWS or type(place) is not int or row.kwargs or row.attrs:
        return None
    known = all(run.has_known_length(part) for part in (Value(row.args), *row.args))
    layers = [layer for part in row.args for layer in each_of(part)] if known else []
    found = layers[place] if -len(layers) <= place < len(layers) else None
    made = held(found, ExternalResult)
    return found if made is not None and layer_size(made.callee) is not None else None
