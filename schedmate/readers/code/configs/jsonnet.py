"""Read Jsonnet, the JSON with variables that AllenNLP is configured in, into values that know their lines.

Most of what its library computes and what is too deep stays unknown.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from schedmate.readers.code.configs.jsonnet_values import (
    JsonnetError,
    JsonnetObject,
    item_of,
    operate,
    tokens_of,
    unquoted,
)
from schedmate.readers.code.values.value import Items, SourceLocation, Value, is_constant, unknown

DEEPEST = 60
MOST_CALLS = 2_000
WHOLE = re.compile(r"-?\d{1,18}")
CONSTANTS = {"true": True, "false": False, "null": None}
RANKS = ({"||"}, {"&&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"+", "-"}, {"*", "/", "%"})


@dataclass(eq=False, slots=True)
class JsonnetFunction:
    """A function: its parameters with their defaults, and where its body begins."""

    parameters: dict[str, Value]
    place: int
    names_around: dict[str, Value]


@dataclass(eq=False, slots=True)
class JsonnetLibrary:
    """Jsonnet's own library, or a function of it by its name."""

    function: str = ""


def read_jsonnet(text: str, path: str, outside: Mapping[str, Value] | None = None) -> Value | None:
    """Read a document, with the variables that `std.extVar` finds outside; None where it cannot be read."""
    try:
        reader = JsonnetReader(tokens_of(text), path, outside or {})
        value = reader.expression({}, 0)
    except (JsonnetError, RecursionError, ValueError):
        return None
    return value if isinstance(value.data, (dict, list)) else None


