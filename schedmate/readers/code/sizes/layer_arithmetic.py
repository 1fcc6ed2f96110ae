"""One layer's parameters: its table's arithmetic over the arguments that the layer was made with."""

import ast
import operator
from collections.abc import Callable
from math import prod

from schedmate.knowledge.layer_sizes import LayerSize
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import Value

LARGEST = 10**13
"""No model has so many parameters."""
UNBIASED = ("bias_attr", "use_bias", "bias")
OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}


class NotCounted(Exception):
    """Say that a part's parameters cannot be counted; the reason is for who reads the answer."""


Inside = Callable[[Value], int]
"""Who counts a layer that is given to another one."""


Width = Callable[[Value], tuple[int, float] | None]
"""Who knows a width that is no number in the program, and how large a layer may be for it to do."""


def count_layer(made: ExternalResult, layer: LayerSize, inside: Inside, width: Width = lambda _: None) -> int:
    """Count a layer's parameters."""
    arithmetic = Arithmetic(arguments_of(made, layer), layer, inside, width)
    total = arithmetic.number(layer.formula)
    if not 0 <= total < LARGEST or total > arithmetic.most:
        raise NotCounted(f"{made.short} of such a size")
    return int(total)


def arguments_of(made: ExternalResult, layer: LayerSize) -> dict[str, Value]:
    """Give each parameter of the signature what was given for it; one that may be anything leaves the count open."""
    if "**" in made.kwargs:
        raise NotCounted(f"arguments of {made.short} that are not known")
    given = dict(zip(layer.names, made.args, strict=False))
    for name, value in made.kwargs.items():
        known = layer.alias.get(name, name)
        given["bias" if known in UNBIASED else known] = value
    return given


class Arithmetic:
    """Works out one expression of the table."""

    def __init__(self, given: dict[str, Value], layer: LayerSize, inside: Inside, width: Width) -> None:
        self.given = given
        self.layer = layer
        self.inside = inside
        self.width = width
        self.most = float("inf")

    def number(self, node: ast.expr) -> float:
        """Work a number out."""
        if isinstance(node, ast.Constant):
            return float(str(node.value))
        if isinstance(node, ast.BinOp):
            return OPERATORS[type(node.op)](self.number(node.left), self.number(node.right))
        if isinstance(node, ast.BoolOp):
            return self.number(node.values[0]) or self.number(node.values[1])
        if isinstance(node, ast.IfExp):
            return self.number(node.body if self.number(node.test) else node.orelse)
        if isinstance(node, ast.Name):
            return self.argument(node.id)
        assert isinstance(node, ast.Call)
        assert isinstance(node.func, ast.Name)
        return self.function(node.func.id, node.args)

    def function(self, name: str, args: list[ast.expr]) -> float:
        """Work out what the table calls a function for."""
        if name == "recurrent":
            return recurrent(*(int(self.number(arg)) for arg in args))
        place = args[0]
        assert isinstance(place, ast.Name)
        if name == "inside":
            value = self.given.get(place.id)
            return self.inside(value) if value is not None and value.data is not None else 0
        sides = self.sides(place.id)
        if name == "area" and len(sides) == 1:
            return float(sides[0] ** self.number(args[1]))
        return prod(sides)

    def argument(self, name: str) -> float:
        """Give an argument as a number: a switch is 0 or 1, what is set to None is 0."""
        value = self.given.get(name)
        data = self.layer.defaults.get(name) if value is None else value.data
        if name == "bias" and value is not None and not isinstance(data, (bool, type(None))):
            return 1  # an initializer
        if isinstance(data, (bool, int, float)):
            return not_below_nought(data, name)
        if data is None and (value is not None or name in self.layer.defaults):
            return 0
        told = self.width(value) if value is not None else None
        if told is not None:
            self.most = min(self.most, told[1])
            return told[0]
        sides = self.sides(name) if value is not None else []
        if len(sides) == 1:
            return sides[0]
        raise NotCounted(f"{name} is not known")

    def sides(self, name: str) -> list[int]:
        """Give a shape's sides."""
        value = self.given.get(name)
        data = value.data if value is not None else self.layer.defaults.get(name)
        items = [item.data for item in data] if isinstance(data, (list, tuple)) else [data]
        sides = [int(not_below_nought(item, name)) for item in items if isinstance(item, (int, float))]
        if not items or len(sides) < len(items):
            raise NotCounted(f"{name} is not known")
        return sides


def not_below_nought(number: float, name: str) -> float:
    """Pass a width on; two that lie below nought would make a number of weights that looks like any other."""
    if number < 0:
        raise NotCounted(f"{name} is below nought")
    return number


def recurrent(gates: int, given: int, hidden: int, layers: int, bias: int, ways: int) -> int:
    """Count a recurrent network's weights: each layer reads what the one below gives, in each of its ways."""
    if layers > 1_000:
        raise NotCounted("so many layers")
    first = gates * hidden * (given + hidden + 2 * bias)
    later = gates * hidden * (ways * hidden + hidden + 2 * bias)
    return ways * (first + (layers - 1) * later)
