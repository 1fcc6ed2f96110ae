"""Layers of which one width is not known: how much they can hold at most, at the largest widths that are usual."""

from schedmate.knowledge.layer_sizes import LayerSize
from schedmate.readers.code.sizes.layer_arithmetic import Inside, NotCounted, count_layer
from schedmate.readers.code.sizes.open_heads import MOST_CLASSES, counts_words
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
MOST_CHARACTERS = 1_000
"""How many different characters a text has at most that is written in letters."""
DEEPEST = 6
PICTURES = ("Conv2d", "Conv3d")
MOST_COLOURS = 256
"""What a network's first layer over pictures may get of each place: colours, frames, the bands of a spectrum."""
WIDTHS = ("in_features", "num_features", "out_features", "hidden_size", "embed_dim", "in_channels", "out_channels")
"""What other layers and networks call their widths."""


class MetLayers:
    """Which kinds of layers a count has met so far."""

    def __init__(self) -> None:
        self.any = self.pictures = self.words = False

    def note(self, made: ExternalResult) -> None:
        """Keep a layer that was met."""
        self.any = True
        self.pictures = self.pictures or made.short in PICTURES
        self.words = self.words or "Embedding" in made.short

    def most(self, name: str, short: str, value: Value) -> int:
        """Give the most that a width may be: behind layers over pictures that know no words there are few classes."""
        if counts_characters(value):
            return MOST_CHARACTERS
        if name == "in_features" and isinstance(value.data, External) and value.data.name.endswith(WIDTHS):
            return CHANNELS  # another layer's width
        if name == "in_channels" and not self.any and short in PICTURES:
            return MOST_COLOURS
        sorts = name == "out_features" and self.pictures and not self.words and not counts_words(value)
        return MOST_CLASSES if sorts else MOST[name]


def most_of(made: ExternalResult, layer: LayerSize, inside: Inside, met: MetLayers) -> int | None:
    """Give the most that a layer can hold of which one width is open; nothing where more of it is open, or all is."""
    for name in MOST:
        value = made.kwargs.get(name) or dict(zip(layer.names, made.args, strict=False)).get(name)
        if value is None or not is_open(value):
            continue
        wide = Value(met.most(name, made.short, value))
        places = [wide if one is value else one for one in made.args]
        named = {key: wide if one is value else one for key, one in made.kwargs.items()}
        try:
            return count_layer(ExternalResult(made.callee, places, named, made.spot), layer, inside)
        except NotCounted:
            return None
    return None


def counts_characters(value: Value) -> bool:
    """Tell `len(sorted(set(text)))` of a text that was read whole: its characters; one that is split gives words."""
    data = value.data
    if not isinstance(data, ExternalResult) or data.callee != "len" or not data.args:
        return False
    data, drawn = data.args[0].data, False
    for _ in range(DEEPEST):
        if not isinstance(data, Unknown) or len(data.parts) != 1:
            break
        drawn = drawn or data.why == "a set"
        data = data.parts[0].data
    return drawn and isinstance(data, ExternalResult) and data.short in ("read", "read_text")


def is_open(value: Value) -> bool:
    """Tell a width that is one number, which only the run knows."""
    return isinstance(value.data, (Unknown, External, ExternalResult))
