"""argparse, optparse and configargparse: options with their defaults, overridden by the command line."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from schedmate.readers.code.commandline.words import (
    arguments_of,
    as_bool,
    guess,
    is_open,
    is_option,
    joined,
    looks_negative,
    number,
    word_text,
)
from schedmate.readers.code.natives import Call, Hook, Native, NativeMethod
from schedmate.readers.code.things import Class, Function
from schedmate.readers.code.values import Config, External, Spot, Unknown, Val, is_constant, unknown

if TYPE_CHECKING:
    from schedmate.readers.code.python.run import Run

FLAGS = frozenset({"store_true", "store_false", "store_const", "append_const", "count", "help", "version"})


@dataclass(eq=False)
class Option:
    """One option or positional argument."""

    names: list[str]
    dest: str
    default: Val
    kind: Val | None = None
    action: str = "store"
    const: Val | None = None
    nargs: Any = None
    required: bool = False
    spot: Spot = field(default_factory=lambda: Spot("", 1))
    positional: bool = False


@dataclass(eq=False)
class Parser(Native):
    """A parser as the program builds it."""

    options: list[Option] = field(default_factory=list)
    defaults: dict[str, Val] = field(default_factory=dict)
    commands: dict[str, "Parser"] = field(default_factory=dict)
    command_dest: str = ""
    records: list[tuple[str, Val]] = field(default_factory=list)
    prefix: str = "-"

    def get(self, name: str) -> Val | None:
        """Give a parser's methods."""
        hook = METHODS.get(name)
        return Val(NativeMethod(hook, name, Val(self))) if hook is not None else None


def make_parser(call: Call) -> Val | None:
    """Model `ArgumentParser(...)`; parents hand their options down."""
    parser = Parser()
    parents = call.kwargs.get("parents")
    for parent in parents.data if parents is not None and isinstance(parents.data, (list, tuple)) else []:
        if isinstance(parent.data, Parser):
            parser.options += parent.data.options
            parser.defaults.update(parent.data.defaults)
    call.run.flags.setdefault("parsers", []).append(parser)
    return Val(parser, (call.spot,))


def self_parser(call: Call) -> Parser:
    """Give the parser that a method belongs to."""
    assert call.owner is not None
    parser: Parser = call.owner.data
    return parser


def add_argument(call: Call) -> Val | None:
    """Model `add_argument`."""
    names = [arg.data for arg in call.args if isinstance(arg.data, str)]
    if not names:
        return unknown("an option")
    long = [name for name in names if name.startswith("--")]
    positional = not names[0].startswith("-")
    dest = call.constant(-1, "dest") or (long[0] if long else names[0]).lstrip("-").replace("-", "_")
    action = call.kwargs.get("action")
    action_name = action_of(action)
    default = call.kwargs.get("default")
    if default is None:
        fallback: Any = {"store_true": False, "store_false": True}.get(action_name)
        default = Val(fallback, (call.spot,))
    option = Option(
        names,
        dest,
        default,
        call.kwargs.get("type"),
        action_name,
        call.kwargs.get("const"),
        call.constant(-1, "nargs"),
        call.constant(-1, "required", False) is True,
        call.spot,
        positional,
    )
    if is_constant(default) and not default.src:
        option.default = Val(default.data, (call.spot,))
    parser = self_parser(call)
    parser.options = [old for old in parser.options if old.dest != dest or not set(old.names) & set(names)]
    parser.options.append(option)
    return Val(OptionView(option))


def action_of(action: Val | None) -> str:
    """Name an option's action."""
    if action is None:
        return "store"
    if isinstance(action.data, str):
        return action.data
    if isinstance(action.data, External) and action.data.name.endswith("BooleanOptionalAction"):
        return "boolean"
    if isinstance(action.data, Class) and "DictAction" in action.data.name:
        return "pairs"
    return "pairs" if isinstance(action.data, External) and "DictAction" in action.data.name else "custom"


class OptionView(Native):
    """What `add_argument` gives; hardly ever used."""

    def __init__(self, option: Option) -> None:
        self.option = option

    def get(self, name: str) -> Val | None:
        """Give the name under which the option is kept."""
        return Val(self.option.dest) if name == "dest" else None


def set_defaults(call: Call) -> Val | None:
    """Model `set_defaults`."""
    self_parser(call).defaults.update(call.kwargs)
    return Val(None)


def add_subparsers(call: Call) -> Val | None:
    """Model `add_subparsers`."""
    self_parser(call).command_dest = call.constant(-1, "dest") or ""
    return call.owner


def add_parser(call: Call) -> Val | None:
    """Model a subcommand's `add_parser`."""
    name = call.constant(0, "name")
    made = make_parser(call)
    if isinstance(name, str) and made is not None:
        self_parser(call).commands[name] = made.data
    return made


def add_records(call: Call) -> Val | None:
    """Model simple-parsing's `add_arguments(Record, dest=...)`."""
    record, dest = call.arg(0), call.constant(1, "dest")
    if record is not None and isinstance(dest, str):
        self_parser(call).records.append((dest, record))
    return Val(None)


