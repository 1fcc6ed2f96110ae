"""Keras' layers: the shape that each gives of the shape that it gets, and the parameters that this takes.

A shape leaves the batch out; a side that is not known is None, and stops the count only where parameters hang on it.
"""

from collections.abc import Callable
from math import prod

import re2

from schedmate.knowledge.layer_sizes import ready_network
from schedmate.readers.code.sizes.layer_arithmetic import NotCounted
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import Value, is_constant, sequence_of

Shape = tuple[int | None, ...]

Outcome = tuple[Shape, int]
"""What a layer gives, and how many parameters it has."""

ALIKE = (
    "Dropout", "Activation", "ReLU", "LeakyReLU", "ELU", "Softmax", "SpatialDropout1D", "SpatialDropout2D",
    "GaussianNoise", "GaussianDropout", "AlphaDropout", "Masking", "Rescaling", "RandomFlip", "RandomRotation",
    "RandomZoom", "RandomContrast", "RandomTranslation", "RandomCrop", "Normalization", "ActivityRegularization",
    "InputLayer", "Identity", "RandomBrightness", "ThresholdedReLU",
)  # fmt: skip
"""Layers that leave the shape and have no parameters."""
MERGING = (
    "Add", "Multiply", "Average", "Maximum", "Minimum", "Subtract", "add", "multiply", "average", "maximum", "subtract",
)  # fmt: skip
JOINING = ("Concatenate", "concatenate")

DRAW = re2.compile(r"(?i)^_?sampl(?:e|er|ing)(?:_(?:z|latent|normal|gaussian|func|function|layer))?$")
"""How functions are called that draw from a mean and a variance; `resample` gives other sides."""
DENSER = {"LSTM": 4, "GRU": 3, "SimpleRNN": 1, "CuDNNLSTM": 4, "CuDNNGRU": 3}
"""Recurrent layers with the number of their gates."""


class Layer:
    """A layer as it was made: its arguments by name, else by place."""

    def __init__(self, made: ExternalResult) -> None:
        self.made = made

    def value(self, name: str, place: int = -1) -> Value | None:
        """Give an argument."""
        given = self.made.kwargs.get(name)
        return given if given is not None else self.made.args[place] if 0 <= place < len(self.made.args) else None

    def whole(self, name: str, place: int = -1, default: int | None = None) -> int:
        """Give a whole number."""
        value = self.value(name, place)
        data = default if value is None else value.data
        if isinstance(data, float) and data.is_integer():
            return int(data)
        if type(data) is not int:
            raise NotCounted(f"{name} of {self.made.short} is not known")
        return data

    def text(self, name: str, place: int = -1, default: str = "") -> str:
        """Give a word."""
        value = self.value(name, place)
        return str(value.data).lower() if value is not None and isinstance(value.data, str) else default

    def switch(self, name: str, default: bool) -> bool:
        """Give a switch."""
        value = self.value(name)
        return bool(value.data) if value is not None and is_constant(value) else default

    def sides(self, name: str, place: int, dimensions: int, default: int = 1) -> list[int]:
        """Give a number for each dimension: a kernel, a stride."""
        value = self.value(name, place)
        data = default if value is None or value.data is None else value.data
        found = [item.data for item in data] if isinstance(data, (list, tuple)) else [data] * dimensions
        if len(found) != dimensions or not all(type(side) is int for side in found):
            raise NotCounted(f"{name} of {self.made.short} is not known")
        return found


def last(shape: Shape) -> int:
    """Give the number of channels."""
    if not shape or shape[-1] is None:
        raise NotCounted("what a layer gets is not known")
    return shape[-1]


def broadcast(shapes: list[Shape]) -> Shape:
    """Give the shape of tensors that are reckoned place by place: a side of one is as long as the other's there."""
    known = [shape for shape in shapes if shape]
    longest = max(map(len, known), default=0)
    filled = [(*(1 for _ in range(longest - len(shape))), *shape) for shape in known]
    sides = tuple(longer(set(side)) for side in zip(*filled, strict=True))
    # Beside a tensor whose shape is not known, a side of one may be any.
    return sides if len(known) == len(shapes) else tuple(None if side == 1 else side for side in sides)


def longer(sides: set[int | None]) -> int | None:
    """Give the length that sides of one place have together, if one is seen."""
    wide = sides - {1, None}
    return wide.pop() if len(wide) == 1 else None if wide or None in sides else 1


def dense(layer: Layer, shape: Shape) -> Outcome:
    """A dense layer."""
    units = layer.whole("units", 0) if layer.value("units", 0) is not None else layer.whole("output_dim")
    return (*shape[:-1], units), (last(shape) + layer.switch("use_bias", True)) * units


