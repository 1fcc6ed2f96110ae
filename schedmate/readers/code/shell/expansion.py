"""Expand shell words with what is known; a variable that nobody has set stays as it is written."""

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

import re2

from schedmate.readers.code.python.operators import operate
from schedmate.readers.code.shell.tokens import after, after_bracket, after_double
from schedmate.readers.code.values import Spot, Val, is_constant, join_spots

NAME = re2.compile(r"[A-Za-z_][A-Za-z0-9_]*")
PARAMETER = re2.compile(r"^(#?)([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])(\[[^\]]*\])?(.*)$")
LONGEST = 20_000


@dataclass
class Names:
    """The variables and arguments of a shell; arrays are lists."""

    variables: dict[str, Val] = field(default_factory=dict)
    arguments: list[Val] = field(default_factory=list)
    script: str = ""
    substitute: Callable[[str], Val | None] | None = None

    def find(self, name: str) -> Val | None:
        """Give a variable or an argument; None when it is not set."""
        if name.isdigit():
            place = int(name)
            if place == 0:
                return Val(self.script)
            return self.arguments[place - 1] if place <= len(self.arguments) else Val("")
        if name == "#":
            return Val(str(len(self.arguments)))
        if name in "@*":
            return Val(list(self.arguments))
        return self.variables.get(name)


@dataclass
class Piece:
    """A part of a word on its way: its text, where it came from, and whether quotes keep it whole."""

    text: str
    src: tuple[Spot, ...] = ()
    quoted: bool = False
    items: list[Val] | None = None


def expand(raw: str, names: Names, spot: Spot) -> list[Val]:
    """Turn a raw word into the words that the program gets."""
    pieces = cut(raw, names, False)
    words: list[Val] = []
    current: list[Piece] = []
    started = False

    def finish() -> None:
        nonlocal current, started
        if started:
            src = tuple(dict.fromkeys(s for piece in current for s in piece.src))
            words.append(Val("".join(piece.text for piece in current)[:LONGEST], (*src[:3], spot)))
        current, started = [], False

    for piece in pieces:
        if piece.items is not None:
            for count, item in enumerate(piece.items):
                if count:
                    finish()
                current.append(Piece(str(item.data), item.src))
                started = True
        elif piece.quoted or not any(blank in piece.text for blank in " \t\n"):
            if piece.text or piece.quoted:
                current.append(piece)
                started = True
        else:
            parts = piece.text.split()
            if piece.text[:1] in " \t\n":
                finish()
            for count, part in enumerate(parts):
                if count:
                    finish()
                current.append(Piece(part, piece.src))
                started = True
            if piece.text[-1:] in " \t\n":
                finish()
    finish()
    return words


def expand_one(raw: str, names: Names, spot: Spot) -> Val:
    """Turn a raw word into one text, as in an assignment."""
    pieces = cut(raw, names, True)
    texts = [piece.text if piece.items is None else " ".join(str(i.data) for i in piece.items) for piece in pieces]
    src = tuple(dict.fromkeys(s for piece in pieces for s in piece.src))
    return Val("".join(texts)[:LONGEST], (*src[:3], spot) if src != (spot,) else src)


def cut(raw: str, names: Names, whole: bool) -> list[Piece]:
    """Cut a raw word into pieces with quotes removed and parameters put in."""
    pieces: list[Piece] = []
    place, plain = 0, ""
    if raw.startswith("~/"):
        plain, place = "~/", 2
    while place < len(raw):
        character = raw[place]
        if character == "\\" and place + 1 < len(raw):
            if raw[place + 1] != "\n":
                plain += raw[place + 1]
            place += 2
        elif character == "'":
            end = after(raw, "'", place + 1)
            pieces += [Piece(plain), Piece(raw[place + 1 : end - 1], quoted=True)]
            place, plain = end, ""
        elif character == '"':
            end = after_double(raw, place + 1)
            pieces.append(Piece(plain))
            pieces += quoted(raw[place + 1 : end - 1], names)
            place, plain = end, ""
        elif character in "$`":
            end, piece = parameter(raw, place, names)
            if piece is None:
                plain += raw[place:end]
            else:
                pieces += [Piece(plain), piece]
                plain = ""
            place = end
        else:
            plain += character
            place += 1
    pieces.append(Piece(plain))
    return [piece for piece in pieces if piece.text or piece.quoted or piece.items is not None]


