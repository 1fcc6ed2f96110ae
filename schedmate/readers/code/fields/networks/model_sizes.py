"""How many parameters a transformer has, computed from its configuration's numbers and flagged as computed."""

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from schedmate.knowledge.code_words import words
from schedmate.knowledge.model_shapes import is_gated, is_tied, meaning_of_name
from schedmate.knowledge.models import family_of, in_numbers, layer_type, ready_network, size_of, squash, written_size
from schedmate.readers.code.evidence.optimizer_calls import optimizer_events
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.networks.model_types import is_adversarial
from schedmate.readers.code.fields.networks.network_names import network_of
from schedmate.readers.code.fields.networks.networks_apart import is_one_of_several
from schedmate.readers.code.fields.networks.networks_beside import is_judge, short_name
from schedmate.readers.code.fields.networks.trained_network import (
    inner_network,
    is_model_class,
    is_part_of,
    parts_of,
)
from schedmate.readers.code.fields.words.algorithms import learns_to_act
from schedmate.readers.code.signs.observer import last_name
from schedmate.readers.code.sizes.counting import count_of, count_parameters
from schedmate.readers.code.sizes.parts_of_networks import is_layer
from schedmate.readers.code.sizes.ready_networks import is_reshaped, is_row, name_of
from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.run_state import Gap
from schedmate.readers.code.values.value import Attributes, Items, Value, held, is_constant, join_spots

HOLDING = ("config", "cfg", "args", "params", "hparams", "model_args", "model_config")

STAGED = words("networks.staged")
"""Words of models whose layers are not all of one width, or that stand in two stacks."""
MATTERS = 0.08
"""The share of a model that may be open without its size being so."""
DEEPEST = 3

TABLES = frozenset({"Embedding", "Embed"})
"""Layers that are tables of words or places."""

LEAST_WORDS = 32
"""Fewer words than these in a configuration only stand in, where the network has a table of its own of any number."""

LARGEST = 160_000
"""A vocabulary that is not known is taken to be no larger than this."""


@dataclass(frozen=True)
class TransformerShape:
    """The numbers of a stack of equal layers and the values that they were read from."""

    values: dict[str, Value]

    def number(self, part: str) -> float | None:
        """Give a number of the shape, if it is a positive one."""
        value = self.values.get(part)
        data = value.data if value is not None else None
        return data if isinstance(data, (int, float)) and not isinstance(data, bool) and data > 0 else None

    def flag(self, part: str) -> bool | None:
        """Give a switch of the shape."""
        value = self.values.get(part)
        return held(value, bool)


def count_layers(view: View) -> None:
    """Count the network's parameters layer by layer, unless its name says how many it has."""
    known, name = view.once(network_of), str(view.get("model_name") or "")
    if known.value is None or known.unresolved or written_size(name) is not None or is_of_several(view):
        return
    if Gap.LAYERS in view.run.gaps or is_judge(known.value):
        return
    value = known.value
    while isinstance(value.data, Instance) and (inner := inner_network(value.data)) is not None:
        if is_one_of_layers(value, inner) or is_part_of(value.data, inner):
            break
        value = inner
    counted = count_of(view.run, value)
    if counted is not None and not is_part(value, name, counted.total):
        data = value.data
        spots = (data.spot, data.cls.spot) if isinstance(data, Instance) else (data.spot,)
        without = ", without layers of open width" if counted.headless else ""
        view.keep("param_size", written(counted.total), spots, f"counted layer by layer{without}: {counted.total:,}")


def is_one_of_layers(whole: Value, inner: Value) -> bool:
    """Tell a library's single layer beside other layers: the network is all of them."""
    is_plain = isinstance(inner.data, ExternalResult) and layer_type({inner.data.short}) is not None
    return is_plain and sum(is_layer(part) for part in parts_of(whole)) > 1


def is_part(value: Value, name: str, total: int) -> bool:
    """Tell a network that only stands beside or on the one that the model is named after, by that one's known size."""
    known = in_numbers(size_of(name))
    apart = isinstance(value.data, Instance) and squash(value.data.cls.name) not in squash(name)
    return known is not None and apart and not 0.5 < total / known < 2


