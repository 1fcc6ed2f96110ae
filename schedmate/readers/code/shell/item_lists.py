"""`xargs` and `parallel`: a command for each item of a list; and text that is run as a command."""

from schedmate.readers.code.shell.interpreter import ShellInterpreter
from schedmate.readers.code.shell.session import MOST_STEPS, Condition
from schedmate.readers.code.shell.tokens import tokenize
from schedmate.readers.code.values.value import Value, join_spots

XARGS_VALUES = ("-I", "-n", "-P", "-L", "-d", "-s", "-a", "-j", "--jobs", "--joblog", "--delay", "-N", "-E")


def evaluate_text(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Follow `eval "..."`; arguments that it sets come from where its own words come."""
    text = " ".join(str(word.data) for word in words[1:])
    line = words[-1].src[-1].line if words[-1].src else 1
    given = one.names.arguments
    if one.shell.steps < MOST_STEPS // 2:
        one.run(tokenize(text, line))
    if one.names.arguments is not given:
        one.names.arguments = [Value(item.data, join_spots(*words[1:], item)) for item in one.names.arguments]
    return None


def flags_of(texts: list[str]) -> str:
    """Join the letters of a command's options."""
    return "".join(text[1:] for text in texts[1:] if text.startswith("-") and not text.startswith("--"))


def lists_of(words: list[Value]) -> list[list[Value]]:
    """Give the lists of items that stand behind `:::`."""
    found: list[list[Value]] = []
    for word in words:
        if word.data == ":::":
            found.append([])
        elif found:
            found[-1].append(word)
    return found


def for_each_of(
    one: ShellInterpreter, words: list[Value], lists: list[list[Value]], own: dict[str, Value]
) -> Condition:
    """Follow `parallel 'command {1} {2}' ::: a ::: b`: a list of one item is known."""
    items = [found[0] if len(found) == 1 else Value("${item}") for found in lists]
    place = 1
    while place < len(words) and str(words[place].data).startswith("-"):
        place += 2 if str(words[place].data) in XARGS_VALUES else 1
    command = words[place:]
    for number, item in enumerate(items, 1):
        command = [Value(str(word.data).replace(f"{{{number}}}", str(item.data)), word.src) for word in command]
    if len(command) == 1 and " " in str(command[0].data):
        return evaluate_text(one, [words[0], *command], own)
    return one.start(command, own) if command and one.shell.steps < MOST_STEPS // 2 else None


def for_each(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Follow `xargs command` and `parallel command ::: a b`: with one item it is known, with several it stays open."""
    texts = [str(word.data) for word in words]
    lists = lists_of(words)
    if len(lists) > 1:
        return for_each_of(one, words[: texts.index(":::")], lists, own)
    items = lists[0] if lists else []
    if not items and one.stdin is not None:
        items = [Value(text, one.stdin.src) for text in str(one.stdin.data).split()]
    item = items[0] if len(items) == 1 else Value("${item}")
    mark, place = "{}", 1
    while place < len(words) and texts[place].startswith("-"):
        text = texts[place]
        if text[:2] in ("-I", "-i"):
            mark = text[2:] or (texts[place + 1] if text == "-I" and place + 1 < len(words) else "{}")
        place += 2 if text in XARGS_VALUES else 1
    command = words[place : texts.index(":::") if ":::" in texts else None]
    if any(mark in str(word.data) for word in command):
        command = [
            Value(str(w.data).replace(mark, str(item.data)), w.src) if mark in str(w.data) else w for w in command
        ]
    elif words[0].data == "xargs" and items and not {"n", "L"} & set(flags_of(texts[:place])):
        command = [*command, *items]
    elif words[0].data == "parallel" or items or one.stdin is None:
        command = [*command, *([item] if len(items) != 1 else items)]
    if len(command) == 1 and " " in str(command[0].data):
        return evaluate_text(one, [words[0], *command], own)
    return one.start(command, own) if command and one.shell.steps < MOST_STEPS // 2 else None
