"""Networks that libraries make by name: the size that the name fixes, with the last layer that a program gives them."""

from schedmate.knowledge.code_words import words
from schedmate.knowledge.models import in_numbers, ready_network, size_of, stands_beside
from schedmate.readers.code.sizes.layer_arithmetic import Inside, NotCounted
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import External, Value

LOADED = words("networks.loaded")
NAMED_BY = ("pretrained_model_name_or_path", "model_name", "model", "variant_name")
TOOLS = ("ultralytics.YOLO", "ultralytics.RTDETR")
CLASSES = ("num_classes", "n_classes", "classes")
USUAL = 1000
"""The classes of ImageNet, for which ready networks are published."""
HEADS = ("fc", "classifier", "head", "heads", "last_linear", "_fc")
"""How libraries call the last layer."""
FIRST = ("conv1", "features[0]", "conv_proj", "stem", "maxpool", "avgpool", "patch_embed")
"""First layers, which are small, and those without parameters."""
ROWS = ("layer", "layers", "blocks", "block", "h", "features", "encoder")
"""How networks call the rows of their layers."""
RESHAPING = frozenset(
    [
        "num_hidden_layers", "n_layer", "n_layers", "num_layers", "depth", "depths", "hidden_size", "embed_dim",
        "width_mult", "width_per_group", "features_only", "intermediate_size", "block_units", "layers", "mlp_ratio",
    ]
)  # fmt: skip
"""Arguments by which a network is made with other layers than the published one."""
LONG_HEADS = ("vgg", "alexnet", "mobilenet_v3")
"""Networks whose `classifier` is several layers: what is put in its place leaves the rest open."""


def loads_a_network(made: ExternalResult) -> bool:
    """Tell a call that loads a network by name from one that loads its configuration or its tokenizer."""
    return made.short in LOADED and not stands_beside(made.callee.rpartition(".")[0])


def name_of(made: ExternalResult) -> str:
    """Give the name by which a call loads or makes a ready network; nothing where it does neither."""
    loads = loads_a_network(made) or made.callee in TOOLS
    if not loads:
        return made.short if "models" in made.callee.split(".")[:-1] else ""
    return told_name(made).removesuffix(".pt").removesuffix(".yaml")


def told_name(made: ExternalResult) -> str:
    """Give the name that a call is told."""
    named = next((made.kwargs[key] for key in NAMED_BY if key in made.kwargs), next(iter(made.args), None))
    return named.data if named is not None and isinstance(named.data, str) else ""


def loaded_size(made: ExternalResult, inside: Inside) -> int | None:
    """Give the size that the name of a loaded network fixes."""
    text = name_of(made)
    ready = ready_network(text)
    if text and size_of(text) and (made.kwargs.keys() & RESHAPING or any(map(changes, made.attrs.items()))):
        raise NotCounted(f"what is left of {text}")
    if ready is None:
        return in_numbers(size_of(text))
    whole, head = int(ready.millions * 1e6), (ready.width + 1) * USUAL if ready.width else 0
    put = {place: value for place, value in made.attrs.items() if is_head(place)}
    if "classifier" in put and made.short.startswith(LONG_HEADS):
        raise NotCounted(f"what is left of {made.short}")
    classes = next((made.kwargs[name] for name in CLASSES if name in made.kwargs), None)
    if put:
        return whole - head + sum(inside(value) for value in put.values())
    if classes is not None and type(classes.data) is int and classes.data >= 0 and head:
        return whole - head + (ready.width + 1) * classes.data * (classes.data > 0)
    return whole


def changes(part: tuple[str, Value]) -> bool:
    """Tell what is put into a network that is no last layer, no first one and no setting: fewer layers, other ones."""
    place, value = part
    layer = isinstance(value.data, ExternalResult) and value.data.callee.startswith("torch.nn.")
    return not is_head(place) and not place.startswith(FIRST) and (layer or place.rpartition(".")[2] in ROWS)


def is_head(place: str) -> bool:
    """Tell the place of a network's last layer: `fc`, `classifier[1]`, `heads.head`."""
    return place.partition("[")[0].partition(".")[0] in HEADS


WIDTHS = ("in_features", "num_features", "hidden_size", "d_model", "hidden_dim", "dim", "embed_dim", "feature_dim")
"""How networks and their configurations call how many features they give."""
ROUGH = ((8e6, 192), (5e7, 384), (3e8, 768), (1e9, 1024), (4e9, 2048), (1e13, 4096))
"""Up to which size networks are mostly so wide."""
SMALL = 0.04
"""The share of a network that a layer of roughly known width may have."""


def width_of(value: Value) -> tuple[int, float] | None:
    """Give the width that a loaded network tells of itself, and how large a layer may be that is counted with it."""
    data = value.data
    made = data.owner.data if isinstance(data, External) and data.owner is not None else None
    if not isinstance(made, ExternalResult) or data.name.rpartition(".")[2] not in WIDTHS:
        return None
    text = name_of(made) or (told_name(made) if made.short in LOADED else "")
    ready = ready_network(text)
    if ready is not None and ready.width:
        return ready.width, float("inf")
    size = in_numbers(size_of(text)) if text else None
    return (next(width for most, width in ROUGH if size < most), size * SMALL) if size else None
