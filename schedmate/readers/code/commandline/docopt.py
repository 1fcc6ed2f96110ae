"""docopt: the options that a program's own help text describes, with the defaults that stand in it."""

import re2

from schedmate.readers.code.libraries.argument_words import arguments_of, split_words
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Items, Value

OPTION = re2.compile(r"^\s*(?:-\w(?:[ =]<?\w+>?)?,?\s+)?(--[\w-]+)(?:[ =](<[^>]+>|[A-Z][A-Z_]*))?")
DEFAULT = re2.compile(r"(?i)\[default:\s*([^\]]*)\]")
POSITIONAL = re2.compile(r"<[^>=\s]+>")
LONGEST = 20_000


def read_help(call: Call) -> Value | None:
    """Model `docopt(__doc__)`: a mapping of options and arguments as they are written there; all values are texts."""
    text = call.constant(0, "doc")
    if not isinstance(text, str) or len(text) > LONGEST:
        return None
    spot = (call.spot,)
    found: Items = {}
    takes: set[str] = set()
    for line in text.split("\n"):
        match, default = OPTION.match(line), DEFAULT.search(line)
        if match is not None:
            name, value = match.group(1), match.group(2)
            takes |= {name} if value else set()
            found[name] = Value(default.group(1) if default and value else None if value else False, spot)
    given, free = split_words(arguments_of(call.run), lambda name: "--" + name.replace("_", "-") not in takes)
    for option in given:
        name = "--" + option.name.replace("_", "-")
        if name in found:
            found[name] = Value(option.value.data if option.value is not None else True, option.src)
    usage = next((line for line in text.split("\n") if "<" in line and not OPTION.match(line)), "")
    for name, word in zip(POSITIONAL.findall(usage), free, strict=False):
        found[name] = Value(word.data, word.src)
    return Value(found, spot)


HOOKS: dict[str, Hook] = {"docopt.docopt": read_help}
