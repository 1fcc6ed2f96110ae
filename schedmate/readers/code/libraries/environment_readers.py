"""Libraries that read variables of the environment with a type and a default: decouple, environs, starlette."""

from dataclasses import replace

from schedmate.readers.code.libraries.argument_words import as_bool, number
from schedmate.readers.code.libraries.environment import read_variable
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, by_names
from schedmate.readers.code.values.value import Value, is_constant, unknown

KINDS = ("int", "float", "bool", "str")


def read_cast(call: Call) -> Value | None:
    """Model `config("NAME", default=..., cast=float)`."""
    cast = call.arg(-1, "cast")
    found = read_typed(call)
    if cast is None or found is None or not is_constant(found) or found.data is None:
        return found
    if isinstance(cast.data, LibraryMethod) and cast.data.name in KINDS:
        return as_kind(found, cast.data.name)
    return call.run.call(cast, [found], {}, call.spot, call.scope)


def read_typed(call: Call) -> Value | None:
    """Model `env.int("NAME", default)`; without a default the variable has to be set."""
    default = call.arg(1, "default")
    found = read_variable(replace(call, name="get", kwargs={}, args=[call.need(0), *([default] if default else [])]))
    if found is None or (found.data is None and default is None):
        return unknown(f"variable {call.constant(0)} is not set here")
    kind = call.name.rpartition(".")[2]
    return as_kind(found, kind) if kind in KINDS else found


def as_kind(value: Value, kind: str) -> Value:
    """Read a variable's text as a number or a yes."""
    if not isinstance(value.data, str) or kind == "str":
        return value
    known = as_bool(value.data) if kind == "bool" else number(value.data)
    if known is None:
        return unknown(f"{value.data!r} is no {kind}")
    return Value(int(known) if kind == "int" else float(known) if kind == "float" else known, value.src)


HOOKS: dict[str, Hook] = {
    **by_names("decouple.config decouple.AutoConfig() starlette.config.Config()", read_cast),
    **by_names("environs.Env.int environs.Env.float environs.Env.bool environs.Env.str environs.Env()", read_typed),
    **by_names("environ.Env.int environ.Env.float environ.Env.bool environ.Env.str environ.Env()", read_typed),
}
