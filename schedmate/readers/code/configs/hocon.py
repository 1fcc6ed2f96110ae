"""Read HOCON, the JSON for people that pyhocon reads, into values that know their lines; what it includes is open."""

from collections.abc import Callable

from schedmate.readers.code.configs.files import LARGEST_CONFIG, note_missing
from schedmate.readers.code.configs.merging import forget_leaves
from schedmate.readers.code.libraries.argument_words import number
from schedmate.readers.code.python.modules.named_files import path_in_repository
from schedmate.readers.code.values.run import Call, Hook, by_names
from schedmate.readers.code.values.value import (
    Config,
    SourceLocation,
    Value,
    find_in,
    is_constant,
    mapping_of,
    unknown,
)
from schedmate.tools.late_patterns import late

TOKEN = late(
    r"(?P<skip>[ \t\r]+|//[^\n]*|#[^\n]*)"
    r'|(?P<text>"""(?:[^"]|"(?!""))*"""|"(?:[^"\\\n]|\\.)*")'
    r"|(?P<line>\n)"
    r"|(?P<sign>\+=|[{}\[\],:=])"
    r"|(?P<reference>\$\{[^}\n]*\})"
    r"|(?P<plain>(?:[^\s\"{}\[\],:=#/$+]|/(?!/)|\+(?!=)|\$(?!\{))+)"
)
"""Each way begins with other signs and repeats over signs that do not end it: the time grows with the text alone."""
MOST_TOKENS, DEEPEST, MOST_PARTS = 60_000, 60, 32

MOST_PASSES, MOST_COPIED, LONGEST = 8, 20_000, 4_000
"""How often a document is read until its references stay the same, how many values of others these may take over in
one reading, and how long a text may grow that is put together of others."""

KIND = "hocon"
"""The kind of these mappings, whose keys are paths: `settings["train.rate"]`."""
WORDS: dict[str, object] = {
    **dict.fromkeys(("true", "yes", "on"), True),
    **dict.fromkeys(("false", "no", "off"), False),
    **dict.fromkeys(("null", "none"), None),
}


class HoconError(Exception):
    """Say that the text is no HOCON, or none that is read here."""


def read_hocon(text: str, path: str, first_line: int = 1) -> Value | None:
    """Read a document; None where it cannot be read.

    A reference means what stands there at the end, so the document is read again with what it said, until that stays.
    """
    known: Value | None = None
    try:
        reader = HoconReader(text, path, first_line)
        for _ in range(MOST_PASSES if "${" in text else 1):
            before, known = known, reader.document(known)
            if before is not None and outline(before) == outline(known):
                return known
        return known if "${" not in text else reader.document(None)
    except (HoconError, RecursionError):
        return None


def outline(value: Value) -> object:
    """Give what a value says, to be compared: of what is open only that it is."""
    if isinstance(value.data, dict):
        return {key: outline(item) for key, item in value.data.items()}
    if isinstance(value.data, list):
        return [outline(item) for item in value.data]
    return (type(value.data).__name__, value.data if is_constant(value) else None)


