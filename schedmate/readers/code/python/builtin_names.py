"""Python's own functions, as far as programs use them to settle what they do."""

import ast
import builtins
from collections.abc import Callable

from schedmate.knowledge.code_words import meanings
from schedmate.readers.code.python.builtins.builtin_functions import (
    compute,
    convert,
    count_items,
    least,
    make_dict,
    make_list,
    make_range,
    map_items,
    next_item,
    quantify,
    to_bool,
    zip_items,
)
from schedmate.readers.code.python.builtins.known_sets import make_set
from schedmate.readers.code.python.dynamic_code import follow_import_call, run_source
from schedmate.readers.code.python.modules.named_files import open_file
from schedmate.readers.code.python.operators import MAPPING_TYPE
from schedmate.readers.code.python.reflection import (
    give_globals,
    give_locals,
    give_super,
    has_attribute,
    list_attributes,
    read_attribute,
    tell_callable,
    write_attribute,
)
from schedmate.readers.code.python.subclassing import is_instance, is_subclass
from schedmate.readers.code.values.leaving import ProgramExited
from schedmate.readers.code.values.objects import Class, ExternalResult, Instance
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.run import Call, LibraryMethod, by_names
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import Config, External, SourceLocation, Value, unknown

KINDS = frozenset(("str", "bool", "int", "float", "list", "dict", "tuple", "NoneType"))
"""Types that stand for themselves."""


def leave(call: Call) -> Value:
    """Model `exit` and its like; with a message or a number above 0 the program failed, and the user's run does not."""
    if call.constant(0, "code") and not (call.run.unsure or call.run.tries):
        call.run.observer.breaks_off(call.run, call.spot)
    raise ProgramExited


def made_class(call: Call) -> Value | None:
    """Model `type(name, bases, attributes)`, which makes a class."""
    name, bases, attributes = (value.data for value in call.args)
    if not isinstance(name, str) or not isinstance(bases, (tuple, list)) or not isinstance(attributes, dict):
        return unknown("a class", *call.args)
    node = ast.ClassDef(name, [], [], [], [], lineno=call.spot.line, end_lineno=call.spot.line)
    known = [base for base in bases if isinstance(base.data, Class)]
    attrs = {key: value for key, value in attributes.items() if isinstance(key, str)}
    return Value(Class(name, node, call.scope, known, attrs, spot=call.spot), (call.spot,))


def type_of(call: Call) -> Value | None:
    """Model `type`."""
    value = call.arg(0)
    if len(call.args) == 3:
        return made_class(call)
    if value is not None and isinstance(value.data, Instance):
        return Value(value.data.cls)
    if value is not None and isinstance(value.data, Config):
        return Value(value.data.cls or External(MAPPING_TYPE))
    name = type(value.data).__name__ if value is not None else ""
    return named(name) if name in KINDS else unknown("a type", *call.args[:1])


BUILTINS: dict[str, Callable[[Call], Value | None]] = {
    "int": convert(int),
    "float": convert(float),
    "str": convert(str),
    "bool": to_bool,
    "len": count_items,
    **by_names("range xrange", make_range),
    **by_names("list tuple sorted reversed", make_list),
    "dict": make_dict,
    **by_names("set frozenset", make_set),
    **by_names("zip enumerate", zip_items),
    **by_names("map filter", map_items),
    "getattr": read_attribute,
    "hasattr": has_attribute,
    "setattr": write_attribute,
    "isinstance": is_instance,
    "globals": give_globals,
    **by_names("locals vars", give_locals),
    "dir": list_attributes,
    **by_names("exec eval", run_source),
    "compile": lambda call: Value(ExternalResult("compile", call.args, call.kwargs, call.spot)),
    "open": open_file,
    "print": lambda call: Value(None),
    "input": lambda call: unknown(Reason.TYPED),
    **by_names("exit quit", leave),
    "super": give_super,
    **by_names("next iter", next_item),
    "type": type_of,
    "callable": tell_callable,
    **by_names("any all", quantify),
    "min": least,
    "max": compute(max),
    "sum": compute(sum),
    "abs": compute(abs),
    "round": compute(round),
    "divmod": compute(divmod),
    "__import__": follow_import_call,
    "slice": lambda call: Value(ExternalResult("slice", call.args, {}, call.spot), (call.spot,)),
    **by_names("id repr object", lambda call: unknown()),
    "issubclass": is_subclass,
}

HANDED_ON = meanings("libraries.handed_on")
"""Libraries that others import and hand on under their usual short names."""
NAMES = {name: LibraryMethod(hook, name) for name, hook in BUILTINS.items()}
"""Each built-in by its name, always the same one: a table may have types as keys."""
NAMES["NoneType"] = LibraryMethod(lambda call: Value(None), "NoneType")


def named(name: str) -> Value:
    """Give what is built in under a name."""
    return Value(NAMES[name])


def builtin(name: str, scope: Scope) -> Value:
    """Give a built-in name."""
    if name in NAMES:
        return named(name)
    if name == "__file__":
        return Value(scope.path)
    return imported_with_all(name, scope) or unknown(f"name {name} was not found")


def imported_with_all(name: str, scope: Scope) -> Value | None:
    """Give what `from library import *` may mean by a name: the libraries' usual short names, or one of its own."""
    stars = scope.module.stars
    if not stars or name.startswith("_") or hasattr(builtins, name):
        return None
    library, line = stars[-1]
    return Value(External(HANDED_ON.get(name) or f"{library}.{name}"), (SourceLocation(scope.path, line),))
