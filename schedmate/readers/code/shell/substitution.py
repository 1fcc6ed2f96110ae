"""Say what `$(...)` prints, where that is plain."""

import posixpath

from schedmate.readers.code.shell.interpreter import ShellInterpreter
from schedmate.readers.code.shell.scripts import locate
from schedmate.readers.code.shell.tokens import tokenize
from schedmate.readers.code.values.value import SourceLocation, Value
from schedmate.tools.repository import NotReadable

LARGEST_PRINTED = 4_000


def printed_by(one: ShellInterpreter, command: str) -> Value | None:
    """Give what a plain command prints; None where only the run can tell."""
    tokens = tokenize(command)[:-1]
    words = [word for token in tokens if not token.is_operator for word in one.words_of(token)]
    texts = [str(word.data) for word in words]
    if texts and tokens[0].text == "<" and len(texts) == 1:
        return contents(one, texts[0])
    if not texts or any(token.is_operator and token.text in "|<>" for token in tokens):
        return None
    name, arguments = texts[0], texts[1:]
    if name == "echo":
        return Value(" ".join(text for text in arguments if text != "-n"), words[-1].src)
    if name == "pwd":
        return Value(".")
    if name == "cat" and len(arguments) == 1:
        return contents(one, arguments[0])
    if name in ("dirname", "basename") and arguments and "$" not in arguments[0]:
        text = posixpath.dirname(arguments[0]) if name == "dirname" else posixpath.basename(arguments[0])
        return Value(text.removesuffix(arguments[1] if len(arguments) > 1 else "") or ".", words[1].src)
    if name in ("realpath", "readlink") and "$" not in texts[-1]:
        return Value(texts[-1], words[-1].src)
    if name == "cd" and arguments and "pwd" in texts:
        return Value(arguments[0] or ".", words[1].src)
    return None


def contents(one: ShellInterpreter, name: str) -> Value | None:
    """Give a small file of the repository, as `$(cat args.txt)` does."""
    path = locate(one, name)
    try:
        text = one.shell.repository.read_text(path, largest=LARGEST_PRINTED) if path is not None else None
    except NotReadable:
        return None
    return Value(text.strip("\n"), (SourceLocation(path or "", 1),)) if text is not None else None
