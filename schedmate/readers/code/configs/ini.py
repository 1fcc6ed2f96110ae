"""`ConfigParser`, which names options by section."""

from schedmate.readers.code.configs.files import load_named
from schedmate.readers.code.libraries.argument_words import guess
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Call, Hook, by_names
from schedmate.readers.code.values.value import Value


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
    is_plain = call.name.endswith(".get") or not isinstance(found.data, str)
    return found if is_plain else Value(guess(found.data), found.src)


HOOKS: dict[str, Hook] = {
    "configparser.ConfigParser.read": read_into_ini,
}
ENDINGS: dict[str, Hook] = {
    **by_names("ConfigParser.get ConfigParser.getint ConfigParser.getfloat ConfigParser.getboolean", get_from_ini)
}