def slid(side: int | None, kernel: int, stride: int, padding: str) -> int | None:
    """Give how many places a window has along a side."""
    if side is None:
        return None
    return -(-side // stride) if padding == "same" else (side - kernel) // stride + 1


def convolution(layer: Layer, shape: Shape) -> Outcome:
    """A convolution of any number of dimensions, plain, by depth or separable."""
    short = layer.made.short
    dimensions = int(next(letter for letter in short if letter.isdigit()))
    by_depth = short.startswith("Depthwise")
    kernel = layer.sides("kernel_size", 0 if by_depth else 1, dimensions)
    stride = layer.sides("strides", 1 if by_depth else 2, dimensions)
    padding = layer.text("padding", 2 if by_depth else 3, "valid")
    spread = layer.sides("dilation_rate", -1, dimensions)
    channels, bias = last(shape), layer.switch("use_bias", True)
    reach = [(side - 1) * step + 1 for side, step in zip(kernel, spread, strict=True)]
    places = tuple(slid(*one, padding) for one in zip(shape[-1 - dimensions : -1], reach, stride, strict=True))
    if by_depth:
        made = channels * layer.whole("depth_multiplier", 3, 1)
        return (*places, made), prod(kernel) * made + bias * made
    filters = layer.whole("filters", 0)
    if short.startswith("Separable"):
        return (*places, filters), prod(kernel) * channels + (channels + bias) * filters
    if "Transpose" in short:
        wide = tuple(widened(*one, padding) for one in zip(shape[:-1], kernel, stride, strict=True))
        return (*wide, filters), (prod(kernel) * channels + bias) * filters
    return (*places, filters), (prod(kernel) * channels // layer.whole("groups", -1, 1) + bias) * filters


def widened(side: int | None, kernel: int, stride: int, padding: str) -> int | None:
    """Give how long a side is after a transposed convolution."""
    return None if side is None else side * stride + (max(kernel - stride, 0) if padding == "valid" else 0)


def pooling(layer: Layer, shape: Shape) -> Outcome:
    """A pooling layer."""
    dimensions = int(next(letter for letter in layer.made.short if letter.isdigit()))
    window = layer.sides("pool_size", 0, dimensions, 2)
    given = layer.value("strides", 1)
    stride = window if given is None or given.data is None else layer.sides("strides", 1, dimensions)
    padding = layer.text("padding", 2, "valid")
    places = (slid(*one, padding) for one in zip(shape[-1 - dimensions : -1], window, stride, strict=True))
    return (*places, last(shape)), 0


def flatten(layer: Layer, shape: Shape) -> Outcome:
    """All sides in one."""
    if not shape:
        raise NotCounted("the shape of an input")
    known = [side for side in shape if side is not None]
    return (prod(known) if len(known) == len(shape) else None,), 0


def reshape(layer: Layer, shape: Shape) -> Outcome:
    """Sides as they are told; one may be left to be worked out."""
    told = [item.data for item in sequence_of(layer.value("target_shape", 0))]
    if not told:
        raise NotCounted("a shape is not known")
    sides: list[int] = [side for side in told if type(side) is int]
    if len(sides) < len(told):
        return tuple(side if type(side) is int and side != -1 else None for side in told), 0
    whole = flatten(layer, shape)[0][0]
    rest = prod(side for side in sides if side != -1)
    return tuple(side if side != -1 else (whole // rest if whole and rest else None) for side in sides), 0


def embedding(layer: Layer, shape: Shape) -> Outcome:
    """A table of vectors."""
    width = layer.whole("output_dim", 1)
    length = layer.value("input_length")
    first = (length.data,) if length is not None and type(length.data) is int else (shape[:1] or (None,))
    return (*first, width), layer.whole("input_dim", 0) * width


def recurrent(layer: Layer, shape: Shape) -> Outcome:
    """A recurrent layer; a GRU of Keras 2 has two rows of biases."""
    units, gates = layer.whole("units", 0), DENSER[layer.made.short]
    biases = (2 if gates == 3 and layer.switch("reset_after", True) else 1) * layer.switch("use_bias", True)
    given = shape[:-1] if layer.switch("return_sequences", False) else ()
    return (*given, units), gates * units * (last(shape) + units + biases)


def normalization(layer: Layer, shape: Shape) -> Outcome:
    """A normalization of each channel: with running numbers, four for each; without, two."""
    return shape, (4 if layer.made.short.startswith("Batch") else 2) * last(shape)


def attention(layer: Layer, shape: Shape) -> Outcome:
    """Attention with several heads, of a row to itself."""
    wide, inner = last(shape), layer.whole("num_heads", 0) * layer.whole("key_dim", 1)
    return shape, 3 * (wide + 1) * inner + (inner + 1) * wide


def spread_sides(layer: Layer, shape: Shape) -> Outcome:
    """Layers that pad, crop or repeat sides: as many channels, sides that are not worked out where padding is odd."""
    short, dimensions = layer.made.short, len(shape) - 1
    if short.startswith("UpSampling"):
        times = layer.sides("size", 0, dimensions, 2)
        return (
            *(None if side is None else side * one for side, one in zip(shape, times, strict=False)),
            last(shape),
        ), 0
    name = "padding" if short.startswith("Zero") else "cropping"
    value = layer.value(name, 0)
    if value is None or type(value.data) is int:
        more = 2 * (1 if value is None else value.data) * (1 if short.startswith("Zero") else -1)
        return (*(None if side is None else side + more for side in shape[:-1]), last(shape)), 0
    return (*(None for _ in shape[:-1]), last(shape)), 0


def function(layer: Layer, shape: Shape) -> Outcome:
    """A function of the program's: what it gives is told, or a draw of what it gets, or not known."""
    sides = [item.data for item in sequence_of(layer.value("output_shape", 1))]
    if sides and all(type(side) is int for side in sides):
        return tuple(sides), 0
    made = layer.value("function", 0)
    draws = DRAW.match(getattr(made.data if made is not None else None, "name", ""))
    return shape if draws is not None else (), 0


RULES: dict[str, Callable[[Layer, Shape], Outcome]] = {
    "Dense": dense,
    "Flatten": flatten,
    "Reshape": reshape,
    "Embedding": embedding,
    "MultiHeadAttention": attention,
    "RepeatVector": lambda layer, shape: ((layer.whole("n", 0), *shape), 0),
    "Permute": lambda layer, shape: (tuple(None for _ in shape), 0),
    "Lambda": function,
    "PReLU": lambda layer, shape: (shape, flatten(layer, shape)[0][0] or 0),
    **dict.fromkeys(DENSER, recurrent),
    **dict.fromkeys(("BatchNormalization", "LayerNormalization", "GroupNormalization"), normalization),
    **dict.fromkeys(ALIKE, lambda layer, shape: (shape, 0)),
    **{f"{name}{n}D": pooling for name in ("MaxPooling", "AveragePooling", "MaxPool", "AvgPool") for n in (1, 2, 3)},
    **{
        f"{kind}{n}D": convolution
        for kind in ("Conv", "SeparableConv", "DepthwiseConv", "Convolution")
        for n in (1, 2, 3)
    },
    **{f"{kind}{n}D{end}": convolution for kind, end in (("Conv", "Transpose"),) for n in (1, 2, 3)},
    **{f"{kind}{n}D": spread_sides for kind in ("UpSampling", "ZeroPadding", "Cropping") for n in (1, 2, 3)},
    **{
        f"Global{kind}{n}D": lambda layer, shape: ((last(shape),), 0)
        for kind in ("AveragePooling", "MaxPooling", "MaxPool", "AvgPool")
        for n in (1, 2, 3)
    },
}


def pass_through(made: ExternalResult, shape: Shape) -> Outcome:
    """Give what a layer makes of a shape, and its parameters."""
    layer = Layer(made)
    if made.short in ("Bidirectional", "TimeDistributed", "SpectralNormalization"):
        inner = layer.value("layer", 0)
        if inner is None or not isinstance(inner.data, ExternalResult):
            raise NotCounted("a layer inside a layer")
        if made.short == "TimeDistributed":
            given, count = pass_through(inner.data, shape[1:])
            return (*shape[:1], *given), count
        given, count = pass_through(inner.data, shape)
        ways = 2 if made.short == "Bidirectional" else 1
        wide = ways if layer.text("merge_mode", 1, "concat") == "concat" else 1
        return (*given[:-1], last(given) * wide), count * ways
    ready = ready_network(made.short)
    if ready is not None:
        return through_ready(layer, ready, shape)
    rule = RULES.get(made.short)
    if rule is None:
        raise NotCounted(f"{made.callee} is not known")
    return rule(layer, shape)


def through_ready(layer: Layer, ready: dict[str, float], shape: Shape) -> Outcome:
    """Give what one of Keras' ready networks makes: a picture's features, or with its own head classes."""
    if layer.switch("include_top", True):
        return (layer.whole("classes", -1, 1000),), int(ready["whole"] * 1e6)
    given = input_shape(layer.made) or shape
    channels, pooled = int(ready["channels"]), layer.text("pooling")
    sides = tuple(None if side is None else side // 32 for side in given[:2]) if len(given) == 3 else (None, None)
    return ((channels,) if pooled in ("avg", "max") else (*sides, channels)), int(ready["body"] * 1e6)


def input_shape(made: ExternalResult) -> Shape | None:
    """Give the shape that a first layer says it gets."""
    wide = made.kwargs.get("input_dim") if made.short != "Embedding" else None
    if wide is not None and type(wide.data) is int:
        return (wide.data,)
    whole = made.kwargs.get("batch_input_shape") or made.kwargs.get("batch_shape")
    told = made.kwargs.get("input_shape") or (
        made.kwargs.get("shape") if made.short in ("Input", "InputLayer") else None
    )
    if made.short in ("Input", "InputLayer") and told is None and whole is None and made.args:
        told = made.args[0]
    value = told if told is not None else whole
    if value is None or value.data is None:
        return None
    if not isinstance(value.data, (list, tuple)):
        raise NotCounted("the shape of an input")
    sides = tuple(item.data if type(item.data) is int else None for item in value.data)
    return sides if told is not None else sides[1:]
