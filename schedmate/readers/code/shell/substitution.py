"""Say what `$(...)` prints, where that is plain."""

import posixpath
from typing import TYPE_CHECKING

from schedmate.readers.code.shell.tokens import tokenize
from schedmate.readers.code.values import Val

if TYPE_CHECKING:
    from schedmate.readers.code.shell.interpreter import Interpreter


def printed_by(one: "Interpreter", command: str) -> Val | None:
    """Give what a plain command prints; None where only the run can tell."""
    words = [w for token in tokenize(command) if not token.is_operator for w in one.words_of(token)]
    texts = [str(word.data) for word in words]
    if not texts or any(token.is_operator and token.text in "|<>" for token in tokenize(command)):
        return None
    if texts[0] == "echo":
        return Val(" ".join(texts[1:]), words[-1].src)
    if texts[0] == "pwd":
        return Val(".")
    if texts[0] in ("dirname", "basename") and len(texts) > 1 and "$" not in texts[1]:
        function = posixpath.dirname if texts[0] == "dirname" else posixpath.basename
        text = function(texts[1])
        if texts[0] == "basename" and len(texts) > 2:
            text = text.removesuffix(texts[2])
        return Val(text or ".", words[1].src)
    if texts[0] in ("realpath", "readlink") and "$" not in texts[-1]:
        return Val(texts[-1], words[-1].src)
    if texts[0] == "cd" and len(texts) > 1 and "pwd" in texts:
        return Val(texts[1] or ".", words[1].src)
    return None
