"""What kind of thing a value is, and what a class descends from: `isinstance` and `issubclass`."""

from collections.abc import Callable

from schedmate.knowledge.code_words import words
from schedmate.readers.code.python.modules.modules import LazyImport, resolve
from schedmate.readers.code.values.objects import (
    BoundMethod,
    Class,
    ExternalResult,
    Function,
    Instance,
    LibraryObject,
    Partial,
)
from schedmate.readers.code.values.run import Call, LibraryMethod, Run, by_names
from schedmate.readers.code.values.scopes import Module
from schedmate.readers.code.values.value import Config, External, Unknown, Value, is_constant, unknown

TYPES = {kind.__name__: kind for kind in (str, int, float, bool, dict, list, tuple, type(None))}

PLAIN = (str, int, float, bool)
"""Types of which no object is that a library's class makes."""

ABSTRACT: dict[str, tuple[type, ...]] = {
    **by_names("Dict Mapping MutableMapping", (dict,)),
    "List": (list,),
    "Tuple": (tuple,),
    "Sequence": (list, tuple, str),
    **by_names("Iterable Collection", (list, tuple, str, dict)),
}
NUMBERS: dict[str, tuple[type, ...]] = {
    **by_names("numbers.Integral numbers.Rational", (int,)),
    **by_names("numbers.Number numbers.Real numbers.Complex", (int, float)),
}
NODE_TYPES = frozenset({*words("classes.attribute_mappings"), "ListConfig"} - {"Dict"})
LAYERS = "torch.nn."

GAMES = ("gym.spaces.", "gymnasium.spaces.")

SPACES = frozenset({"Box", "Discrete", "MultiDiscrete", "MultiBinary", "Dict", "Tuple"})
"""Kinds of spaces of what is seen and done, none of which is another's."""

EXTENDED = ("Hardtanh", "RNNBase", "RNNCellBase", "Container")
"""Layers of which there are more special kinds."""


def is_instance(call: Call) -> Value | None:
    """Model `isinstance` for plain values and the repository's classes."""
    return judged(call, fits_type, "a type that is not known")


def judged(call: Call, judge: Callable[[Value, Value], bool | None], why: str) -> Value | None:
    """Hold a value against one kind or several: one that fits is enough, one that is not known leaves it open."""
    value, kinds = call.need(0), call.need(1)
    if isinstance(value.data, LazyImport) and value.data.module.done:
        value = resolve(call.run, value)
    elif isinstance(value.data, LazyImport) and getattr(kinds.data, "name", "") == "type":
        return Value(defines_class(call.run, value.data))
    answers = [judge(value, kind) for kind in (kinds.data if isinstance(kinds.data, (tuple, list)) else (kinds,))]
    if True in answers:
        return Value(True)
    return unknown(why, value) if None in answers else Value(False)


def is_made(data: object) -> bool:
    """Tell an object of a library's class, as a network is, which is no text and no number."""
    return isinstance(data, ExternalResult) and data.is_object


def fits_type(value: Value, kind: Value) -> bool | None:
    """Tell whether a value is of a type; None when not known."""
    data = value.data
    if isinstance(data, Unknown) or isinstance(kind.data, Unknown):
        return None
    if isinstance(kind.data, LibraryMethod):
        wanted = TYPES.get(kind.data.name)
        if wanted is None:
            return is_type(value) if kind.data.name == "type" else None
        if is_constant(value) or isinstance(data, (list, dict, tuple)):
            return isinstance(data, wanted) and not (isinstance(data, bool) and wanted is float)
        thing = isinstance(data, (Instance, Function, Class, BoundMethod, Module, LibraryObject))
        return False if thing or (wanted in PLAIN and is_made(data)) else None
    if isinstance(kind.data, Class):
        if isinstance(data, Instance):
            return kind.data in data.cls.lineage()
        return False if is_constant(value) or type(data) in (list, dict, tuple, Function, Class, Module) else None
    short = kind.data.name.rpartition(".")[2] if isinstance(kind.data, External) else ""
    if short in SPACES and kind.data.name.startswith(GAMES):
        is_space = isinstance(data, ExternalResult) and data.callee.startswith(GAMES) and data.short in SPACES
        return data.short == short if is_space else None
    if short in NODE_TYPES and not isinstance(data, ExternalResult):
        return isinstance(data, list if short == "ListConfig" else Config)
    if isinstance(kind.data, External) and kind.data.name.startswith(("collections.abc.", "typing.")):
        return fits_abstract(value, short)
    if isinstance(kind.data, External) and kind.data.name.startswith(LAYERS):
        return fits_layer(value, short)
    numeric = NUMBERS.get(kind.data.name) if isinstance(kind.data, External) else None
    if numeric is not None and isinstance(data, (list, tuple, dict)):
        return False
    return isinstance(data, numeric or ()) if is_constant(value) else None


