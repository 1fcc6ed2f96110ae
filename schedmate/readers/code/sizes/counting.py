"""Count a network's parameters: the layers that its object holds, those of its parts, each object once.

A part that is not known and that the network calls leaves the count open: a lower bound is no answer.
"""

from typing import NamedTuple

import re2

from schedmate.knowledge.layer_sizes import LayerSize, is_whole, layer_size
from schedmate.knowledge.models import stands_beside
from schedmate.readers.code.sizes.called_parts import PASSES, called_parts, made_parts, own_methods, read_parts
from schedmate.readers.code.sizes.configured_models import configured_size
from schedmate.readers.code.sizes.keras_models import KerasCount, is_keras
from schedmate.readers.code.sizes.layer_arithmetic import NotCounted, count_layer
from schedmate.readers.code.sizes.named_parts import NamedParts, is_weight_of_another
from schedmate.readers.code.sizes.open_heads import OpenHeads, ParameterCount
from schedmate.readers.code.sizes.open_sides import most_of
from schedmate.readers.code.sizes.parts_of_networks import (
    CONTAINERS,
    EMPTY,
    PARAMETERS,
    WRAPPERS,
    has_layers,
    is_container,
    is_function,
    is_layer,
    is_module,
    is_ordered,
    is_row_of,
    is_same_layer,
    names_in_class,
)
from schedmate.readers.code.sizes.ready_networks import (
    NEEDED,
    loaded_size,
    taken_from,
    width_of,
    without_head,
)
from schedmate.readers.code.sizes.repeated_layers import is_repeated, loops_around
from schedmate.readers.code.sizes.segmentation_models import segmentation_size
from schedmate.readers.code.sizes.tensor_shapes import TENSORS, is_plain, numbers_in
from schedmate.readers.code.values.objects import Class, ExternalResult, Instance
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import External, Unknown, Value, is_constant

PLAIN = re2.compile(
    r"(?:^|\.)(?:Module|ScriptModule|LightningModule|\w*PreTrainedModel|Model|Layer|Cell|Block|HybridBlock|Brain|ABC|object|Generic\[\]|Generic"
    r"|Protocol|\w*Mixin|MessagePassing|(?:Recurrent)?ACModel|BaseModule|BaseModel|BaseFairseqModel|SparseModule|Fairseq\w+)$"
)
"""Libraries' classes that networks extend and that have no parameters themselves."""
MOST_PARTS = 6_000
MOST_PARAMETERS = 10**15
DEEPEST = 60


def count_parameters(run: Run, network: Value) -> int | None:
    """Count a network's parameters; nothing where a part of it is open."""
    counted = count_of(run, network)
    return counted.total if counted is not None else None


def count_of(run: Run, network: Value) -> ParameterCount | None:
    """Count a network's parameters, and tell what the count leaves out."""
    try:
        counted = NetworkCount(run, network)
        count = counted.of(network) + counted.named.total()
        counted.check_rows()
        counted.heads.check(count)
    except (NotCounted, ArithmeticError, ValueError):  # widths of nought, below it, without an end: no layer has them
        return None
    return ParameterCount(count, counted.heads.most > 0) if 0 < count < MOST_PARAMETERS else None


class Pass(NamedTuple):
    """What a network's pass needs of it."""

    called: set[str]
    needed: set[str]


def pass_of(cls: Class) -> Pass:
    """Read a class once for all of its objects."""
    return Pass(called_parts(cls), read_parts(cls) & made_parts(cls))