class JsonnetReader:
    """Read tokens from a place on; what a function's body says is read again at each call."""

    def __init__(self, tokens: list[tuple[str, str, int]], path: str, outside: Mapping[str, Value]) -> None:
        self.tokens, self.path, self.place, self.calls, self.outside = tokens, path, 0, 0, outside

    def at(self, *signs: str) -> bool:
        """Tell whether one of these comes next."""
        kind, text, _ = self.tokens[self.place]
        return kind != "text" and text in signs

    def take(self, *signs: str) -> bool:
        """Pass over one of these, if it comes next."""
        taken = self.at(*signs)
        self.place += taken
        return taken

    def need(self, *signs: str) -> None:
        """Pass over one of these, which must come next."""
        if not self.take(*signs):
            raise JsonnetError

    def name(self) -> str:
        """Take a name."""
        kind, text, _ = self.tokens[self.place]
        if kind != "name":
            raise JsonnetError
        self.place += 1
        return text

    def here(self) -> tuple[SourceLocation, ...]:
        """Name the line of the next token."""
        return (SourceLocation(self.path, self.tokens[self.place][2]),)

    def expression(self, names: dict[str, Value], depth: int, rank: int = 0) -> Value:
        """Read an expression of operators that bind at least so tightly."""
        if depth > DEEPEST:
            raise JsonnetError
        if rank in (0, len(RANKS)) and self.take("local"):
            names = dict(names)
            while True:
                self.bind(names, depth)
                if not self.take(","):
                    break
            self.need(";")
            return self.expression(names, depth + 1)
        if rank in (0, len(RANKS)) and self.take("if"):
            return self.choice(names, depth + 1)
        if rank == len(RANKS):
            return self.prefixed(names, depth)
        value = self.expression(names, depth, rank + 1)
        while self.at(*RANKS[rank]):
            sign = self.tokens[self.place][1]
            self.place += 1
            value = operate(sign, value, self.expression(names, depth + 1, rank + 1))
        return value

    def bind(self, names: dict[str, Value], depth: int) -> None:
        """Read `x = 1` and `f(a, b) = ...`."""
        name = self.name()
        if self.at("("):
            names[name] = self.closure(names, depth, "=")
            return
        self.need("=")
        names[name] = self.expression(names, depth + 1)

    def closure(self, names: dict[str, Value], depth: int, sign: str) -> Value:
        """Read a function's parameters, and pass over its body with each of them unknown."""
        self.need("(")
        parameters: dict[str, Value] = {}
        while not self.take(")"):
            name = self.name()
            parameters[name] = self.expression(names, depth + 1) if self.take("=") else unknown(name)
            self.take(",")
        if sign:
            self.need(sign)
        value = Value(JsonnetFunction(parameters, self.place, names), self.here())
        self.expression({**names, **{one: unknown(one) for one in parameters}}, depth + 1)
        return value

    def choice(self, names: dict[str, Value], depth: int) -> Value:
        """Read `if a then b else c`."""
        test = self.expression(names, depth)
        self.need("then")
        first = self.expression(names, depth)
        second = self.expression(names, depth) if self.take("else") else Value(None)
        if not is_constant(test):
            return unknown("depends on what is not known", first, second)
        return first if test.data else second

    def prefixed(self, names: dict[str, Value], depth: int) -> Value:
        """Read a sign before a value, and what is asked of the value behind it."""
        src = self.here()
        if self.take("-", "+", "!"):
            sign = self.tokens[self.place - 1][1]
            value = self.prefixed(names, depth + 1)
            if isinstance(value.data, bool) and sign == "!":
                return Value(not value.data, src)
            known = isinstance(value.data, (int, float))
            return Value(-value.data if sign == "-" else value.data, src) if known else unknown("a sign", value)
        value = self.plain(names, depth)
        while self.at(".", "[", "(", "{"):
            value = self.asked(value, names, depth + 1)
        return value

    def asked(self, value: Value, names: dict[str, Value], depth: int) -> Value:
        """Read `.name`, `[key]`, `(arguments)` and `{ more }` behind a value."""
        if self.at("{"):
            return operate("+", value, self.object(names, depth))
        if self.take("."):
            is_library = isinstance(value.data, JsonnetLibrary)
            return Value(JsonnetLibrary(self.name())) if is_library else item_of(value, self.name())
        if self.take("["):
            key = self.expression(names, depth)
            self.need("]")
            return item_of(value, key.data if is_constant(key) else None)
        self.need("(")
        given: Items = {}
        while not self.take(")"):
            named = self.tokens[self.place][0] == "name" and self.tokens[self.place + 1][1] == "="
            place: str | int = self.name() if named else len(given)
            if named:
                self.need("=")
            given[place] = self.expression(names, depth)
            self.take(",")
        return self.call(value, given, depth)

    def call(self, value: Value, given: Items, depth: int) -> Value:
        """Read a function's body with its arguments; of the library little is known."""
        function = value.data
        if isinstance(function, JsonnetLibrary) and len(given) == 1:
            return library_value(function.function, next(iter(given.values())), self.outside)
        self.calls += 1
        if not isinstance(function, JsonnetFunction) or self.calls > MOST_CALLS:
            return unknown("what a function gives", *given.values())
        names = dict(function.names_around)
        for place, (name, default) in enumerate(function.parameters.items()):
            names[name] = given.get(name) or given.get(place) or default
        back, self.place = self.place, function.place
        try:
            return self.expression(names, depth + 1)
        finally:
            self.place = back

    def plain(self, names: dict[str, Value], depth: int) -> Value:
        """Read a value on its own."""
        kind, text, _ = self.tokens[self.place]
        src = self.here()
        if kind == "text":
            self.place += 1
            return Value(unquoted(text), src)
        if kind == "number":
            self.place += 1
            return Value(float(text) if any(sign in text for sign in ".eE") else int(text), src)
        if self.at("{"):
            return self.object(names, depth + 1)
        if self.at("["):
            return self.array(names, depth + 1)
        if self.take("("):
            value = self.expression(names, depth + 1)
            self.need(")")
            return value
        if self.take("$"):
            return unknown("the document itself")
        if self.take("function"):
            return self.closure(names, depth, "")
        if self.take("import", "importstr", "error"):
            self.expression(names, depth + 1)
            return unknown("another file")
        name = self.name()
        if name in CONSTANTS:
            return Value(CONSTANTS[name], src)
        return names.get(name) or (Value(JsonnetLibrary()) if name == "std" else unknown(name))

    def array(self, names: dict[str, Value], depth: int) -> Value:
        """Read `[a, b]`; one that loops stays unknown."""
        src = self.here()
        self.need("[")
        items: list[Value] = []
        while not self.take("]"):
            if self.at("for"):
                self.skip("]")
                return unknown("items that a loop makes", *items)
            items.append(self.expression(names, depth))
            self.take(",")
        return Value(items, src)

    def object(self, names: dict[str, Value], depth: int) -> Value:
        """Read `{ key: value, local x = 1, key+: { more } }`."""
        src = self.here()
        self.need("{")
        items, names = JsonnetObject(), dict(names)
        while not self.take("}"):
            if self.at("for"):
                self.skip("}")
                return unknown("keys that a loop makes")
            if self.take("local"):
                self.bind(names, depth)
            elif self.take("assert"):
                self.expression(names, depth)
                if self.take(":"):
                    self.expression(names, depth)
            else:
                self.entry(items, names, depth)
            self.take(",")
        return Value(items, src)

    def entry(self, items: JsonnetObject, names: dict[str, Value], depth: int) -> None:
        """Read one key with its value."""
        kind, text, _ = self.tokens[self.place]
        key: Any = None
        if self.take("["):
            value = self.expression(names, depth)
            self.need("]")
            key = value.data if is_constant(value) else None
        elif kind == "text":
            self.place += 1
            key = unquoted(text)
        else:
            key = self.name()
        if self.at("("):
            self.closure(names, depth, ":")
            return
        adds = self.take("+:")
        if not adds:
            self.need(":", "::", ":::")
        value = self.expression(names, depth)
        if isinstance(key, str):
            items[key] = operate("+", items[key], value) if adds and key in items else value
            if adds:
                items.adding.add(key)

    def skip(self, sign: str) -> None:
        """Pass over the rest up to a closing sign."""
        open_signs = 0
        while self.tokens[self.place][0] != "end":
            if self.at(sign) and not open_signs:
                self.place += 1
                return
            open_signs += self.at("{", "[", "(") - self.at("}", "]", ")")
            self.place += 1
        raise JsonnetError


def library_value(name: str, given: Value, outside: Mapping[str, Value]) -> Value:
    """Give what a function of the library makes: a variable from outside, or a text's number."""
    if name == "extVar" and isinstance(given.data, str) and given.data in outside:
        return outside[given.data]
    if name == "parseInt" and isinstance(given.data, str) and WHOLE.fullmatch(given.data):
        return Value(int(given.data), given.src)
    return unknown(f"std.{name}", given)
