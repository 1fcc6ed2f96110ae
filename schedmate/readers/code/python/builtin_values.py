"""Python's own functions that convert and compute: `int`, `min`, `round` and their like, on known values."""

from collections.abc import Callable
from typing import Any

from schedmate.readers.code.values.joining import truth
from schedmate.readers.code.values.nested import plain, wrap
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Call, ProgramRaised
from schedmate.readers.code.values.value import Value, is_constant, unknown


def convert(kind: Callable[[Any], object]) -> Callable[[Call], Value | None]:  # Any: int, float and str take others
    """Make a model of `int`, `float` or `str`."""

    def hook(call: Call) -> Value | None:
        value = call.arg(0)
        if value is None:
            return Value({"int": 0, "float": 0.0}.get(call.name, ""))
        if isinstance(value.data, ExternalResult) and "text" in value.data.kwargs and kind is str:
            return value.data.kwargs["text"]
        if not is_constant(value):
            return unknown(f"{call.name}() of what is not known", value)
        try:
            return Value(kind(value.data), value.src)
        except (TypeError, ValueError, OverflowError):
            return fails(call, "ValueError", value)

    return hook


def to_bool(call: Call) -> Value | None:
    """Model `bool`."""
    value = call.arg(0)
    known = truth(value) if value is not None else False
    return Value(known, value.src if value else ()) if known is not None else unknown("", value or unknown())


def fails(call: Call, error: str, *parts: Value) -> Value:
    """Raise where the program itself guards against it, else give an unknown."""
    if call.scope.tries:
        raise ProgramRaised(error)
    return unknown(f"{call.name}() fails", *parts)


def least(call: Call) -> Value | None:
    """Model `min`: `min(batch_size, len(data))` is the batch size, since data are larger than a batch."""
    if len(call.args) == 2:
        known = [arg for arg in call.args if is_constant(arg)]
        lengths = [arg for arg in call.args if isinstance(arg.data, ExternalResult) and arg.data.short == "len"]
        if len(known) == len(lengths) == 1:
            return known[0]
    return compute(min)(call)


def compute(function: Callable[..., object]) -> Callable[[Call], Value | None]:
    """Model a pure function of known values."""

    def hook(call: Call) -> Value | None:
        try:
            args = [plain(arg) for arg in call.args]
            kwargs = {name: plain(arg) for name, arg in call.kwargs.items()}
            result = function(*args, **kwargs)
        except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError):
            return unknown(f"{call.name}() of what is not known", *call.args)
        return wrap(result, call.sources())

    return hook