def parse_args(call: Call) -> Val | None:
    """Model `parse_args` and `parse_known_args`."""
    parser = self_parser(call)
    given = call.arg(0, "args")
    words = list(given.data) if given is not None and isinstance(given.data, (list, tuple)) else None
    if words is None:
        words = arguments_of(call.run) if given is None or given.data is None else []
    namespace, rest = parse(call.run, parser, words, call)
    value = Val(namespace, (call.spot,))
    call.run.namespaces.append((value, "argparse"))
    if call.name in ("parse_known_args", "parse_known_intermixed_args") or call.name.startswith("parse_known"):
        return Val((value, Val(rest)))
    return Val((value, Val(rest))) if parser.prefix == "optparse" else value


def parse(run: "Run", parser: Parser, words: list[Val], call: Call) -> tuple[Config, list[Val]]:
    """Read the words into a namespace; what no option takes is left over."""
    values: dict[Any, Val] = {option.dest: option.default for option in parser.options}
    for option in parser.options:
        if is_constant(option.default) and isinstance(option.default.data, str) and option.kind is not None:
            values[option.dest] = converted(run, option, [option.default], option.default.src, call)
    values.update(parser.defaults)
    rest: list[Val] = []
    positionals = [option for option in parser.options if option.positional]
    place = 0
    while place < len(words):
        word = words[place]
        text = word_text(word)
        place += 1
        if text.startswith("-") and len(text) > 1 and not looks_negative(text):
            known, inline = find_option(parser, text)
            if known is None:
                rest.append(word)
                continue
            taken, place = take_values(known, inline, word, words, place, parser)
            values[known.dest] = store(run, known, word, taken, values.get(known.dest), call)
        elif text in parser.commands and not positionals:
            below, over = parse(run, parser.commands[text], words[place:], call)
            if parser.command_dest:
                values[parser.command_dest] = word
            values.update(below)
            rest += over
            break
        elif positionals:
            option = positionals.pop(0)
            count = 1
            if option.nargs in ("*", "+", "...") or isinstance(option.nargs, int):
                end = place
                while end < len(words) and not is_option(word_text(words[end])):
                    end += 1
                count = 1 + end - place if not isinstance(option.nargs, int) else option.nargs
                if option.nargs == "...":
                    count = len(words) - place + 1
            taken = words[place - 1 : place - 1 + count]
            place += count - 1
            values[option.dest] = converted(run, option, taken, taken[0].src, call)
        else:
            rest.append(word)
    namespace = Config(values, "namespace")
    add_record_values(run, parser, rest, namespace, call)
    return namespace, rest


def add_record_values(run: "Run", parser: Parser, rest: list[Val], namespace: Config, call: Call) -> None:
    """Fill records that were added to the parser."""
    from schedmate.readers.code.commandline.records import fill_from_words

    for dest, record in parser.records:
        namespace[dest] = fill_from_words(run, record, rest, call.spot)


def find_option(parser: Parser, text: str) -> tuple[Option | None, str | None]:
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
    return None, None


def take_values(
    option: Option, inline: str | None, word: Val, words: list[Val], place: int, parser: Parser
) -> tuple[list[Val], int]:
    """Take the words that belong to an option."""
    if inline is not None:
        return [Val(inline, word.src)], place
    if option.action in FLAGS or option.action == "boolean":
        return [], place
    if option.nargs in ("*", "+") or option.action == "pairs":
        end = place
        while end < len(words) and not is_option(word_text(words[end])):
            end += 1
        return words[place:end], end
    count = option.nargs if isinstance(option.nargs, int) else 1
    if option.nargs == "?" and (place >= len(words) or is_option(word_text(words[place]))):
        return [], place
    if option.action == "custom" and place < len(words) and is_option(word_text(words[place])):
        return [], place
    return words[place : place + count], min(len(words), place + count)


def store(run: "Run", option: Option, word: Val, taken: list[Val], before: Val | None, call: Call) -> Val:
    """Turn an option's words into its value."""
    src = joined(word, taken[0] if taken and taken[0].data != word.data else None)
    if taken and taken[0].src == word.src and "=" in word_text(word):
        src = joined(word, word)
    if option.action == "store_true":
        return Val(True, src)
    if option.action == "store_false":
        return Val(False, src)
    if option.action in ("store_const", "append_const"):
        return Val(option.const.data if option.const else None, src)
    if option.action == "count":
        return Val((before.data if before and isinstance(before.data, int) else 0) + 1, src)
    if option.action == "boolean":
        return Val(not taken and not word_text(word).startswith("--no-"), src)
    if not taken:
        return Val(option.const.data if option.const is not None else True, src)
    if option.action == "pairs":
        return Val(read_pairs(taken), src)
    value = converted(run, option, taken, src, call)
    if option.action == "append":
        earlier = list(before.data) if before is not None and isinstance(before.data, list) else []
        return Val([*earlier, value], src)
    return value


