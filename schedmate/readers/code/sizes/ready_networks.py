"""Networks that libraries make by name: the size that the name fixes, with the last layer that a program gives them."""

from typing import TypeVar

from schedmate.knowledge.code_words import words
from schedmate.knowledge.models import ReadyNetwork, family_of, in_numbers, ready_network, size_of, stands_beside
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
NEEDED = "children before"
"""Under which name a network that stands for all layers keeps how many children belong to it."""
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
LONG_HEADS = {"vgg": "classifier[6]", "alexnet": "classifier[6]", "mobilenet_v3": "classifier[3]"}
"""Networks whose `classifier` is several layers, and the last of these: what is put for others leaves the rest open."""
AUXILIARY = ("inception_v3", "googlenet")
"""Networks of torchvision with further outputs, which other libraries' do not have and weights may drop."""
OTHER_CLASSES = ("_in22k", "_in21k", "_in12k")
"""How names of weights end that were trained for far more classes."""
CHILDREN: dict[str, tuple[int, ...]] = {
    "resnet": (7, 10),
    "resnext": (7, 10),
    "wide_resnet": (7, 10),
    "densenet": (0, 2),
    "mobilenet_v2": (0, 2),
    "efficientnet": (0, 3),
}
"""Where among the children of networks of torchvision their last layers stand, and how many children they have."""
LARGE: dict[str, tuple[int, ...]] = {"resnet": (4, 5, 6), "resnext": (4, 5, 6), "wide_resnet": (4, 5, 6)}
"""Which of the children before that hold much: without these it is another network."""
KEPT: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("resnet", "resnext", "wide_resnet"), ("layer4", "avgpool")),
    **dict.fromkeys(("densenet", "mobilenet_v2", "efficientnet"), ("features",)),
}
"""What stands behind all rows of layers, by which a program may ask for all of them."""
GETTERS = ("IntermediateLayerGetter",)
"""What takes the last layer off a ready network."""
ENCODING = ("vae", "autoencoder")
"""Types of networks that write pictures as something smaller, in which a diffusion works."""
OPEN_HEAD = 0.1
"""The share of a network that a last layer of unknown width may have without leaving its size open."""


def loads_a_network(made: ExternalResult) -> bool:
    """Tell a call that loads a network by name from one that loads its configuration or its tokenizer."""
    return made.short in LOADED and not stands_beside(made.callee.rpartition(".")[0])


def name_of(made: ExternalResult) -> str:
    """Give the name by which a call loads or makes a ready network; nothing where it does neither."""
    if made.callee == "torch.hub.load":
        return made.args[1].data if len(made.args) > 1 and isinstance(made.args[1].data, str) else ""
    loads = loads_a_network(made) or made.callee in TOOLS
    if not loads:
        return made.short if "models" in made.callee.split(".")[:-1] else ""
    return told_name(made).removesuffix(".pt").removesuffix(".yaml")


def told_name(made: ExternalResult) -> str:
    """Give the name that a call is told."""
    named = next((made.kwargs[key] for key in NAMED_BY if key in made.kwargs), next(iter(made.args), None))
    return named.data if named is not None and isinstance(named.data, str) else ""


def part_by_itself(made: ExternalResult, base: str) -> str | None:
    """Name the class of a network that is loaded from one of the folders of a diffusion's: its autoencoder."""
    cls = made.callee.rpartition(".")[0].rpartition(".")[2]
    own, whole = family_of(cls), family_of(base)
    alone = own is not None and own.kind in ENCODING and (whole is None or whole.kind not in ENCODING)
    return cls if alone and "subfolder" in made.kwargs else None


def loaded_size(made: ExternalResult, inside: Inside) -> int | None:
    """Give the size that the name of a loaded network fixes."""
    text = name_of(made)
    ready = ready_network(text)
    if part_by_itself(made, text) is not None:
        raise NotCounted(f"a part of {text}")
    if text and size_of(text) and (made.kwargs.keys() & RESHAPING or any(map(changes, made.attrs.items()))):
        raise NotCounted(f"what is left of {text}")
    if ready is None:
        return in_numbers(size_of(text))
    whole, head = int(ready.millions * 1e6), (ready.width + 1) * USUAL if ready.width else 0
    if is_another(made, text):
        raise NotCounted(f"{text} that is made otherwise")
    try:
        last = last_layer(made, ready, inside)
    except NotCounted:
        if head > OPEN_HEAD * whole or not all(is_linear(one) for place, one in made.attrs.items() if is_head(place)):
            raise
        return whole
    if last is None and text.endswith(OTHER_CLASSES):
        raise NotCounted(f"the classes of {text}")
    return whole if last is None else whole - head + last


def is_another(made: ExternalResult, text: str) -> bool:
    """Tell a network that is made, or was changed, so that it has not the published size: without some of its parts."""
    aside = made.short in AUXILIARY and "aux_logits" in made.kwargs
    aside = aside or (text in AUXILIARY and not made.callee.startswith("torchvision."))
    aside = aside or (made.short == "googlenet" and not ({"weights", "pretrained"} & made.kwargs.keys() or made.args))
    last = next((place for name, place in LONG_HEADS.items() if made.short.startswith(name)), "")
    inner = [place for place, value in made.attrs.items() if is_head(place) and not is_empty(value)]
    deep = last and any(place not in (last, "classifier[-1]") for place in inner)
    return bool(aside or deep)