def quoted(inner: str, names: Names) -> list[Piece]:
    """Expand what stands in double quotes."""
    pieces: list[Piece] = []
    place, plain = 0, ""
    while place < len(inner):
        character = inner[place]
        if character == "\\" and inner[place + 1 : place + 2] in ('"', "\\", "$", "`", "\n"):
            plain += "" if inner[place + 1] == "\n" else inner[place + 1]
            place += 2
        elif character in "$`":
            end, piece = parameter(inner, place, names)
            if piece is None:
                plain += inner[place:end]
            elif piece.items is not None and not whole_list(inner[place:end]):
                pieces += [
                    Piece(plain, quoted=True),
                    Piece(" ".join(str(i.data) for i in piece.items), piece.src, True),
                ]
                plain = ""
            else:
                piece.quoted = True
                pieces += [Piece(plain, quoted=True), piece] if plain else [piece]
                plain = ""
            place = end
        else:
            plain += character
            place += 1
    if plain or not pieces:
        pieces.append(Piece(plain, quoted=True))
    return pieces


def whole_list(text: str) -> bool:
    """Tell `$@` and `${A[@]}`, which keep their items apart inside quotes."""
    return "@" in text


def parameter(raw: str, place: int, names: Names) -> tuple[int, Piece | None]:
    """Expand one `$...`; None leaves it as it is written."""
    if raw[place] == "`":
        end = after(raw, "`", place + 1)
        return end, substituted(raw[place + 1 : end - 1], raw[place:end], names)
    if raw.startswith("$((", place):
        end = after_bracket(raw, place + 1)
        return end, arithmetic(raw[place + 3 : end - 2], raw[place:end], names)
    if raw.startswith("$(", place):
        end = after_bracket(raw, place + 1)
        return end, substituted(raw[place + 2 : end - 1], raw[place:end], names)
    if raw.startswith("${", place):
        end = after_bracket(raw, place + 1)
        return end, braced(raw[place + 2 : end - 1], names)
    name = raw[place + 1 : place + 2]
    if name and (name.isdigit() or name in "@*#"):
        return place + 2, piece_of(names.find(name))
    match = NAME.match(raw[place + 1 : place + 200])
    if match is None:
        return place + 1, Piece("$")
    return place + 1 + match.end(), piece_of(names.find(match.group(0)), f"${{{match.group(0)}}}")


def piece_of(value: Val | None, unset: str = "") -> Piece | None:
    """Make a piece of a value; a variable that is not set stays as written."""
    if value is None:
        return Piece(unset) if unset else Piece("")
    if isinstance(value.data, list):
        return Piece("", value.src, items=list(value.data))
    return Piece(str(value.data), value.src)


def braced(inner: str, names: Names) -> Piece | None:
    """Expand `${name...}` with its defaults, cuts and replacements."""
    match = PARAMETER.match(inner)
    if match is None:
        return None
    length, name, index, rest = match.group(1), match.group(2), match.group(3) or "", match.group(4) or ""
    if length and not rest and name:
        value = names.find(name)
        return Piece(str(len(value.data))) if value is not None and isinstance(value.data, (list, str)) else None
    value = names.find(name)
    if value is not None and index and isinstance(value.data, list):
        value = indexed(value, index[1:-1])
    elif value is not None and isinstance(value.data, list) and not index and name not in "@*":
        value = value.data[0] if value.data else Val("")
    if not rest:
        return piece_of(value, f"${{{inner}}}")
    return with_operator(name, value, rest, inner, names)


def indexed(value: Val, index: str) -> Val:
    """Take one or all items of an array."""
    if index in ("@", "*"):
        return value
    if index.lstrip("-").isdigit() and -len(value.data) <= int(index) < len(value.data):
        item: Val = value.data[int(index)]
        return item
    return Val("")


