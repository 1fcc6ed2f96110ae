"""Options as programs define them, whatever library they use, and how the words of a command line become values."""

from dataclasses import dataclass, field

from schedmate.readers.code.commandline.own_actions import follow_action
from schedmate.readers.code.commandline.records import fill_from_words
from schedmate.readers.code.libraries.argument_words import (
    as_bool,
    guess,
    is_open,
    is_option,
    joined,
    number,
    word_text,
)
from schedmate.readers.code.values.objects import Function, LibraryObject
from schedmate.readers.code.values.run import Call, LibraryMethod, Run
from schedmate.readers.code.values.value import (
    Attributes,
    Config,
    External,
    Items,
    SourceLocation,
    Unknown,
    Value,
    is_constant,
    sequence_of,
    unknown,
)

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
    spot: SourceLocation = field(default_factory=lambda: SourceLocation("", 1))
    positional: bool = False
    own_action: Value | None = None
    """the program's own class that does something with its words"""
    own_callback: Value | None = None
    """the program's own function that makes something of its value"""


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
        return Value([*sequence_of(before), value], src)
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
    kind = option.kind.data
    name = kind.name if isinstance(kind, LibraryMethod) else kind if isinstance(kind, str) else ""
    if is_open(text):
        return Value(text, src) if name == "str" else unknown(f"{text} is not set here", Value(text, src))
    if name in ("int", "float"):
        known = number(text)
        if known is None:
            return unknown(f"{text!r} is no number")
        return Value(int(known) if name == "int" else float(known), src)
    if name == "bool":
        return Value(bool(text), src)
    if name in ("str", "string"):
        return Value(text, src)
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
    default: Value | None = None
    """what options are that say nothing of it themselves"""
    file_marks: str = ""
    """letters by which a word begins that names a file of further words"""
    wearer: Value | None = None
    """the program's own parser that this is a part of"""
    is_open: bool = False
    """it has options whose names only the run knows: whatever the command says is one of them"""


def guess_word(call: Call) -> Value:
    """Read a word of the command as a number or switch where it looks like one."""
    return Value(guess(str(call.args[0].data)), call.args[0].src)


GUESSED = Value(LibraryMethod(guess_word, "guess"))
"""The type of an option of which none is known."""


def parse(
    run: Run, parser: OptionSet, words: list[Value], call: Call, before: Items | Attributes | None = None
) -> tuple[Config, list[Value]]:
    """Read the words into a namespace; what no option takes is left over.

    What the namespace holds before stands over the options' defaults.
    """
    values = defaults_of(run, parser, call)
    values.update(before or {})
    words = list(words)
    rest: list[Value] = []
    positionals = [option for option in parser.options if option.positional]
    place = 0
    while place < len(words):
        word, text = words[place], word_text(words[place])
        place += 1
        if is_option(text):
            known, inline = option_of(parser, text, call)
            if known is None:
                rest.append(word)
                continue
            if inline and known.action in FLAGS and "=" not in text:
                words.insert(place, Value(f"-{inline}", word.src))  # `-vx` is `-v -x`
            taken, place = take_values(known, inline, word, words, place)
            value = store(run, known, word, taken, values.get(known.dest), call)
            done = known.own_action is not None and follow_action(
                call, known.own_action, known.dest, Value(values), value, word
            )
            if not done:
                values[known.dest] = value
        elif text in parser.commands and not positionals:
            below, over = parse(run, parser.commands[text], words[place:], call)
            if parser.command_dest:
                values[parser.command_dest] = word
            values.update(below)
            rest += over
            break
        elif positionals:
            option = positionals.pop(0)
            taken = take_positionals(option, words, place - 1)
            place += len(taken) - 1
            values[option.dest] = converted(run, option, taken, taken[0].src, call)
            if positionals and positionals[0].nargs == "..." and place < len(words):
                last = positionals.pop(0)
                values[last.dest] = converted(run, last, words[place:], words[place].src, call)
                place = len(words)
        else:
            rest.append(word)
    for option in positionals:
        if option.nargs in ("*", "...") and option.default.data is None:
            values[option.dest] = Value([], (option.spot,))
    values |= {dest: fill_from_words(run, record, rest, call.spot) for dest, record in parser.records}
    return values, rest