NO_TYPES = (Instance, list, dict, tuple, Function, BoundMethod, Module)


def is_type(value: Value) -> bool | None:
    """Tell a class from other things; a library's by how it is written, as `DataLoader` is, beside `tqdm` and `np`."""
    data = value.data
    if isinstance(data, Class) or is_constant(value) or isinstance(data, NO_TYPES):
        return isinstance(data, Class)
    short = data.name.rpartition(".")[2] if isinstance(data, External) and data.owner is None else ""
    return (False if short.islower() else None if short.isupper() else True) if short else None


def defines_class(run: Run, wanted: LazyImport) -> bool:
    """Tell whether a module of the repository that was not followed yet makes a class under a name."""
    text = run.repository.glimpse(wanted.module.path)
    return bool(wanted.name) and f"class {wanted.name}" in text


def fits_layer(value: Value, name: str) -> bool | None:
    """Tell whether a value is a layer of a kind; the library's kinds that others extend stay open."""
    data = value.data
    if isinstance(data, Instance):
        outside = data.cls.outside()
        inside = all(one.startswith(LAYERS) for one in outside)
        if inside and outside and name in ("Module", *(one.removeprefix(LAYERS) for one in outside)):
            return True
        return False if not outside or all(one == f"{LAYERS}Module" for one in outside) else None
    if isinstance(data, ExternalResult):
        kind = data.callee.removeprefix(LAYERS)
        if not data.callee.startswith(LAYERS) or not kind.isidentifier() or not kind[:1].isupper() or "Param" in kind:
            return None
        return True if name in ("Module", kind) else None if name in EXTENDED or name[:1] == "_" else False
    return False if is_constant(value) or isinstance(data, (list, dict, tuple)) else None


def is_subclass(call: Call) -> Value | None:
    """Model `issubclass` for the repository's classes; of a library's classes only the names are known."""
    return judged(call, descends, "a class that is not known")


def descends(cls: Value, kind: Value) -> bool | None:
    """Tell whether a class descends from another; None when not known."""
    if not isinstance(cls.data, Class):
        return False if isinstance(cls.data, (Function, Instance, Module)) or is_constant(cls) else None
    if isinstance(kind.data, Class):
        return kind.data in cls.data.lineage()
    if not isinstance(kind.data, External):
        return None
    short = kind.data.name.rpartition(".")[2]
    outside = cls.data.outside()
    if any(name.rpartition(".")[2] == short for name in outside):
        return True
    return None if outside else False


def fits_abstract(value: Value, name: str) -> bool | None:
    """Tell whether a value is a mapping, a sequence or something that can be called."""
    data = value.data
    plain = is_constant(value) or isinstance(data, (list, tuple, dict))
    if name == "Callable":
        known = isinstance(data, (Function, Class, BoundMethod, LibraryMethod, Partial))
        return known or (False if plain else None)
    wanted = ABSTRACT.get(name)
    if wanted is not None and isinstance(data, Instance) and not data.cls.outside():
        return False
    return isinstance(data, wanted) if wanted is not None and plain else None


def is_class(call: Call) -> Value | None:
    """Model `inspect.isclass`."""
    value = call.arg(0)
    if value is None or isinstance(value.data, (Unknown, External, ExternalResult)):
        return unknown("a type that is not known", *call.args[:1])
    return Value(isinstance(value.data, Class))