def with_operator(name: str, value: Val | None, rest: str, inner: str, names: Names) -> Piece | None:
    """Apply `:-`, `:=`, `:+`, `%`, `#`, `/`, `,,` and `^^`."""
    spot = Spot("", 1)
    is_set = value is not None and value.data not in ("", [])
    for mark in (":-", ":=", "-", "="):
        if rest.startswith(mark):
            if is_set or (value is not None and mark in "-="):
                return piece_of(value)
            made = expand_one(rest[len(mark) :], names, spot)
            made = Val(made.data, tuple(s for s in made.src if s != spot))
            if "=" in mark:
                names.variables[name] = made
            return Piece(str(made.data), made.src)
    if rest.startswith((":+", "+")):
        return Piece(str(expand_one(rest.lstrip(":+"), names, spot).data)) if is_set else Piece("")
    if rest.startswith((":?", "?")):
        return piece_of(value, f"${{{name}}}")
    if value is None or not isinstance(value.data, str):
        return Piece(f"${{{inner}}}")
    text = value.data
    if rest[0] in "%#":
        return Piece(trimmed(text, rest, names), value.src)
    if rest in (",,", ",", "^^", "^"):
        return Piece(text.lower() if "," in rest else text.upper(), value.src)
    if rest[0] == "/":
        old, _, new = rest.lstrip("/").partition("/")
        return Piece(text.replace(old, new) if rest.startswith("//") else text.replace(old, new, 1), value.src)
    return Piece(f"${{{inner}}}")


def trimmed(text: str, rest: str, names: Names) -> str:
    """Cut a pattern off the beginning or the end, the shortest fit or with a doubled mark the longest."""
    mark, longest = rest[0], rest[:2] == rest[0] * 2
    pattern = str(expand_one(rest.lstrip(mark), names, Spot("", 1)).data)[:200]
    if pattern.count("*") > 3:
        return text
    cuts = range(len(text) + 1) if (mark == "#") != longest else range(len(text), -1, -1)
    for place in list(cuts)[:2000]:
        part = text[:place] if mark == "#" else text[place:]
        if fnmatchcase(part, pattern):
            return text[place:] if mark == "#" else text[:place]
    return text


def substituted(command: str, raw: str, names: Names) -> Piece:
    """Put in what a command would print, where that is plain; else leave it as it is written."""
    value = names.substitute(command) if names.substitute is not None else None
    return Piece(str(value.data), value.src) if value is not None else Piece(opaque(raw))


def opaque(raw: str) -> str:
    """Shorten what stays unexpanded to one word, so that it is not cut at its blanks."""
    return (
        "$(" + "".join(character for character in raw.strip("`$() \n").partition(" ")[0] if character.isalnum()) + ")"
    )


def arithmetic(text: str, raw: str, names: Names) -> Piece:
    """Compute `$((...))` when all names in it are known whole numbers."""
    spot = Spot("", 1)
    expanded = str(expand_one(text, names, spot).data)[:500]
    try:
        tree = ast.parse(expanded.strip().replace("&&", " and ").replace("||", " or "), mode="eval")
        value = compute(tree.body, names)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        value = None
    if value is None:
        return Piece("$((" + "".join(raw.strip("$()").split()) + "))")
    sources = [found for name in NAME.findall(text) if (found := names.find(name)) is not None]
    return Piece(str(value.data), join_spots(value, *sources))


def compute(node: ast.expr, names: Names) -> Val | None:
    """Compute a shell's integer arithmetic."""
    if isinstance(node, ast.Constant):
        return Val(node.value) if isinstance(node.value, int) else None
    if isinstance(node, ast.Name):
        value = names.find(node.id)
        text = str(value.data) if value is not None else ""
        return (
            Val(int(text), value.src) if value is not None and text.lstrip("-").isdigit() and len(text) < 18 else None
        )
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = compute(node.operand, names)
        return Val(-inner.data, inner.src) if inner is not None else None
    if isinstance(node, ast.BinOp):
        left, right = compute(node.left, names), compute(node.right, names)
        if left is None or right is None:
            return None
        op = ast.FloorDiv() if isinstance(node.op, ast.Div) else node.op
        result = operate(op, left, right)
        return result if is_constant(result) else None
    return None
