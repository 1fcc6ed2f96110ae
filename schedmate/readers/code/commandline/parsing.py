"""Read a command line by a parser's options, as argparse and click do."""

from schedmate.readers.code.commandline.options import FLAGS, Option, OptionSet, converted, store
from schedmate.readers.code.commandline.records import fill_from_words
from schedmate.readers.code.libraries.argument_words import is_option, word_text
from schedmate.readers.code.values.run import Call, Run
from schedmate.readers.code.values.value import Config, Items, Value, is_constant


def parse(run: Run, parser: OptionSet, words: list[Value], call: Call) -> tuple[Config, list[Value]]:
    """Read the words into a namespace; what no option takes is left over."""
    values: Items = {option.dest: option.default for option in parser.options}
    for option in parser.options:
        if is_constant(option.default) and isinstance(option.default.data, str) and option.kind is not None:
            values[option.dest] = converted(run, option, [option.default], option.default.src, call)
    values.update(parser.defaults)
    rest: list[Value] = []
    positionals = [option for option in parser.options if option.positional]
    place = 0
    while place < len(words):
        word, text = words[place], word_text(words[place])
        place += 1
        if is_option(text):
            known, inline = find_option(parser, text)
            if known is None:
                rest.append(word)
                continue
            taken, place = take_values(known, inline, word, words, place)
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
    namespace = Config(values, "namespace")
    add_record_values(run, parser, rest, namespace, call)
    return namespace, rest


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


def add_record_values(run: Run, parser: OptionSet, rest: list[Value], namespace: Config, call: Call) -> None:
    """Fill records that were added to the parser."""
    for dest, record in parser.records:
        namespace[dest] = fill_from_words(run, record, rest, call.spot)


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
    count = option.nargs if isinstance(option.nargs, int) else 1
    if option.nargs == "?" and (place >= len(words) or is_option(word_text(words[place]))):
        return [], place
    if option.action == "custom" and place < len(words) and is_option(word_text(words[place])):
        return [], place
    return words[place : place + count], min(len(words), place + count)
