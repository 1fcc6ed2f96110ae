"""Expand shell words with what is known; a variable that nobody has set stays as it is written."""

import ast

import re2

from schedmate.readers.code.python.operators import compare, operate
from schedmate.readers.code.shell.parameters import braced, piece_of
from schedmate.readers.code.shell.session import LONGEST, ShellVariables, WordPiece
from schedmate.readers.code.shell.tokens import after, after_bracket, after_double, tokenize
from schedmate.readers.code.values.value import SourceLocation, Value, is_constant, join_spots
from schedmate.readers.code.values.whole_numbers import whole
from schedmate.tools.syntax_tree import parse_expression

LONGEST_FORMULA = 500
NAME = re2.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def arithmetic(text: str, expanded: str, names: ShellVariables) -> WordPiece:
    """Compute `$((...))`; what cannot be computed stays as it is written, as one word."""
    tidy = expanded[:LONGEST_FORMULA].strip().replace("&&", " and ").replace("||", " or ")
    try:
        value = compute(parse_expression(tidy), names)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        value = None
    if value is None:
        return WordPiece("$((" + "".join(text.split()) + "))")
    sources = [found for name in NAME.findall(text) if (found := names.find(name)) is not None]
    return WordPiece(str(value.data), join_spots(value, *sources))


LONGEST_NUMBER = 17
"""Digits of a variable that is computed with."""


def compute(node: ast.expr, names: ShellVariables) -> Value | None:
    """Compute a shell's integer arithmetic."""
    if isinstance(node, ast.Constant):
        return Value(node.value) if isinstance(node.value, int) else None
    if isinstance(node, ast.Name):
        value = names.find(node.id)
        text = str(value.data) if value is not None else ""
        known = whole(text, LONGEST_NUMBER)
        return Value(known, value.src) if value is not None and known is not None else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = compute(node.operand, names)
        return Value(-inner.data, inner.src) if inner is not None else None
    if isinstance(node, ast.BinOp):
        left, right = compute(node.left, names), compute(node.right, names)
        if left is None or right is None:
            return None
        op = ast.FloorDiv() if isinstance(node.op, ast.Div) else node.op
        result = operate(op, left, right)
        return result if is_constant(result) else None
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = compute(node.left, names), compute(node.comparators[0], names)
        holds = compare(node.ops[0], left, right) if left is not None and right is not None else None
        return None if left is None or holds is None else Value(int(holds), left.src)
    return None


BLANKS = " \t\n"
DEEPEST = 20

NOWHERE = SourceLocation("", 1)
"""The place of a word inside a word: the outer one's place counts."""


class ExpandedWords:
    """Words that grow piece by piece."""

    def __init__(self, spot: SourceLocation) -> None:
        self.spot = spot
        self.done: list[Value] = []
        self.current: list[WordPiece] = []

    def add(self, piece: WordPiece) -> None:
        """Put a piece at the end of the word that is being written."""
        self.current.append(piece)

    def finish(self) -> None:
        """End the word, if one was begun."""
        if self.current:
            src = tuple(dict.fromkeys(spot for piece in self.current for spot in piece.src))
            text = "".join(piece.text for piece in self.current)[:LONGEST]
            self.done.append(Value(text, (*src[:3], self.spot)))
        self.current = []


def expand(raw: str, names: ShellVariables, spot: SourceLocation) -> list[Value]:
    """Turn a raw word into the words that the program gets."""
    words = ExpandedWords(spot)
    for piece in cut(raw, names):
        if piece.items is not None:
            parts = [
                WordPiece(part, item.src)
                for item in piece.items
                for part in ([str(item.data)] if piece.quoted else str(item.data).split())
            ]
            for count, part in enumerate(parts):
                if count:
                    words.finish()
                words.add(part)
        elif piece.quoted or not any(blank in piece.text for blank in BLANKS):
            words.add(piece)
        else:
            if piece.text[0] in BLANKS:
                words.finish()
            for count, text in enumerate(piece.text.split()):
                if count:
                    words.finish()
                words.add(WordPiece(text, piece.src))
            if piece.text[-1] in BLANKS:
                words.finish()
    words.finish()
    return words.done


def words_of_text(text: str, spot: SourceLocation) -> list[Value]:
    """Take a text apart as a shell does that knows no variables; operators are no words."""
    plain = [token for token in tokenize(text) if not token.is_operator]
    return [word for token in plain for word in expand(token.text, ShellVariables(), spot)]


