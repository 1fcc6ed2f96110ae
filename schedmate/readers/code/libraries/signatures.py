"""What programs ask of a function's parameters: `inspect.signature`, `typing`'s hints."""

from collections.abc import Callable
from functools import partial

from schedmate.knowledge.trainers import OF_TRAINERS
from schedmate.readers.code.python.builtin_names import KINDS, named
from schedmate.readers.code.python.functions import parameters_of
from schedmate.readers.code.values.objects import BoundMethod, Class, Function, LibraryObject
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, NotModelled, Run, by_names
from schedmate.readers.code.values.value import Config, External, Unknown, Value, held

EMPTY = Value(LibraryMethod(lambda call: None, "empty"))
"""What stands for no default."""


def asked_function(call: Call) -> tuple[Function, int]:
    """Give the function that is asked about, and how many of its first parameters are bound already."""
    data = call.need(0, kind=(Function, BoundMethod, Class)).data
    bound = int(not isinstance(data, Function))
    if isinstance(data, Class):
        start = data.find("__init__")
        data = start.data if start is not None else None
    found = data.function if isinstance(data, BoundMethod) else data
    if not isinstance(found, Function):
        raise NotModelled
    return found, bound


class LibraryParameters(LibraryObject):
    """The parameters of a library's function: what a program asks for by name some version takes, as its own does."""

    def contains(self, item: Value) -> bool | None:
        """Tell a name, whatever it is."""
        return True if isinstance(item.data, str) else None


def signature(call: Call) -> Value | None:
    """Model `inspect.signature(f).parameters`: names in their order, with their defaults."""
    asked = held(call.arg(0), External)
    if asked is not None and asked.name.startswith(OF_TRAINERS):
        return Value(Config({"parameters": Value(LibraryParameters(), (call.spot,))}), (call.spot,))
    function, bound = asked_function(call)
    if function.node.args.kwarg is not None or function.node.args.vararg is not None:
        return None
    items = list(parameters_of(function).items())[bound:]
    made = {
        name: Value(Config({"name": Value(name), "default": EMPTY if isinstance(default.data, Unknown) else default}))
        for name, default in items
    }
    return Value(Config({"parameters": Value(made, (call.spot,))}), (call.spot,))


def type_hints(call: Call) -> Value | None:
    """Model `typing.get_type_hints(f)`."""
    function, _ = asked_function(call)
    args = [*function.node.args.args, *function.node.args.kwonlyargs]
    hints = {arg.arg: call.run.evaluate(arg.annotation, function.scope) for arg in args if arg.annotation is not None}
    return Value(Config(hints), (call.spot,))


def origin(call: Call) -> Value | None:
    """Model `typing.get_origin`: a plain class has none."""
    return Value(None) if isinstance(call.need(0).data, (LibraryMethod, Class)) else None


def built_in(name: str, _: Run) -> Value:
    """Give one of Python's own types."""
    return named(name)


HOOKS: dict[str, Hook] = {
    "typing.get_type_hints": type_hints,
    "typing.get_origin": origin,
}
VALUES: dict[str, Callable[[Run], Value]] = {
    **by_names("inspect.Parameter.empty inspect._empty inspect.Signature.empty", lambda run: EMPTY),
    **{f"builtins.{name}": partial(built_in, name) for name in KINDS},
}