class HoconReader:
    """Read tokens from a place on."""

    def __init__(self, text: str, path: str, first_line: int) -> None:
        self.path, self.place, self.copied, self.first_line = path, 0, 0, first_line
        self.tokens: list[tuple[str, str, int]] = []
        self.known: Value | None = None
        end, line = 0, first_line
        while end < len(text):
            match = TOKEN.match(text, end)
            if match is None or len(self.tokens) > MOST_TOKENS:
                raise HoconError
            self.tokens.append((match.lastgroup or "", match.group(), line))
            line, end = line + match.group().count("\n"), match.end()
        self.tokens.append(("end", "", line))

    def at(self, *signs: str) -> bool:
        """Tell whether one of these comes next, blanks and comments passed over."""
        while self.tokens[self.place][0] == "skip":
            self.place += 1
        kind, text, _ = self.tokens[self.place]
        return kind in signs or (kind == "sign" and text in signs)

    def take(self, *signs: str) -> bool:
        """Pass over one of these, if it comes next."""
        taken = self.at(*signs)
        self.place += taken
        return taken

    def document(self, known: Value | None) -> Value:
        """Read all, with braces around it or without; references are looked up in what is known of it."""
        self.place, self.copied, self.known = 0, 0, known
        root = Value(Config(kind=KIND), (SourceLocation(self.path, self.first_line),))
        while self.take("line"):
            pass
        self.items(root, "}" if self.take("{") else "end", 0)
        return root

    def items(self, into: Value, end: str, depth: int) -> None:
        """Read keys with their values up to a closing sign."""
        if depth > DEEPEST:
            raise HoconError
        while not self.at(end):
            if self.take("line", ","):
                continue
            path = self.key()
            if path[0].startswith("include "):
                forget_leaves(into.data, "what is included may set it")
                continue
            adds = self.at("+=")
            if not self.take("=", ":", "+=") and not self.at("{"):
                raise HoconError
            value = self.value(depth + 1)
            put(into, path, unknown("a list that is added to", value) if adds else value)
        self.place += end != "end"

    def key(self) -> list[str]:
        """Read a path, whose quoted parts are kept whole."""
        parts = [""]
        while self.at("plain", "text"):
            kind, text, _ = self.tokens[self.place]
            self.place += 1
            inner = text.strip('"')
            names = [inner] if kind == "text" else inner.split(".")
            glue = " " if parts[-1] and kind == "text" else ""
            parts = [*parts[:-1], f"{parts[-1]}{glue}{names[0]}", *names[1:]]
        if not parts[0] or len(parts) > MOST_PARTS:
            raise HoconError
        return parts

    def value(self, depth: int) -> Value:
        """Read an object, a list, or what stands in the line."""
        while self.take("line"):
            pass
        src = (SourceLocation(self.path, self.tokens[self.place][2]),) if not self.at("end") else ()
        if self.take("{"):
            made = Value(Config(kind=KIND), src)
            self.items(made, "}", depth)
            return made
        if self.take("["):
            return self.array(depth, src)
        pieces: list[Value] = []
        text, start, plain = "", self.place, False
        while self.at("plain", "text", "reference", ":"):
            kind, piece, _ = self.tokens[self.place]
            blank = self.place > start and self.tokens[self.place - 1][0] == "skip"
            pieces.append(self.referred(piece) if kind == "reference" else Value(piece.strip('"')))
            text = f"{text}{' ' if blank else ''}{pieces[-1].data if is_constant(pieces[-1]) else ''}"
            self.place += 1
            plain = kind in ("plain", "reference")
            if kind == "reference" and len(text) > LONGEST:
                raise HoconError
        if pieces and (self.at("{") or isinstance(pieces[0].data, dict)):
            return self.extended(pieces, depth, src)
        if not all(map(is_constant, pieces)) or not pieces:
            return unknown("a reference", *pieces)
        whole = pieces[0].data if len(pieces) == 1 else text
        return Value(constant(whole) if len(pieces) == 1 and plain else whole, src)

    def extended(self, pieces: list[Value], depth: int, src: tuple[SourceLocation, ...]) -> Value:
        """Read `${base} { rate = 0.1 }`: an object that holds what another one holds, and its own."""
        if len(pieces) > 1:
            raise HoconError
        made, base = Value(Config(kind=KIND), src), pieces[0]
        for name, value in mapping_of(base).items():
            made.data[name] = self.copied_from(value)
        if self.take("{"):
            self.items(made, "}", depth)
        return made if isinstance(base.data, dict) else unknown("a reference", made)

    def copied_from(self, value: Value) -> Value:
        """Copy what a reference takes over, so that what is put into one is not in the other."""
        self.copied += 1
        if self.copied > MOST_COPIED:
            raise HoconError
        if not isinstance(value.data, dict):
            return value
        items = {name: self.copied_from(item) for name, item in value.data.items()}
        return Value(Config(items, kind=KIND), value.src)

    def array(self, depth: int, src: tuple[SourceLocation, ...]) -> Value:
        """Read the items of a list."""
        found: list[Value] = []
        if depth > DEEPEST:
            raise HoconError
        while not self.take("]"):
            if not self.take("line", ","):
                if self.at("end", "}", "=", ":", "+="):
                    raise HoconError
                found.append(self.value(depth + 1))
        return Value(found, src)

    def referred(self, reference: str) -> Value:
        """Give what a reference means, by the last reading."""
        found = find_in(self.known, reference[2:-1].lstrip("?").strip())
        return found if found is not None else unknown("a reference")


def constant(text: object) -> object:
    """Read a word as a number or a truth, where it is one."""
    if not isinstance(text, str):
        return text
    known = number(text)
    return known if known is not None else WORDS.get(text.lower(), text)


def put(into: Value, path: list[str], value: Value) -> None:
    """Put a value under a path; an object goes over what stands there, key by key."""
    for name in path[:-1]:
        below = into.data.get(name)
        if below is None or not isinstance(below.data, dict):
            below = into.data[name] = Value(Config(kind=KIND), value.src)
        into = below
    known = into.data.get(path[-1])
    if known is not None and isinstance(known.data, dict) and isinstance(value.data, dict):
        for key, item in value.data.items():
            put(known, [key], item)
    else:
        into.data[path[-1]] = value


def parse_text(call: Call) -> Value | None:
    """Model `ConfigFactory.parse_string(text)`, whose lines are those of the file that the text was read from."""
    text = call.need(0, "content", str)
    spot = text.src[0] if text.src else call.spot
    return kept(call, read_hocon(text.data, spot.path, spot.line) if len(text.data) <= LARGEST_CONFIG else None)


def parse_file(call: Call) -> Value | None:
    """Model `ConfigFactory.parse_file(path)`."""
    path = path_in_repository(call.run, call.arg(0, "filename"), call.scope)
    text = call.run.read_text(path, LARGEST_CONFIG) if path is not None else None
    if path is None:
        note_missing(call.run, call.arg(0, "filename"))
    return kept(call, read_hocon(text, path) if text is not None and path is not None else None)


def kept(call: Call, loaded: Value | None) -> Value | None:
    """Keep the settings that a program has read."""
    if loaded is not None:
        call.run.configs.append((call.name, loaded))
    return loaded


TYPES: dict[str, Callable[[str], object]] = {"get_int": int, "get_float": float, "get_string": str}


def ask(call: Call) -> Value | None:
    """Model `get`, `get_int` and their kin: what stands under a path, or the default."""
    found = find_in(call.owner, call.constant(0, "key"))
    if found is None:
        return call.arg(1, "default") or unknown("not set")
    known = found.data
    if call.name in TYPES and isinstance(known, (int, float, str)):
        try:
            return Value(TYPES[call.name](str(known)), found.src)
        except ValueError:
            return None
    return found


METHODS: dict[str, Hook] = by_names("get get_int get_float get_string get_bool get_list get_config", ask)
HOOKS: dict[str, Hook] = {
    "pyhocon.ConfigFactory.parse_string": parse_text,
    "pyhocon.ConfigFactory.parse_file": parse_file,
}
