"""An option as a program defines it, whatever library it uses, and how its words become its value."""

from dataclasses import dataclass, field

from schedmate.readers.code.libraries.argument_words import as_bool, guess, is_open, joined, number, word_text
from schedmate.readers.code.values.objects import Function, LibraryObject
from schedmate.readers.code.values.run import Call, LibraryMethod, Run
from schedmate.readers.code.values.value import Items, SourceLocation, Unknown, Value, is_constant, sequence_of, unknown

FLAGS = frozenset({"store_true", "store_false", "store_const", "append_const", "count", "help", "version"})


@dataclass(eq=False)
class Option:
    """One option or positional argument."""

    names: list[str]
    dest: str
    default: Value
    kind: Value | None = None
    action: str = "store"
    const: Value | None = None
    nargs: int | str | None = None
    required: bool = False
    spot: SourceLocation = field(default_factory=lambda: SourceLocation("", 1))
    positional: bool = False


def store(run: Run, option: Option, word: Value, taken: list[Value], before: Value | None, call: Call) -> Value:
    """Turn an option's words into its value."""
    src = joined(word, taken[0] if taken and taken[0].data != word.data else None)
    if taken and taken[0].src == word.src and "=" in word_text(word):
        src = joined(word, word)
    if option.action == "store_true":
        return Value(True, src)
    if option.action == "store_false":
        return Value(False, src)
    if option.action in ("store_const", "append_const"):
        return Value(option.const.data if option.const else None, src)
    if option.action == "count":
        return Value((before.data if before and isinstance(before.data, int) else 0) + 1, src)
    if option.action == "boolean":
        return Value(not taken and not word_text(word).startswith("--no-"), src)
    if not taken:
        return Value(option.const.data if option.const is not None else True, src)
    if option.action == "pairs":
        return Value(read_pairs(taken), src)
    value = converted(run, option, taken, src, call)
    if option.action == "append":
        earlier = list(sequence_of(before))
        return Value([*earlier, value], src)
    return value


def read_pairs(taken: list[Value]) -> Items:
    """Read `key=value` words."""
    pairs: Items = {}
    for word in taken:
        key, _, text = word_text(word).partition("=")
        pairs[key] = Value(guess(text), joined(word, word))
    return pairs


def converted(run: Run, option: Option, taken: list[Value], src: tuple[SourceLocation, ...], call: Call) -> Value:
    """Apply the option's type to its words."""
    several = option.nargs in ("*", "+", "...") or isinstance(option.nargs, int)
    values = [apply_type(run, option, word_text(word), src, call) for word in taken]
    return Value(values, src) if several else values[0] if values else unknown("no value")


def apply_type(run: Run, option: Option, text: str, src: tuple[SourceLocation, ...], call: Call) -> Value:
    """Convert one word."""
    if option.kind is None:
        return Value(text, src)
    name = option.kind.data.name if isinstance(option.kind.data, LibraryMethod) else str(option.kind.data)
    if is_open(text):
        return Value(text, src) if name == "str" else unknown(f"{text} is not set here", Value(text, src))
    if name in ("int", "float"):
        known = number(text)
        if known is None:
            return unknown(f"{text!r} is no number")
        return Value(int(known) if name == "int" else float(known), src)
    if name == "bool" or option.kind.data == "bool":
        return Value(bool(text), src)
    if name in ("str", "string"):
        return Value(text, src)
    if isinstance(option.kind.data, str) and option.kind.data in ("int", "float"):
        return Value(number(text), src)
    result = run.call(option.kind, [Value(text, src)], {}, call.spot, call.scope)
    if isinstance(result.data, Unknown):
        yes = as_bool(text) if isinstance(option.kind.data, Function) and "bool" in option.kind.data.name else None
        return Value(yes, src) if yes is not None else result
    return Value(result.data, src) if is_constant(result) else result


@dataclass(eq=False)
class OptionSet(LibraryObject):
    """What a parser was told: its options, and those of the subcommands below it."""

    options: list[Option] = field(default_factory=list)
    defaults: dict[str, Value] = field(default_factory=dict)
    commands: dict[str, "OptionSet"] = field(default_factory=dict)
    command_dest: str = ""
    records: list[tuple[str, Value]] = field(default_factory=list)
    prefix: str = "-"
    config_options: list[str] = field(default_factory=list)
    """options of configargparse that name a file with further options"""
    config_files: list[Value] = field(default_factory=list)
