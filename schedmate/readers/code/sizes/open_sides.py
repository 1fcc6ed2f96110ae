"""Layers of which one width is not known: how much they can hold at most, at the largest widths that are usual."""

from schedmate.knowledge.layer_sizes import LayerSize
from schedmate.readers.code.sizes.layer_arithmetic import Inside, NotCounted, count_layer
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import External, Unknown, Value

CHANNELS, FLATTENED, WORDS = 4_096, 160_000, 262_144
"""The most channels, numbers in a row (a picture of 224 pixels, laid out) and words that layers are made for."""
MOST = {
    "in_channels": CHANNELS,
    "out_channels": CHANNELS,
    "num_features": CHANNELS,
    "num_channels": CHANNELS,
    "normalized_shape": 4 * CHANNELS,
    "in_features": FLATTENED,
    "out_features": WORDS,
    "num_embeddings": WORDS,
}
PICTURES = ("Conv2d", "Conv3d")

MOST_COLOURS = 256
"""What a network's first layer over pictures may get of each place: colours, frames, the bands of a spectrum."""
WIDTHS = ("in_features", "num_features", "out_features", "hidden_size", "embed_dim", "in_channels", "out_channels")
"""What other layers and networks call their widths."""


def widest(name: str, short: str, value: Value, is_first: bool) -> int:
    """Give the most that a width may be; a network's first layer over pictures gets their colours."""
    if name == "in_features" and isinstance(value.data, External) and value.data.name.endswith(WIDTHS):
        return CHANNELS  # another layer's width
    return MOST_COLOURS if name == "in_channels" and is_first and short in PICTURES else MOST[name]


def most_of(made: ExternalResult, layer: LayerSize, inside: Inside, is_first: bool) -> int | None:
    """Give the most that a layer can hold of which one width is open; nothing where more of it is open, or all is."""
    for name in MOST:
        value = made.kwargs.get(name) or dict(zip(layer.names, made.args, strict=False)).get(name)
        if value is None or not is_open(value):
            continue
        wide = Value(widest(name, made.short, value, is_first))
        places = [wide if one is value else one for one in made.args]
        named = {key: wide if one is value else one for key, one in made.kwargs.items()}
        try:
            return count_layer(ExternalResult(made.callee, places, named, made.spot), layer, inside)
        except NotCounted:
            return None
    return None


def is_open(value: Value) -> bool:
    """Tell a width that is one number, which only the run knows."""
    return isinstance(value.data, (Unknown, External, ExternalResult))