def read_pairs(taken: list[Val]) -> dict[Any, Val]:
    """Read `key=value` words."""
    pairs: dict[Any, Val] = {}
    for word in taken:
        key, _, text = word_text(word).partition("=")
        pairs[key] = Val(guess(text), joined(word, word))
    return pairs


def converted(run: "Run", option: Option, taken: list[Val], src: tuple[Spot, ...], call: Call) -> Val:
    """Apply the option's type to its words."""
    several = option.nargs in ("*", "+", "...") or isinstance(option.nargs, int)
    values = [apply_type(run, option, word_text(word), src, call) for word in taken]
    return Val(values, src) if several else values[0] if values else unknown("no value")


def apply_type(run: "Run", option: Option, text: str, src: tuple[Spot, ...], call: Call) -> Val:
    """Convert one word."""
    if option.kind is None:
        return Val(text, src)
    name = option.kind.data.name if isinstance(option.kind.data, NativeMethod) else str(option.kind.data)
    if is_open(text):
        return Val(text, src) if name == "str" else unknown(f"{text} is not set here", Val(text, src))
    if name in ("int", "float"):
        known = number(text)
        if known is None:
            return unknown(f"{text!r} is no number")
        return Val(int(known) if name == "int" else float(known), src)
    if name == "bool" or option.kind.data == "bool":
        return Val(bool(text), src)
    if name in ("str", "string"):
        return Val(text, src)
    if isinstance(option.kind.data, str) and option.kind.data in ("int", "float"):
        return Val(number(text), src)
    result = run.call(option.kind, [Val(text, src)], {}, call.spot, call.scope)
    if isinstance(result.data, Unknown):
        yes = as_bool(text) if isinstance(option.kind.data, Function) and "bool" in option.kind.data.name else None
        return Val(yes, src) if yes is not None else result
    return Val(result.data, src) if is_constant(result) else result


def get_default(call: Call) -> Val | None:
    """Model `get_default`."""
    name = call.constant(0)
    return next((option.default for option in self_parser(call).options if option.dest == name), None)


def give_self(call: Call) -> Val | None:
    """Model groups: what is added to them is the parser's."""
    return call.owner


METHODS: dict[str, Hook] = {
    "add_argument": add_argument,
    "add": add_argument,
    "add_arg": add_argument,
    "add_option": add_argument,
    "register": lambda call: Val(None),
    "add_argument_group": give_self,
    "add_mutually_exclusive_group": give_self,
    "add_option_group": give_self,
    "set_defaults": set_defaults,
    "add_subparsers": add_subparsers,
    "add_parser": add_parser,
    "add_arguments": add_records,
    "parse_args": parse_args,
    "parse": parse_args,
    "parse_known_args": parse_args,
    "parse_intermixed_args": parse_args,
    "parse_known_intermixed_args": parse_args,
    "get_default": get_default,
    "error": lambda call: stop(call),
    "exit": lambda call: stop(call),
    "print_help": lambda call: Val(None),
    "format_help": lambda call: Val(""),
    "print_usage": lambda call: Val(None),
}


def stop(call: Call) -> Val:
    """Model `parser.error`: the user's run does not come here."""
    from schedmate.readers.code.python.run import Raised

    raise Raised("usage")


def make_old_parser(call: Call) -> Val | None:
    """Model `optparse.OptionParser`, whose `parse_args` gives options and the rest."""
    made = make_parser(call)
    if made is not None:
        made.data.prefix = "optparse"
    return made


def make_loose_parser(call: Call) -> Val | None:
    """Model parsers that take `-` for `_` in names."""
    made = make_parser(call)
    if made is not None:
        made.data.prefix = "loose"
    return made


ENDINGS: dict[str, Hook] = {
    "ArgumentParser": make_parser,
    "ArgParser": make_parser,
    "OptionParser": make_old_parser,
    "OptionGroup": lambda call: call.arg(0),
    "HelpfulArgumentParser": make_parser,
    "get_argument_parser": make_parser,
}


def detectron_parser(call: Call) -> Val | None:
    """Model Detectron2's `default_argument_parser()`."""
    whole = Val(NativeMethod(lambda inner: None, "int"))
    numbers = {"--num-gpus": 1, "--num-machines": 1, "--machine-rank": 0}
    parser = Parser()
    for name, default in numbers.items():
        dest = name[2:].replace("-", "_")
        parser.options.append(Option([name], dest, Val(default, (call.spot,)), whole, spot=call.spot))
    for name in ("--config-file", "--dist-url"):
        parser.options.append(Option([name], name[2:].replace("-", "_"), Val("", (call.spot,)), spot=call.spot))
    for name in ("--resume", "--eval-only"):
        dest = name[2:].replace("-", "_")
        parser.options.append(Option([name], dest, Val(False, (call.spot,)), action="store_true", spot=call.spot))
    parser.options.append(Option(["opts"], "opts", Val([]), nargs="...", spot=call.spot, positional=True))
    return Val(parser, (call.spot,))


HOOKS: dict[str, Hook] = {
    "detectron2.engine.default_argument_parser": detectron_parser,
    "simple_parsing.ArgumentParser": make_loose_parser,
    "argparse.ArgumentParser": make_parser,
}
