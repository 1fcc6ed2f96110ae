"""Tensors on their way through a Keras model: sums of them, what TensorFlow's functions make of them."""

from schedmate.readers.code.sizes.keras_layers import Shape, broadcast, last
from schedmate.readers.code.sizes.layer_arithmetic import NotCounted
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.value import External, Unknown, Value

MOST_PARTS = 200
HOUSES = ("tensorflow.", "keras.backend.", "keras.ops.", "keras.activations.")

MAKING = ("layers", "contrib", "slim", "get_variable", "Variable", "estimator", "feature_column", "experimental")
"""Parts of names of functions that may make variables."""
ALIKE = frozenset(
    [
        "relu", "relu6", "leaky_relu", "elu", "selu", "gelu", "swish", "silu", "tanh", "sigmoid", "hard_sigmoid",
        "softplus", "softmax", "softsign", "identity", "dropout", "stop_gradient", "cast", "exp", "log", "sqrt",
        "square", "abs", "clip_by_value", "clip", "l2_normalize", "add", "multiply", "subtract", "maximum", "minimum",
        "add_n", "divide", "pow", "negative", "round", "mish",
    ]
)  # fmt: skip
"""Functions that leave the shape of what they get."""
PLACED = ("max_pool", "max_pool2d", "avg_pool", "avg_pool2d", "pool2d", "resize", "resize_images", "resize_bilinear",
          "resize_nearest_neighbor", "upsampling", "pad", "spatial_2d_padding")  # fmt: skip
"""Functions that leave how many channels there are."""


def tensors_of(value: Value | None) -> list[ExternalResult | Value]:
    """Give the calls that gave the tensors of a value, of a sum each summand's; the models whose output some are."""
    waiting, found = [value] if value is not None else [], list[ExternalResult | Value]()
    for _ in range(MOST_PARTS):
        if not waiting:
            return found
        data = waiting.pop(0).data
        if isinstance(data, ExternalResult):
            found.append(data)
        elif isinstance(data, (list, tuple)):
            waiting = [*data, *waiting]
        elif isinstance(data, External) and data.owner is not None:
            found += of_part(data)
        elif isinstance(data, Unknown) and data.parts:
            waiting = [*(data.parts[:1] if data.reason is Reason.ALTERNATIVES else tensors_among(data.parts)), *waiting]
        else:
            raise NotCounted("a tensor that is not known")
    raise NotCounted("so many tensors")


def tensors_among(parts: tuple[Value, ...]) -> list[Value]:
    """Give the parts of arithmetic that are no plain numbers."""
    return [part for part in parts if isinstance(part.data, (ExternalResult, External, Unknown, list, tuple))]


def of_part(data: External) -> list[ExternalResult | Value]:
    """Give the tensor that stands under a model's attribute, or in the place of a row that a function gave."""
    owner, name = data.owner, data.name
    made = owner.data if owner is not None else None
    if owner is not None and name.endswith((".output", ".outputs[]")):
        return [owner]
    if isinstance(made, ExternalResult) and name.endswith((".input", ".inputs[]")):
        given = made.kwargs.get("inputs") or made.kwargs.get("input") or next(iter(made.args), None)
        return tensors_of(given)
    if isinstance(made, ExternalResult) and name.endswith("[]") and made.short == "split":
        return [made]
    raise NotCounted("a tensor that is not known")


def is_function(made: ExternalResult) -> bool:
    """Tell a function of tensors, which makes no variables."""
    parts = made.callee.split(".")
    known = (
        made.owner is None and made.short[:1].islower() and made.callee.removeprefix("tensorflow.").startswith(HOUSES)
    )
    return (known or made.callee.startswith(HOUSES)) and made.owner is None and not set(parts).intersection(MAKING)


def shape_after(made: ExternalResult, given: list[Shape]) -> Shape:
    """Give the shape of what a function makes; an empty one is not known, and matters only to layers behind it."""
    if made.short in ALIKE and given:
        return broadcast(given)
    if made.short in ("concat", "concatenate") and given:
        axis = made.kwargs.get("axis") or (made.args[1] if len(made.args) > 1 else Value(-1))
        behind = axis.data in (-1, len(given[0])) and all(shape and shape[-1] is not None for shape in given)
        return (*given[0][:-1], sum(map(last, given))) if behind else ()
    if made.short in PLACED and given and given[0]:
        return (*(None for _ in given[0][:-1]), given[0][-1])
    if made.short == "split" and given and given[0]:
        number = made.kwargs.get("num_or_size_splits") or (made.args[1] if len(made.args) > 1 else None)
        axis = made.kwargs.get("axis") or (made.args[2] if len(made.args) > 2 else Value(0))
        even = number is not None and type(number.data) is int and axis.data in (-1, len(given[0]))
        return (*given[0][:-1], last(given[0]) // number.data) if even and number is not None else ()
    return ()
