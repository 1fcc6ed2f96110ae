"""absl and TensorFlow flags: one global namespace, defined anywhere, filled from the command line."""

import posixpath
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from schedmate.knowledge.code_words import words
from schedmate.readers.code.commandline.records import put_option
from schedmate.readers.code.configs.load_calls import config_from_function
from schedmate.readers.code.configs.merging import override
from schedmate.readers.code.libraries.argument_words import (
    GivenOption,
    arguments_of,
    as_bool,
    is_option,
    joined,
    number,
    split_words,
    word_text,
)
from schedmate.readers.code.python.modules.registries import search_for
from schedmate.readers.code.values.nested import copied
from schedmate.readers.code.values.objects import Instance, LibraryObject
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, Run, by_names
from schedmate.readers.code.values.value import Config, SourceLocation, Value, is_constant, unknown

MOST_FILES, MOST_LINES = 16, 2_000
KINDS = words("configurations.absl_kinds")


class FlagValues(LibraryObject):
    """The global flags; a value is the command line's, else the default."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.values = Config(kind="namespace")
        self.told: set[str] = set()
        """Flags that the command line gives."""

    def get(self, name: str) -> Value | None:
        """Give a flag; one that is not defined so far may be by a module that was imported and not followed yet."""
        if name in ("mark_as_parsed", "__call__"):
            return Value(LibraryMethod(lambda call: Value(None), name))
        if name == "set_default":
            return Value(LibraryMethod(set_default, name, Value(self)))
        if name not in self.values:
            _ = search_for(self.run, self.values, name, packages=False) or search_for(self.run, self.values, name)
        value: Value | None = self.values.get(name)
        return value

    def item(self, key: Hashable) -> Value | None:
        """Give a flag's holder."""
        return FlagHolder.of(self.values[key]) if key in self.values else None

    def put(self, name: Hashable, value: Value) -> None:
        """Set a flag from code."""
        self.run.journal.put(self.values, name, value)


@dataclass
class FlagFiles:
    """The files of flags that the command names, as words."""

    words: dict[str, list[Value]] = field(default_factory=dict)


class FlagHolder(LibraryObject):
    """What a definition gives: its `value` is the flag's."""

    def __init__(self, value: Value) -> None:
        self.value = value

    @classmethod
    def of(cls, value: Value) -> Value:
        """Wrap a flag's value."""
        return Value(cls(value), value.src)

    def get(self, name: str) -> Value | None:
        """Give the value."""
        return self.value if name in ("value", "default") else None


def flags_of(run: Run) -> Value:
    """Give the one set of flags."""
    if FlagValues not in run.kept:
        run.kept[FlagValues] = FlagValues(run)
        run.namespaces.append(Value(run.about(FlagValues).values))
    return Value(run.about(FlagValues))


def define(call: Call) -> Value | None:
    """Model `flags.DEFINE_integer(name, default, help)` and its kin."""
    name, default = call.text(0, "name"), call.arg(1, "default") or Value(None, (call.spot,))
    flags = flags_of(call.run).data
    kind = call.name.rpartition("DEFINE_")[2]
    given = find_flag(call.run, name, kind)
    value = given if given is not None else Value(default.data, default.src or (call.spot,))
    flags.values[name] = value
    flags.told.update([name] if given is not None else [])
    return FlagHolder.of(value)


def set_default(call: Call) -> Value | None:
    """Model `FLAGS.set_default(name, value)`: it counts where the command line gives no other."""
    flags, name, value = call.own(FlagValues), call.text(0, "name"), call.need(1, "value")
    if flags.get(name) is not None and name not in flags.told:
        flags.put(name, Value(value.data, value.src or (call.spot,)))
    return Value(None)


def find_flag(run: Run, name: str, kind: str) -> Value | None:
    """Look for a flag on the command line; the last one counts."""
    found: Value | None = None
    several: list[Value] = []
    words = with_flag_files(run, arguments_of(run))
    for place, word in enumerate(words):
        text = word_text(word)
        if not text.startswith("-"):
            continue
        key, equals, inline = text.lstrip("-").partition("=")
        if key == name:
            if equals:
                found = convert(kind, inline, joined(word, word))
            elif kind in ("bool", "boolean"):
                found = Value(True, joined(word, None))
            elif place + 1 < len(words) and not is_option(word_text(words[place + 1])):
                found = convert(kind, word_text(words[place + 1]), joined(word, words[place + 1]))
        elif key == f"no{name}" and kind in ("bool", "boolean"):
            found = Value(False, joined(word, None))
        if kind.startswith("multi_") and key == name and found is not None:
            several.append(found)
    return Value(several, several[0].src) if several else found


def with_flag_files(run: Run, words: list[Value]) -> list[Value]:
    """Put in place of `--flagfile=PATH` the flags that stand in the file, one a line."""
    found: list[Value] = []
    is_named = False
    for word in words:
        option, equals, inline = word_text(word).lstrip("-").partition("=")
        if is_named or (option == "flagfile" and equals):
            found += flags_in_file(run, word_text(word) if is_named else inline)
            is_named = False
        elif option == "flagfile" and word_text(word)[:1] == "-":
            is_named = True
        else:
            found.append(word)
    return found


