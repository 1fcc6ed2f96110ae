"""`ConfigParser`, which names options by section."""

from schedmate.readers.code.configs.files import load_named
from schedmate.readers.code.libraries.argument_words import guess
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Value


def make_ini(call: Call) -> Value | None:
    """Model `ConfigParser()`."""
    return Value(ExternalResult(call.name, [], {}, call.spot, attrs={}), (call.spot,))


def read_into_ini(call: Call) -> Value | None:
    """Model `ConfigParser.read(path)`."""
    loaded = load_named(call.run, call.arg(0), call.scope)
    if loaded is None or call.owner is None or not isinstance(call.owner.data, ExternalResult):
        return None
    for section, values in loaded.data.items():
        call.owner.data.attrs[f"[{section}]"] = values
    call.owner.data.attrs["sections"] = loaded
    return Value([])


def get_from_ini(call: Call) -> Value | None:
    """Model `ConfigParser.get(section, option)` and its typed kin."""
    if call.owner is None or not isinstance(call.owner.data, ExternalResult):
        return None
    section, option = call.constant(0), call.constant(1)
    values = call.owner.data.attrs.get(f"[{section}]")
    if values is None or not isinstance(values.data, dict) or not isinstance(option, str):
        return call.kwargs.get("fallback")
    found = values.data.get(option.lower()) or values.data.get(option)
    if found is None:
        return call.kwargs.get("fallback")
    call.run.saw(option, found)
    return (
        Value(guess(found.data), found.src) if isinstance(found.data, str) and not call.name.endswith(".get") else found
    )


HOOKS: dict[str, Hook] = {
    "configparser.ConfigParser": make_ini,
    "configparser.RawConfigParser": make_ini,
    "configparser.ConfigParser.read": read_into_ini,
}
ENDINGS: dict[str, Hook] = {
    "ConfigParser.get": get_from_ini,
    "ConfigParser.getint": get_from_ini,
    "ConfigParser.getfloat": get_from_ini,
    "ConfigParser.getboolean": get_from_ini,
}