def is_rebuilt(view: View) -> bool:
    """Tell a ready network of a library that the program changes so that its size is open, as by fewer layers."""
    network = view.once(network_of).value
    made = network.data if network is not None else None
    held = [value.data for value in made.attrs.values()] if isinstance(made, Instance) else [made]
    if any(isinstance(one, ExternalResult) and is_reshaped(one) for one in held):
        return True
    if network is None or not isinstance(made, ExternalResult):
        return False
    top = made.kwargs.get("include_top")
    is_ready = (top is not None and top.data is False) or ready_network(name_of(made)) is not None
    is_ready = is_ready or any(map(is_row, made.args))
    return is_ready and count_parameters(view.run, network) is None


def is_of_several(view: View) -> bool:
    """Tell a job that trains networks against or beside each other: the size of one is not the model's."""
    acts = learns_to_act(view) and trains_several(view)
    return is_adversarial(view) is not None or acts or takes_turns(view) or is_one_of_several(view)


def takes_turns(view: View) -> bool:
    """Tell a program whose networks are handed batches at different places: of Keras' rivals, each has its turn."""
    steps = [(event.spot, id(event.owner.data)) for event in view.ending("train_on_batch") if event.owner is not None]
    return any(spot != other and one != two for spot, one in steps for other, two in steps[:1])


def trains_several(view: View) -> bool:
    """Tell an agent with several networks, of other classes or widths, or with several optimizers; a copy is none."""
    networks = [value for value in view.run.instances if is_model_class(value.data.cls)]
    held = {id(part.data) for value in networks for part in value.data.attrs.values()}
    kinds = {(value.data.cls.spot, told_numbers(value.data)) for value in networks if id(value.data) not in held}
    return len(kinds) > 1 or len({event.spot for event in optimizer_events(view)}) > 1


def told_numbers(network: Instance) -> tuple[int, ...]:
    """Give the whole numbers that a network is made with: its widths."""
    args, kwargs = network.given or ([], {})
    return tuple(value.data for value in (*args, *kwargs.values()) if type(value.data) is int)


def compute_size(view: View) -> None:
    """Compute the size of a transformer of equal layers whose depth and width are known."""
    network = view.once(network_of).value
    kind = str(view.get("model_type") or "")
    name = " ".join((str(view.get("model_name") or ""), short_name(network) if network is not None else "")).lower()
    if not kind.endswith("transformer") or "multimodal" in kind:
        return
    if any(word in name for word in STAGED):
        return
    for mapping in places_of_shape(view, network):
        shape = shape_in(mapping)
        ties = ties_weights(network)
        total = parameters(shape, is_gated(name), is_tied(name) or None if ties is None else ties)
        if network is not None and holds_words(network) and (shape.number("vocabulary") or 0) < LEAST_WORDS:
            continue
        if network is not None and isinstance(network.data, Instance) and has_more_tables(network.data):
            return
        if total is not None:
            used = [shape.values[part] for part in ("layers", "width", "vocabulary") if part in shape.values]
            view.keep("param_size", written(total), join_spots(*used), note_on(shape))
            return


def has_more_tables(network: Instance) -> bool:
    """Tell a network whose own code makes tables of words in a loop, one for each layer: a shape tells none."""
    loops = (ast.For, ast.ListComp, ast.DictComp, ast.GeneratorExp)
    inside = (loop for one in network.cls.lineage() for loop in ast.walk(one.node) if isinstance(loop, loops))
    calls = (node for loop in inside for node in ast.walk(loop) if isinstance(node, ast.Call))
    return any(last_name(node.func) in TABLES for node in calls)


def holds_words(network: Value, depth: int = 0) -> bool:
    """Tell a network that has a table of words of any number, which its shape says nothing of."""
    data = network.data
    if isinstance(data, ExternalResult):
        inside = (*data.args, *data.kwargs.values(), *data.attrs.values())
        words = next(iter(data.args), None) or data.kwargs.get("num_embeddings")
        is_table = data.short == "Embedding" and words is not None and type(words.data) is not int
        return is_table or (depth < DEEPEST and any(holds_words(one, depth + 1) for one in inside))
    held = data.attrs.values() if isinstance(data, Instance) else data.values() if isinstance(data, dict) else ()
    return depth < DEEPEST and any(holds_words(one, depth + 1) for one in held)