def last_layer(made: ExternalResult, ready: ReadyNetwork, inside: Inside) -> int | None:
    """Count the last layer that a program gives a network; nothing where it leaves that as it is."""
    put = [value for place, value in made.attrs.items() if is_head(place) and (place in HEADS or not is_empty(value))]
    if put:
        return sum(inside(value) for value in put)
    classes = next((made.kwargs[name] for name in CLASSES if name in made.kwargs), None)
    if classes is None or not ready.width:
        return None
    if type(classes.data) is not int or classes.data < 0:
        raise NotCounted(f"the classes of {made.short}")
    return (ready.width + 1) * classes.data * (classes.data > 0)


Kind = TypeVar("Kind", int, str)


def of_kind(table: dict[str, tuple[Kind, ...]], made: ExternalResult) -> tuple[Kind, ...]:
    """Give the row of a table that a network's name begins with; an empty one where there is none."""
    return next((row for start, row in table.items() if made.short.startswith(start)), ())


def children_of(made: ExternalResult) -> list[Value] | None:
    """Give the children of a ready network: one stands for all layers, the last is the head, the rest are empty.

    Those that hold much, of which that one needs each, know it as their owner.
    """
    ready, heads = ready_network(name_of(made)), [value for place, value in made.attrs.items() if is_head(place)]
    place, number = of_kind(CHILDREN, made) or (0, 0)
    if not number or not made.callee.startswith("torchvision.") or ready is None or not ready.width or len(heads) > 1:
        return None
    whole = without_head(made)
    large = of_kind(LARGE, made)
    owners = [Value(whole) if one in large else None for one in range(number)]
    children = [Value(ExternalResult("torch.nn.Identity", [], {}, made.spot, owner)) for owner in owners]
    whole.attrs[NEEDED] = Value(len(large))
    head = ExternalResult("torch.nn.Linear", [Value(ready.width), Value(USUAL)], {}, made.spot)
    children[place] = Value(whole)
    children[-1] = heads[0] if heads else Value(head)
    return children


def is_row(value: Value) -> bool:
    """Tell a child of a ready network that holds much of it."""
    data = value.data
    return isinstance(data, ExternalResult) and (
        NEEDED in data.attrs or (data.short == "Identity" and bool(data.owner))
    )


def keeps_all(made: ExternalResult, kept: Value | None) -> bool:
    """Tell whether what is taken out of a ready network is all of it but the head: its last row of layers."""
    names = [str(name) for name in kept.data] if kept is not None and isinstance(kept.data, dict) else []
    return not set(names).isdisjoint(of_kind(KEPT, made))


def taken_from(made: ExternalResult) -> ExternalResult | None:
    """Give the ready network that a call takes the last layer off, and nothing else."""
    inner = made.args[0].data if made.short in GETTERS and made.args else None
    if not isinstance(inner, ExternalResult):
        return None
    kept = made.args[1] if len(made.args) > 1 else made.kwargs.get("return_layers")
    if not keeps_all(inner, kept):
        raise NotCounted(f"which layers of {inner.short} are kept")
    return inner


def without_head(made: ExternalResult) -> ExternalResult:
    """Give a ready network whose last layer was taken off."""
    empty = Value(ExternalResult("torch.nn.Identity", [], {}, made.spot))
    rest = {place: value for place, value in made.attrs.items() if not is_head(place)}
    return ExternalResult(made.callee, made.args, made.kwargs, made.spot, made.owner, {**rest, HEADS[0]: empty})


def is_linear(value: Value) -> bool:
    """Tell a single layer, which a program puts in the last one's place for classes of its own."""
    return isinstance(value.data, ExternalResult) and value.data.short == "Linear"


def is_empty(value: Value) -> bool:
    """Tell what stands between layers and has no weights itself: put for another such layer it changes no size."""
    return isinstance(value.data, ExternalResult) and value.data.short.startswith(("Dropout", "ReLU", "GELU", "SiLU"))


def changes(part: tuple[str, Value]) -> bool:
    """Tell what is put into a network that is no last layer, no first one and no setting: fewer layers, other ones."""
    place, value = part
    layer = isinstance(value.data, ExternalResult) and value.data.callee.startswith("torch.nn.")
    return not is_head(place) and not place.startswith(FIRST) and (layer or place.rpartition(".")[2] in ROWS)


def is_reshaped(made: ExternalResult) -> bool:
    """Tell a loaded network that gets other layers than it was published with, or loses some."""
    return loads_a_network(made) and (bool(made.kwargs.keys() & RESHAPING) or any(map(changes, made.attrs.items())))


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
    asked = made.owner.data if made.short == "get_classifier" and made.owner is not None else None
    if isinstance(asked, ExternalResult):  # timm's own way to ask for the last layer
        return width_of(Value(External(f"{asked.callee}.num_features", Value(asked))))
    text = name_of(made) or (told_name(made) if made.short in LOADED else "")
    ready = ready_network(text)
    place = data.name.removeprefix(f"{made.callee}.").rpartition(".")[0]
    if ready is not None and place and not is_last(made, place):
        return None
    if ready is not None and ready.width:
        return ready.width, float("inf")
    size = in_numbers(size_of(text)) if text else None
    return (next(width for most, width in ROUGH if size < most), size * SMALL) if size else None


def is_last(made: ExternalResult, place: str) -> bool:
    """Tell the place of a network's last layer from that of another one in it."""
    last = next((known for name, known in LONG_HEADS.items() if made.short.startswith(name)), "")
    return is_head(place) and (not last or place in (last, "classifier[-1]"))