def expand_one(raw: str, names: ShellVariables, spot: SourceLocation) -> Value:
    """Turn a raw word into one text, as in an assignment."""
    pieces = cut(raw, names)
    texts = [piece.text if piece.items is None else " ".join(str(i.data) for i in piece.items) for piece in pieces]
    src = tuple(dict.fromkeys(s for piece in pieces for s in piece.src))
    return Value("".join(texts)[:LONGEST], (*src[:3], spot) if src != (spot,) else src)


def cut(raw: str, names: ShellVariables) -> list[WordPiece]:
    """Cut a raw word into pieces with quotes removed and parameters put in."""
    pieces: list[WordPiece] = []
    place, plain = 0, ""
    while place < len(raw):
        character = raw[place]
        if character == "\\" and place + 1 < len(raw):
            if raw[place + 1] != "\n":
                pieces += [WordPiece(plain), WordPiece(raw[place + 1], quoted=True)]
                plain = ""
            place += 2
        elif character == "'":
            end = after(raw, "'", place + 1)
            pieces += [WordPiece(plain), WordPiece(raw[place + 1 : end - 1], quoted=True)]
            place, plain = end, ""
        elif character == '"':
            end = after_double(raw, place + 1)
            pieces.append(WordPiece(plain))
            pieces += quoted(raw[place + 1 : end - 1], names)
            place, plain = end, ""
        elif character in "$`":
            end, piece = parameter(raw, place, names)
            if piece is None:
                plain += raw[place:end]
            else:
                pieces += [WordPiece(plain), piece]
                plain = ""
            place = end
        else:
            plain += character
            place += 1
    pieces.append(WordPiece(plain))
    return [piece for piece in pieces if piece.text or piece.quoted or piece.items is not None]


def quoted(inner: str, names: ShellVariables) -> list[WordPiece]:
    """Expand what stands in double quotes."""
    pieces: list[WordPiece] = []
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
            elif piece.items is not None and "@" not in inner[place:end]:  # `$@` and `${A[@]}` keep items apart
                joined = " ".join(str(item.data) for item in piece.items)
                pieces += [WordPiece(plain, quoted=True), WordPiece(joined, piece.src, True)]
                plain = ""
            else:
                piece.quoted = True
                pieces += [WordPiece(plain, quoted=True), piece] if plain else [piece]
                plain = ""
            place = end
        else:
            plain += character
            place += 1
    if plain or not pieces:
        pieces.append(WordPiece(plain, quoted=True))
    return pieces


def parameter(raw: str, place: int, names: ShellVariables) -> tuple[int, WordPiece | None]:
    """Expand one `$...`; None leaves it as it is written."""
    if raw[place] == "`":
        end = after(raw, "`", place + 1)
        return end, substituted(raw[place + 1 : end - 1], names)
    if raw.startswith(("$(", "${"), place):
        end = after_bracket(raw, place + 1)
        if raw.startswith("$((", place):
            text = raw[place + 3 : end - 2]
            return end, arithmetic(text, str(expand_inner(text, names).data), names)
        inner = raw[place + 2 : end - 1]
        if raw[place + 1] == "(":
            return end, substituted(inner, names)
        return end, braced(inner, names, lambda text: expand_inner(text, names))
    name = raw[place + 1 : place + 2]
    if name and (name.isdigit() or name in "@*#"):
        return place + 2, piece_of(names.find(name))
    match = NAME.match(raw[place + 1 : place + 200])
    if match is None:
        return place + 1, WordPiece("$")
    value = names.find(match.group(0))
    if value is not None and isinstance(value.data, dict):
        value = None
    return place + 1 + match.end(), piece_of(value, f"${{{match.group(0)}}}")


def expand_inner(text: str, names: ShellVariables) -> Value:
    """Expand a word that stands inside another; its own place is the other's."""
    if names.depth >= DEEPEST:
        return Value(text)
    names.depth += 1
    made = expand_one(text, names, NOWHERE)
    names.depth -= 1
    return Value(made.data, tuple(spot for spot in made.src if spot != NOWHERE))


def substituted(command: str, names: ShellVariables) -> WordPiece:
    """Put in what a command would print, where that is plain; else leave it open."""
    value: Value | None = None
    if names.substitute is not None and names.depth < DEEPEST:
        names.depth += 1
        value = names.substitute(command)
        names.depth -= 1
    return WordPiece(str(value.data), value.src) if value is not None else WordPiece(opaque(command))


def opaque(command: str) -> str:
    """Shorten what stays unexpanded to one word, so that it is not cut at its blanks."""
    first = command.strip("`$() \n").partition(" ")[0]
    return "$(" + "".join(character for character in first if character.isalnum()) + ")"