def places_of_shape(view: View, network: Value | None) -> Iterable[Items | Attributes]:
    """Give the mappings that may hold the model's shape: its own, for language models the program's options too."""
    data = network.data if network is not None else None
    if isinstance(data, Instance):
        yield data.attrs
        held = [data.attrs[key] for key in HOLDING if key in data.attrs]
        given = next((event for event in view.events if event.result.data is data), None)
        for value in [*held, *(given.args if given else ()), *(given.kwargs.values() if given else ())]:
            mapping = value.data.attrs if isinstance(value.data, (Instance, ExternalResult)) else value.data
            if isinstance(mapping, dict):
                own = {key: value for key, value in data.attrs.items() if is_constant(value)}
                yield {**mapping, **own}
    if isinstance(data, ExternalResult):
        yield data.kwargs
        for value in (*data.args, *data.kwargs.values()):
            if isinstance(value.data, ExternalResult):
                yield value.data.kwargs
            elif isinstance(value.data, Instance):
                yield value.data.attrs

    family = family_of(str(view.get("model_name") or ""))
    loaded = [value.data for _, value in view.run.configs if isinstance(value.data, dict)]
    for mapping in [*view.namespaces, *loaded] if family is not None and family.usual == "language modeling" else ():
        yield mapping
        for key in ("model", "model_config", *HOLDING):
            inner = mapping.get(key)
            if inner is not None and isinstance(inner.data, dict):
                yield inner.data


def shape_in(mapping: Items | Attributes) -> TransformerShape:
    """Read the parts of a shape that a mapping names, the most telling name first."""
    found: dict[str, tuple[int, Value]] = {}
    for key, value in list(mapping.items())[:500]:
        known = meaning_of_name().get(squash(key)) if isinstance(key, str) else None
        if known is not None and isinstance(value.data, (int, float, bool, str)):
            part, rank = known
            if part not in found or rank < found[part][0]:
                found[part] = (rank, value)
    return TransformerShape({part: value for part, (_, value) in found.items()})


def parameters(shape: TransformerShape, gated: bool, ties: bool | None) -> float | None:
    """Count attention, feed-forward and embeddings; nothing where what is missing would change it much."""
    layers, width = shape.number("layers"), shape.number("width")
    if layers is None or width is None or layers > 500 or width < 16:
        return None
    heads, groups = shape.number("heads"), shape.number("kv_heads")
    inside = (shape.number("head_width") or 0) * (heads or 0) or width
    share = groups / heads if heads and groups and groups <= heads else 1.0
    attention = 2 * width * inside + 2 * width * inside * share
    activation = shape.values.get("activation")
    gated = gated or shape.flag("gated") is True or (activation is not None and "glu" in str(activation.data).lower())
    inner = shape.number("inner")
    ratio = shape.number("ratio")
    forward = 2 * width * width * (ratio or 4) if inner is None else (3 if gated else 2) * width * inner
    forward *= shape.number("experts") or 1
    stack = layers * (attention + forward)
    vocabulary = shape.number("vocabulary")
    if vocabulary is None:
        return stack if LARGEST * width * 2 < 0.1 * stack or "ratio" in shape.values else None
    table, told = vocabulary * width, shape.flag("tied")
    ties = told if told is not None else ties
    if ties is None and table > MATTERS * stack:
        return None
    return stack + table * (1 if ties else 2) + (shape.number("positions") or 0) * width * (not gated)


def ties_weights(network: Value | None) -> bool | None:
    """Tell a model whose own code makes the output's weights those of the embedding; nothing where it is not seen."""
    if network is None or not isinstance(network.data, Instance):
        return None
    held = [value.data for value in network.data.attrs.values() if isinstance(value.data, Instance)]
    nodes = (node for part in (network.data, *held) for one in part.cls.lineage() for node in ast.walk(one.node))
    return any(
        isinstance(node, ast.Assign) and are_weights(node.value) and any(is_weight(target) for target in node.targets)
        for node in nodes
    )


def is_weight(node: ast.expr) -> bool:
    """Tell `something.weight`."""
    return isinstance(node, ast.Attribute) and node.attr == "weight"


def are_weights(node: ast.expr) -> bool:
    """Tell `something.weight` and an argument that is named after weights."""
    return is_weight(node) or (isinstance(node, ast.Name) and node.id.endswith(("weight", "weights")))


def written(total: float) -> str:
    """Write a count of parameters with three digits."""
    for limit, mark in ((1e9, "B"), (1e6, "M")):
        if total >= limit:
            return f"{total / limit:.3g}{mark}"
    return f"{total:.0f}"


def note_on(shape: TransformerShape) -> str:
    """Say from which numbers the size was computed."""
    known = [part for part in ("layers", "width", "inner", "vocabulary") if part in shape.values]
    return f"computed from {', '.join(f'{part} {shape.values[part].data}' for part in known)}"
