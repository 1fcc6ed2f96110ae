"""Words of a command that the user fills in: `--data <path/to/data>`, `--kind [kind-name]`, `DATA_PATH`."""

import re2

ANGLES = re2.compile(r"<([A-Za-z_][\w ./|:+-]{0,80})>|-[\w-]{1,60}[ =](<[/.][\w ./-]{1,80}>)")
"""In angle brackets, by which a shell would redirect; a whole path only where an option waits for its value."""
BRACKETS = re2.compile(
    r"(?:^|[\s=])(\[[A-Za-z]+(?:[ _-][A-Za-z]+){1,8}\]|\[[A-Z]{2,40}\]|\[[\w/-]+\.(?:ya?ml|json|toml|py)\]"
    r"|\{[A-Za-z_]{2,40}(?:(?: ?\| ?| )[A-Za-z_]{1,40}){0,8}\})"
)
"""Whole words in brackets that hold no list: of several words, in capitals, a choice, or a file of settings."""
CAPITALS = re2.compile(
    r"(?:^|[\s=])((?:YOUR|MY|PATH)(?:_[A-Z0-9]+){1,8}|(?:[A-Z][A-Z0-9]*_){1,8}(?:PATH|DIR|NAME|FILE|FOLDER|ROOT))"
)
"""Whole words in capitals that say what is to be named."""
AFTER = " \t\n/.,:;-_=)&|\"'"

INPUTS = (".txt", ".in", ".log", ".csv", ".tsv", ".out", ".dat")
"""How files are called that are handed to a program's input: `sort <names.txt>`."""
NO_NAME = re2.compile(r"\W+")


def with_open_words(command: str) -> str:
    """Write a variable that nobody has set for each word that the user is to fill in."""
    if "<<" in command:
        return command  # text that is handed over may hold anything
    angles = [one for one in ANGLES.finditer(command) if may_stand(command, one.end())]
    found = [(one.start() if one[1] else one.start(2), one.end(), one[1] or one[2][1:-1]) for one in angles]
    found = [one for one in found if not one[2].endswith((" ", *INPUTS))]
    for pattern in (BRACKETS, CAPITALS):
        whole = ((one.start(1), one.end(1), one.group(1)) for one in pattern.finditer(command))
        found += [one for one in whole if command[one[1] : one[1] + 1] in ("", " ", "\t", "\n")]
    parts: list[str] = []
    place = 0
    for start, end, text in sorted(found):
        if start >= place and not is_quoted(command[:start]):
            parts += [command[place:start], f"${{{name_of(text)}}}"]
            place = end
    return "".join([*parts, command[place:]])


def may_stand(command: str, end: int) -> bool:
    """Tell that nothing is glued behind a word in angle brackets, as the file of a second redirection is."""
    return command[end : end + 1] in ("", *AFTER)


def is_quoted(before: str) -> bool:
    """Tell a place inside of quotes."""
    return before.count('"') % 2 == 1 or before.count("'") % 2 == 1


def name_of(text: str) -> str:
    """Make a variable's name of what is to be filled in."""
    return str(NO_NAME.sub("_", text)).strip("_") or "placeholder"
