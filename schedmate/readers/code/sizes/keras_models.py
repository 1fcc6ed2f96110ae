"""Count a Keras model: a row of layers, or layers that are called with what others gave."""

from schedmate.readers.code.sizes.keras_layers import (
    JOINING,
    MERGING,
    Outcome,
    Shape,
    broadcast,
    input_shape,
    last,
    pass_through,
)
from schedmate.readers.code.sizes.keras_tensors import is_function, shape_after, tensors_of
from schedmate.readers.code.sizes.layer_arithmetic import NotCounted
from schedmate.readers.code.sizes.open_heads import MOST_CLASSES, counts_classes
from schedmate.readers.code.sizes.open_sides import is_open
from schedmate.readers.code.sizes.repeated_layers import Loops, is_repeated
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import External, Unknown, Value, each_of

MODELS = ("Model", "Functional")

MOST_WAITING = 20_000
"""A tensor's way back to the input is as long as a network is deep; one that comes from itself has no end."""


def is_keras(made: ExternalResult) -> bool:
    """Tell a model or layer of Keras."""
    return "keras" in made.callee.split(".")


class KerasCount:
    """One count, which follows tensors back to the input; each layer counts once, however often it is called."""

    def __init__(self, around: Loops) -> None:
        self.around = around
        self.counts: dict[int, int] = {}
        self.shapes: dict[int, Shape] = {}
        self.held: list[object] = []
        self.most = 0
        """How much dense layers may hold that are as wide as the data has classes."""

    def of_model(self, model: ExternalResult) -> int:
        """Count a model."""
        self.through_model(model, None)
        return sum(self.counts.values())

    def through_model(self, model: ExternalResult, given: Shape | None) -> Shape:
        """Give what a model makes of a shape; count its layers."""
        if model.short == "Sequential":
            shape = given
            for layer in layers_of(model):
                shape = self.through_layer(layer, shape)
            return shape or ()
        outputs = (
            model.kwargs.get("outputs")
            or model.kwargs.get("output")
            or (model.args[1] if len(model.args) > 1 else None)
        )
        if outputs is None:
            raise NotCounted("a model without outputs")
        shapes = [self.shape_of(one) for one in each_of(outputs)]
        return shapes[0] if len(set(shapes)) == 1 else ()  # which of several outputs is meant is not seen

    def through_layer(self, value: Value, given: Shape | None) -> Shape:
        """Give what a layer makes of a shape; count it."""
        made = value.data
        if not isinstance(made, ExternalResult):
            raise NotCounted("a layer that is not known")
        if made.short in ("Sequential", *MODELS):
            return self.through_model(made, given)
        if made.short in ("Input", "InputLayer"):
            return input_shape(made) or given or ()
        if made.short.endswith("()"):
            return self.shape_of(value)
        shape = input_shape(made) if given is None else given
        outcome = self.through_head(made, shape or ()) or pass_through(made, shape or ())
        if outcome[1] and is_repeated(made, self.around):
            raise NotCounted("layers of a loop whose rounds were not followed each")
        self.counts[id(made)] = outcome[1]
        self.held.append(made)
        return outcome[0]

    def through_head(self, made: ExternalResult, shape: Shape) -> Outcome | None:
        """Pass a dense layer for classes of any number, and keep what it may hold; nothing for any other layer."""
        units = made.kwargs.get("units") or next(iter(made.args), None)
        if made.short != "Dense" or units is None or not is_open(units):
            return None
        if not counts_classes(units):
            return None
        self.most += (last(shape) + 1) * MOST_CLASSES
        return (*shape[:-1], None), 0

    def shape_of(self, value: Value) -> Shape:
        """Give a tensor's shape by the layers that it came through; a network is deeper than calls may be nested."""
        shapes = [self.shape_behind(one) for one in tensors_of(value)]
        return broadcast(shapes)

    def shape_behind(self, made: ExternalResult | Value) -> Shape:
        """Give the shape of what one call gave, or one model gives."""
        if not isinstance(made, ExternalResult):
            return self.through_layer(made, None)
        waiting = [made]
        while waiting:
            top = waiting[-1]
            before = [one for one in tensors_before(top) if id(one) not in self.shapes]
            if before and len(waiting) > MOST_WAITING:
                raise NotCounted("too many layers")
            if before:
                waiting += before
                continue
            if id(top) not in self.shapes:
                self.shapes[id(top)] = self.made_by(top)
                self.held.append(top)
            waiting.pop()
        return self.shapes[id(made)]

    def made_by(self, made: ExternalResult) -> Shape:
        """Give the shape of what a call gave."""
        if made.short == "Input":
            return input_shape(made) or ()
        layer = made.owner.data if made.owner is not None else None
        name = layer.short if isinstance(layer, ExternalResult) and made.short.endswith("()") else made.short
        given = [self.shape_of(one) for one in inputs_of(made)]
        if is_function(made) and name not in (*MERGING, *JOINING):
            return shape_after(made, given)
        if name in MERGING and given:
            return broadcast(given)
        if name in JOINING and given:
            return joined(given)
        if isinstance(layer, ExternalResult) and made.short.endswith("()") and given:
            drawn_of_one = layer.short == "Lambda" and len(given) == 1  # a draw is one of a mean and a variance
            return self.through_layer(Value(layer), () if drawn_of_one else given[0])
        raise NotCounted(f"{made.callee} is not known")


def inputs_of(made: ExternalResult) -> list[Value]:
    """Give the tensors that a layer or a function was called with."""
    if is_function(made):
        return [one for arg in (*made.args, *made.kwargs.values()) for one in each_of(arg) if holds_tensors(one)]
    given = [one for arg in made.args[:1] for one in each_of(arg)]
    return given or each_of(made.kwargs.get("inputs"))


def holds_tensors(value: Value) -> bool:
    """Tell an argument that tensors come in from a number, a name and a setting that is not known."""
    waiting, seen = [value], set[int]()
    while waiting:
        data = waiting.pop().data
        if isinstance(data, Unknown) and id(data) not in seen:  # a sum of sums may hold one part many times over
            seen.add(id(data))
            waiting += data.parts
        elif isinstance(data, ExternalResult) or (isinstance(data, External) and is_tensor_of(data)):
            return True
    return False


def is_tensor_of(data: External) -> bool:
    """Tell a model's output and a part of a row from a side of a tensor: `x.shape[1]`."""
    return data.owner is not None and ".shape" not in data.name


def tensors_before(made: ExternalResult) -> list[ExternalResult]:
    """Give the calls whose tensors a call was given."""
    given = inputs_of(made) if made.short != "Input" else []
    return [one for value in given for one in tensors_of(value) if isinstance(one, ExternalResult)]


def joined(shapes: list[Shape]) -> Shape:
    """Put channels side by side."""
    return (*shapes[0][:-1], sum(last(shape) for shape in shapes))


def layers_of(model: ExternalResult) -> list[Value]:
    """Give the layers of a row: those that it was made with and those that were added."""
    found: list[Value] = []
    for arg in (*model.args, *(model.kwargs[key] for key in ("layers",) if key in model.kwargs)):
        found += list(arg.data) if isinstance(arg.data, (list, tuple)) else [] if arg.data is None else [arg]
    return [one for one in found if not isinstance(one.data, str)]