def defaults_of(run: Run, parser: OptionSet, call: Call) -> Config:
    """Give what the options are before any word is read."""
    given = [option for option in parser.options if not is_suppressed(option.default)]
    values = Config({option.dest: option.default for option in given}, "namespace")
    for option in given:
        if is_constant(option.default) and isinstance(option.default.data, str) and option.kind is not None:
            values[option.dest] = converted(run, option, [option.default], option.default.src, call)
    values.update(parser.defaults)
    return values


def is_suppressed(default: Value) -> bool:
    """Tell the default of an option that is not there at all unless the command gives it."""
    return isinstance(default.data, External) and default.data.name == "argparse.SUPPRESS"


def take_positionals(option: Option, words: list[Value], place: int) -> list[Value]:
    """Take the words of a positional argument, of which there is at least one."""
    if option.nargs == "...":
        return words[place:]
    if isinstance(option.nargs, int):
        return words[place : place + max(1, option.nargs)]
    end = place + 1
    while option.nargs in ("*", "+") and end < len(words) and not is_option(word_text(words[end])):
        end += 1
    return words[place:end]


def option_of(parser: OptionSet, text: str, call: Call) -> tuple[Option | None, str | None]:
    """Find the option that a word names; where names are open any may be one, since the parser would refuse others."""
    known, inline = find_option(parser, text)
    if known is None and parser.is_open and text.startswith("--") and "known" not in call.name:
        name, equals, value = text.partition("=")
        known = Option([name], name.lstrip("-").replace("-", "_"), Value(None), GUESSED, nargs="?")
        inline = value if equals else None
    return known, inline


def find_option(parser: OptionSet, text: str) -> tuple[Option | None, str | None]:
    """Find the option that a word names, in full or by an unambiguous beginning."""
    name, equals, inline = text.partition("=")
    for option in parser.options:
        if name in option.names:
            return option, inline if equals else None
        if option.action == "boolean" and name.startswith("--no-") and f"--{name[5:]}" in option.names:
            return option, "false"
    if name.startswith("--"):
        fits = [option for option in parser.options if any(known.startswith(name) for known in option.names)]
        if len(fits) == 1:
            return fits[0], inline if equals else None
        dashed = name.replace("_", "-")
        for option in parser.options:
            if any(known.replace("_", "-") == dashed for known in option.names) and parser.prefix == "loose":
                return option, inline if equals else None
    elif len(name) > 2:
        for option in parser.options:
            if name[:2] in option.names:
                return option, text[2:]
        fits = [option for option in parser.options if any(known.startswith(name) for known in option.names)]
        if name[0] == "-" and len(fits) == 1:
            return fits[0], inline if equals else None
    return None, None


def take_values(
    option: Option, inline: str | None, word: Value, words: list[Value], place: int
) -> tuple[list[Value], int]:
    """Take the words that belong to an option."""
    if inline is not None:
        return [Value(inline, word.src)], place
    if option.action in FLAGS or option.action == "boolean":
        return [], place
    if option.nargs == "...":
        return words[place:], len(words)
    if option.nargs in ("*", "+") or option.action == "pairs":
        end = place
        while end < len(words) and not is_option(word_text(words[end])):
            end += 1
        return words[place:end], end
    count = max(0, option.nargs) if isinstance(option.nargs, int) else 1
    if option.nargs == "?" and (place >= len(words) or is_option(word_text(words[place]))):
        return [], place
    if option.action == "custom" and place < len(words) and is_option(word_text(words[place])):
        return [], place
    return words[place : place + count], min(len(words), place + count)
