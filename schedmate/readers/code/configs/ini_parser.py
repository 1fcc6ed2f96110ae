"""Python's own parser of INI files: sections, options, typed getters, defaults that stand in every section."""

import configparser
from collections.abc import Hashable

from schedmate.readers.code.configs.files import LARGEST_CONFIG, load_named
from schedmate.readers.code.configs.yaml_text import read_ini
from schedmate.readers.code.libraries.argument_words import as_bool, number
from schedmate.readers.code.python.modules.named_files import path_in_repository
from schedmate.readers.code.values.objects import LibraryObject
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, by_names
from schedmate.readers.code.values.value import Config, Items, Value, each_of, is_constant, mapping_of, unknown

MOST_FILES = 16


class IniFile(LibraryObject):
    """A parser with what it has read so far."""

    def __init__(self) -> None:
        self.sections: dict[str, Value] = {}
        self.keeps_case = False

    def get(self, name: str) -> Value | None:
        """Give a method."""
        if name == "_sections":
            return Value(dict(self.sections))
        hook = METHODS.get(name)
        return Value(LibraryMethod(hook, name, Value(self))) if hook is not None else None

    def put(self, name: Hashable, value: Value) -> None:
        """Know that options keep their letters, or set a whole section."""
        if name == "optionxform":
            self.keeps_case = True
        elif isinstance(value.data, dict):
            self.fill({str(name): value})

    def item(self, key: Hashable) -> Value | None:
        """Give a section."""
        return self.sections.get(str(key))

    def contains(self, key: Value) -> bool | None:
        """Tell whether a section is there."""
        return key.data in self.sections if isinstance(key.data, str) else None

    def fill(self, sections: Items) -> None:
        """Put sections in, over what was read before."""
        for name, section in sections.items():
            known = self.sections.setdefault(str(name), Value(Config(kind="section"), section.src))
            known.data.update(mapping_of(section))

    def option(self, section: object, option: object) -> Value | None:
        """Find an option, whose letters the file may write in another case."""
        return find_option(mapping_of(self.sections.get(str(section))), option)


def find_option(items: Items, option: object) -> Value | None:
    """Find an option of a section, in the letters that stand there or in small ones."""
    found = items.get(str(option))
    return found if found is not None else items.get(str(option).lower())


def read_files(call: Call) -> Value | None:
    """Model `read(path or paths)` and `read_file(file)`."""
    ini, paths = call.own(IniFile), each_of(call.need(0))[:MOST_FILES]
    for path in paths:
        loaded = load_ini(call, ini, path)
        if loaded is not None and isinstance(loaded.data, dict):
            ini.fill(loaded.data)
            call.run.configs.append((call.name, loaded))
    return Value(paths)


def load_ini(call: Call, ini: IniFile, path: Value) -> Value | None:
    """Read one file, whatever it is called."""
    name = path_in_repository(call.run, path, call.scope)
    if name is None or name in call.run.written:
        return load_named(call.run, path, call.scope)
    text = call.run.read_text(name, LARGEST_CONFIG)
    return read_ini(text, name, ini.keeps_case) if text is not None else None


def read_mapping(call: Call) -> Value | None:
    """Model `read_dict(mapping)`."""
    call.own(IniFile).fill(call.need(0, kind=dict).data)
    return Value(None)


def get_option(call: Call) -> Value | None:
    """Model `get(section, option)` and its typed kin."""
    option = call.need(1)
    found = call.own(IniFile).option(call.constant(0), option.data)
    return answered(call, option, found, call.kwargs.get("fallback"))


def get_of_section(call: Call) -> Value | None:
    """Model a section's `getint(option, fallback)` and its like."""
    option = call.need(0)
    items = call.owner.data if call.owner is not None else {}
    return answered(call, option, find_option(items, option.data), call.arg(1, "fallback"))


def answered(call: Call, option: Value, found: Value | None, fallback: Value | None) -> Value:
    """Give an option by the kind of the getter, or what is to be given where it is not there."""
    if found is None:
        return fallback or unknown(f"option {option.data} is not set")
    if isinstance(option.data, str):
        call.run.saw(option.data, found)
    kind = call.name.rpartition(".")[2].removeprefix("get")
    if not is_constant(found) or not kind:
        return found
    text = str(found.data).strip()
    known = as_bool(text) if kind == "boolean" else number(text)
    if known is None:
        return unknown(f"{text!r} is no {kind}")
    return Value(int(known) if kind == "int" else float(known) if kind == "float" else known, found.src)


def list_items(call: Call) -> Value:
    """Model `items(section)`, and `items()` of sections."""
    ini, section = call.own(IniFile), call.arg(0)
    items = mapping_of(ini.sections.get(str(section.data))) if section is not None else dict(ini.sections)
    return Value([Value((Value(name, one.src), one)) for name, one in items.items()])


def list_names(call: Call) -> Value:
    """Model `sections()` and `options(section)`."""
    ini = call.own(IniFile)
    section = ini.sections.get(str(call.constant(0)))
    named: Items = dict(ini.sections.items()) if call.name == "sections" else mapping_of(section)
    shown = [name for name in named if name != configparser.DEFAULTSECT]
    return Value([Value(name, named[name].src) for name in shown])


def has_name(call: Call) -> Value:
    """Model `has_section` and `has_option`."""
    ini = call.own(IniFile)
    if call.name == "has_section":
        return Value(call.constant(0) in ini.sections)
    return Value(ini.option(call.constant(0), call.constant(1)) is not None)


def set_option(call: Call) -> Value | None:
    """Model `set(section, option, value)`."""
    ini, value = call.own(IniFile), call.need(2)
    section = ini.sections.setdefault(str(call.constant(0)), Value(Config(kind="section")))
    call.run.journal.put(section.data, str(call.constant(1)), value)
    return Value(None)


METHODS: dict[str, Hook] = {
    **by_names("read read_file readfp", read_files),
    "read_dict": read_mapping,
    **by_names("get getint getfloat getboolean", get_option),
    "items": list_items,
    **by_names("sections options", list_names),
    **by_names("has_section has_option", has_name),
    "set": set_option,
    "add_section": lambda call: Value(None),
    "defaults": lambda call: call.own(IniFile).sections.get(configparser.DEFAULTSECT) or Value({}),
}
SECTION_METHODS: dict[str, Hook] = by_names("getint getfloat getboolean", get_of_section)
ENDINGS: dict[str, Hook] = by_names(
    "ConfigParser RawConfigParser SafeConfigParser", lambda call: Value(IniFile(), (call.spot,))
)
