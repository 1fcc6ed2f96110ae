"""Evaluate `[ ... ]` and `[[ ... ]]`; what depends on the run stays open."""

from fnmatch import fnmatchcase

from schedmate.readers.code.shell.interpreter import ShellInterpreter
from schedmate.readers.code.shell.scripts import locate
from schedmate.readers.code.shell.session import Condition
from schedmate.readers.code.values.value import Value


def evaluate(one: ShellInterpreter, words: list[Value]) -> Condition:
    """Evaluate `[ ... ]`, as far as plain comparisons go."""
    texts = [str(word.data) for word in words]
    if texts and texts[0] == "!":
        inner = evaluate(one, words[1:])
        return None if inner is None else not inner
    for joint in ("||", "-o", "&&", "-a"):
        if joint in texts[1:-1]:
            place = texts.index(joint)
            sides = [evaluate(one, words[:place]), evaluate(one, words[place + 1 :])]
            decisive = joint in ("||", "-o")
            return decisive if decisive in sides else None if None in sides else not decisive
    if any("$(" in text for text in texts):
        return None
    one.assumed = one.assumed or any(text.startswith("${") and text.endswith("}") for text in texts)
    texts = ["" if text.startswith("${") and text.endswith("}") else text for text in texts]
    if len(texts) == 2 and texts[0] in ("-z", "-n"):
        return (texts[1] == "") == (texts[0] == "-z")
    if len(texts) == 1:
        return bool(texts[0])
    if len(texts) == 2 and texts[0] in ("-f", "-e", "-d", "-s"):
        return True if locate(one, texts[1]) else None
    if len(texts) == 3:
        return compare(texts[0], texts[1], texts[2])
    return None


def compare(left: str, operator: str, right: str) -> Condition:
    """Compare two texts or numbers as `test` does."""
    if operator in ("=", "=="):
        return fnmatchcase(left, right[:200])
    if operator == "!=":
        return not fnmatchcase(left, right[:200])
    numeric = {"-eq": 0, "-ne": 1, "-lt": 2, "-le": 3, "-gt": 4, "-ge": 5}
    if operator in numeric and left.lstrip("-").isdigit() and right.lstrip("-").isdigit() and len(left + right) < 30:
        a, b = int(left), int(right)
        return (a == b, a != b, a < b, a <= b, a > b, a >= b)[numeric[operator]]
    return None