class NetworkCount:
    """One count, which goes through a network's parts."""

    def __init__(self, run: Run, network: Value) -> None:
        self.run = run
        self.around = loops_around(network)
        self.passes: dict[int, Pass] = {}
        self.seen: dict[int, object] = {}
        self.rows: dict[int, set[int]] = {}
        self.rows_needed: dict[int, int] = {}
        self.named = NamedParts()
        self.heads = OpenHeads()
        self.depth = 0
        self.parts = 0
        self.is_first = True

    def of(self, value: Value) -> int:
        """Count what a value holds, unless it was counted already."""
        data = value.data
        outer = self.seen
        if isinstance(data, (Instance, ExternalResult)):
            if id(data) in self.seen:
                return 0
            self.parts += 1
            if self.parts >= MOST_PARTS or self.depth >= DEEPEST:
                raise NotCounted("too many parts")
            self.seen[id(data)] = data
            self.seen = {} if data.is_copy else self.seen
        self.depth += 1
        try:
            if not isinstance(data, (Instance, ExternalResult)):
                return self.of_items(value)
            count = self.of_object(data) if isinstance(data, Instance) else self.of_made(data)
            if count and is_repeated(data, self.around):
                raise NotCounted("layers of a loop whose rounds were not followed each")
            return count
        finally:
            self.depth -= 1
            self.seen = outer

    def check_rows(self) -> None:
        """Leave the count open where some of a ready network's rows of layers are used without the others."""
        for network in {*self.rows, *self.rows_needed}:
            if len(self.rows.get(network, ())) != self.rows_needed.get(network):
                raise NotCounted("some rows of a ready network")

    def note_row(self, made: ExternalResult) -> None:
        """Keep which rows of a ready network were met, and how many the one needs that stands for them."""
        if made.short == "Identity" and made.owner is not None:
            self.rows.setdefault(id(made.owner.data), set()).add(id(made))
        if NEEDED in made.attrs:
            self.rows_needed[id(made)] = int(made.attrs[NEEDED].data)

    def of_object(self, network: Instance) -> int:
        """Count an object of the repository's classes: what it holds, and what its library's part is."""
        if not is_module(network):
            return 0
        own = self.passes.get(id(network.cls)) or self.passes.setdefault(id(network.cls), pass_of(network.cls))
        passes = any(network.cls.find(name) for name in PASSES) or bool(own_methods(network.cls))
        if not passes and not is_container(network):
            raise NotCounted(f"how {network.cls.name} takes its input is not seen")
        missing = own.needed - network.attrs.keys() - names_in_class(network)
        missing -= {"weight", "bias"} if is_container(network) else set()
        modules = [rival for rival in network.rivals if has_layers(rival)]
        rivals = [rival for rival in modules if not is_same_layer(rival, network.cls)]
        if rivals or missing:
            raise NotCounted(f"parts of {network.cls.name} are not known: {', '.join(sorted(missing))}")
        total = self.of_ancestor(network)
        for name, value in list(network.attrs.items()):
            total += self.of_part(value, name in own.called)
            total += self.of_items(value) if is_row_of(network, value) else 0
        return total

    def of_ancestor(self, network: Instance) -> int:
        """Count the library's part of an object: a layer or a row of layers that its class extends."""
        native = network.native.data if network.native is not None else None
        outside = network.cls.outside()
        if isinstance(native, ExternalResult) and (layer_size(native.callee) or native.short in CONTAINERS):
            return self.of(network.native) if network.native is not None else 0
        known = [name for name in outside if layer_size(name) or name.rpartition(".")[2] in CONTAINERS]
        own = [name for name in outside if not PLAIN.search(name)]
        if known or own:
            raise NotCounted(f"what {(known or own)[0]} holds")
        return 0

    def of_part(self, value: Value, called: bool) -> int:
        """Count one attribute of a network."""
        data = value.data
        if isinstance(data, Instance):
            return self.of(value) if is_module(data) else 0
        if isinstance(data, ExternalResult):
            if not called and not is_layer(data):
                return 0
            return self.of(value)
        if isinstance(data, Unknown):
            return self.of_ways(data, called)
        if called and isinstance(data, External) and data.owner is not None and not self.named.note(data):
            raise NotCounted(f"{data.name} is not known")
        return 0

    def of_ways(self, data: Unknown, called: bool) -> int:
        """Count what may be one of several things, if all have as many parameters."""
        parts = [part for part in data.parts if isinstance(part.data, (Instance, ExternalResult))]
        modules = [part for part in parts if is_layer(part.data)]
        if not modules and called and not (data.parts and all(is_function(part) for part in data.parts)):
            raise NotCounted("a part that is not known")
        if not modules:
            return 0
        counts = {self.of_way(part) for part in data.parts if not (is_constant(part) and part.data is None)}
        if len(counts) != 1:
            raise NotCounted("a part that the run decides on")
        return counts.pop()

    def of_way(self, part: Value) -> int:
        """Count one of several things by itself: what another way holds too is counted again."""
        outer, self.seen = self.seen, {}
        try:
            return self.of(part)
        finally:
            self.seen = outer

    def of_made(self, made: ExternalResult) -> int:
        """Count what a library made: a container, a parameter, a layer, a loaded network."""
        self.note_row(made)
        if is_keras(made):
            keras = KerasCount(self.around)
            count = keras.of_model(made)
            self.heads.most += keras.most
            return count
        if made.short in CONTAINERS or made.callee in EMPTY:
            if not self.run.has_known_length(Value(made.args)):
                raise NotCounted("layers of unknown number")
            return sum(self.of_items(part) for part in (*made.args, *made.kwargs.values(), *made.attrs.values()))
        if made.short == "ParameterDict":
            return sum(self.of_items(part) for part in (*made.args, *made.attrs.values()))
        if made.short in PARAMETERS:
            frozen = made.kwargs.get("requires_grad")
            shape = made.kwargs.get("data") or next(iter(made.args), None) or made.kwargs.get("shape")
            return 0 if frozen is not None and frozen.data is False else numbers_in(shape)
        layer = layer_size(made.callee)
        if layer is not None and is_weight_of_another(made.attrs.get("weight")):
            return 0
        if layer is not None:
            return 0 if self.heads.note(made) else self.of_layer(made, layer)
        if made.short in WRAPPERS and (made.args or made.owner is not None):
            inner = made.args[0] if made.args else made.owner
            return self.of(inner) if inner is not None else 0
        taken = taken_from(made)
        size = segmentation_size(made) or loaded_size(without_head(taken) if taken is not None else made, self.of)
        size = size if size is not None else configured_size(made, self.of, self.run.events)
        if size is not None:
            return size
        if made.callee.startswith("torch.hub.") or any(is_layer(arg.data) for arg in made.args):
            raise NotCounted(f"{made.callee} is not known")  # what it makes of a network may be any other one
        if (
            made.callee in TENSORS
            or is_whole(made.callee)
            or (made.short[:1].islower() and is_plain(made.callee))
            or stands_beside(made.short)
        ):
            return 0
        raise NotCounted(f"{made.callee} is not known")

    def of_layer(self, made: ExternalResult, layer: LayerSize) -> int:
        """Count a library's layer; one of which a width is open is kept by the most that it can hold."""
        try:
            return count_layer(made, layer, self.of, width_of)
        except NotCounted:
            most = most_of(made, layer, self.of, self.is_first)
            if most is None:
                raise
            self.heads.most += most
            return 0
        finally:
            self.is_first = False

    def of_items(self, value: Value) -> int:
        """Count what a container was given: layers, rows, tables and pairs of a name and a layer."""
        data = value.data
        if isinstance(data, (Instance, ExternalResult)) and not is_ordered(data):
            return self.of(value)
        if isinstance(data, ExternalResult):
            return sum(self.of_items(part) for part in (*data.args, *data.kwargs.values(), *data.attrs.values()))
        if isinstance(data, (list, tuple, dict)):
            if not self.run.has_known_length(value):
                raise NotCounted("layers of unknown number")
            items = data.values() if isinstance(data, dict) else data
            return sum(self.of_items(item) for item in items)
        if isinstance(data, Unknown):
            return self.of_ways(data, True)
        if is_constant(value) or (isinstance(data, External) and (data.owner is None or self.named.note(data))):
            return 0
        raise NotCounted("an item that is not known")