def flags_in_file(run: Run, name: str) -> list[Value]:
    """Give the flags of a file, each with its line; read once, since every flag is looked for in it."""
    path = posixpath.normpath(posixpath.join(run.workdir, name))
    known = run.about(FlagFiles).words
    if path not in known and len(known) < MOST_FILES:
        lines = (run.read_text(path) or "").splitlines()[:MOST_LINES]
        said = [(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip().startswith("-")]
        known[path] = [Value(line, (SourceLocation(path, number),)) for number, line in said]
    return known.get(path, [])


def convert(kind: str, text: str, src: tuple[SourceLocation, ...]) -> Value:
    """Read a flag's text by its kind."""
    if kind.removeprefix("multi_") in ("integer", "float"):
        known = number(text)
        return Value(known, src) if known is not None else unknown(f"{text!r} is no number")
    if kind in ("bool", "boolean"):
        return Value(as_bool(text), src)
    if kind in ("list", "spaceseplist"):
        return Value([Value(part, src) for part in text.replace(",", " ").split()], src)
    return Value(text, src)


def define_config_file(call: Call) -> Value | None:
    """Model ml_collections' `DEFINE_config_file`: the file's `get_config()` is followed, `--config.x=y` put in."""
    name = call.text(0, "name")
    given = find_flag(call.run, name, "string")
    path = given or call.arg(1, "default")
    made = config_from_function(call.run, path, call)
    if made is None:
        made = unknown("a config file that is not in the repository", *([path] if path else []))
    return hold_config(call, name, made)


def define_config_dict(call: Call) -> Value | None:
    """Model ml_collections' `DEFINE_config_dict`: a mapping of the program itself, `--model.x=y` put in."""
    return hold_config(call, call.text(0, "name"), copied(call.need(1, "config")))


def define_config_record(call: Call) -> Value | None:
    """Model ml_collections' `DEFINE_config_dataclass`: a record of the program itself, `--job.x=y` put in."""
    name, record = call.text(0, "name"), call.need(1, "config", Instance)
    given = [one for one in split_words(call.run.argv[1:])[0] if one.name.startswith(f"{name}.")]
    for one in given:
        put_option(call.run, record, one._replace(name=one.name[len(name) + 1 :]))
    flags_of(call.run).data.values[name] = call.run.offer(record)
    return FlagHolder.of(record)


def hold_config(call: Call, name: str, made: Value) -> Value:
    """Put what the command says below a flag into its configuration, and keep it under the flag's name."""
    if isinstance(made.data, dict):
        override_below(made, name, split_words(call.run.argv[1:])[0])
        call.run.offer(made, "ml_collections")
    flags_of(call.run).data.values[name] = made
    return FlagHolder.of(made)


def define_with_defaults(call: Call) -> Value | None:
    """Model mlxu's `define_flags_with_default(name=default, ...)`, whose mappings take `--name.below=value`."""
    flags = flags_of(call.run).data
    given = split_words(call.run.argv[1:])[0]
    for name, default in call.kwargs.items():
        value = default
        if isinstance(default.data, dict):
            value = call.run.offer(override_below(copied(default), name, given))
        elif not is_constant(default) and any(one.name.startswith(f"{name}.") for one in given):
            # What the command says of a mapping whose defaults a library knows; the rest stays open.
            mapping = Config(kind="flags")
            mapping.rest = default
            value = call.run.offer(override_below(Value(mapping, default.src), name, given))
        else:
            kind = {bool: "bool", int: "integer", float: "float"}.get(type(default.data), "string")
            found = find_flag(call.run, name, kind)
            value = found if found is not None else Value(default.data, default.src or (call.spot,))
        flags.values[name] = value
    return Value((flags_of(call.run), Value(Config(call.kwargs), (call.spot,))))


def override_below(value: Value, name: str, given: list[GivenOption]) -> Value:
    """Put the options `--name.below=value` into what a flag holds."""
    for one in given:
        if one.value is not None and one.name.startswith(f"{name}."):
            override(value, one.name[len(name) + 1 :], word_text(one.value), one.src)
    return value


ENDINGS: dict[str, Hook] = {
    **dict.fromkeys((f"DEFINE_{kind}" for kind in KINDS), define),
    "DEFINE_config_file": define_config_file,
    "DEFINE_config_dict": define_config_dict,
    "DEFINE_config_dataclass": define_config_record,
    "define_flags_with_default": define_with_defaults,
}
VALUES: dict[str, Callable[[Run], Value]] = {
    **by_names("absl.flags.FLAGS tensorflow.flags.FLAGS tensorflow.app.flags.FLAGS", flags_of),
    **by_names("tensorflow.compat.v1.flags.FLAGS tensorflow.compat.v1.app.flags.FLAGS", flags_of),
    "tensorflow.python.platform.flags.FLAGS": flags_of,
}
