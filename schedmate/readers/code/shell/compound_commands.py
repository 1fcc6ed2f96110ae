"""Follow `if`, `for`, `case` and their like, and their tests; what an unknown condition guards is seen as unsure."""

from collections.abc import Callable
from fnmatch import fnmatchcase

from schedmate.readers.code.shell.cursor import TokenCursor
from schedmate.readers.code.shell.interpreter import ShellInterpreter
from schedmate.readers.code.shell.loops import condition, for_block, while_block
from schedmate.readers.code.shell.scripts import locate
from schedmate.readers.code.shell.session import Condition, FunctionReturn, ShellExit
from schedmate.readers.code.values.value import Value
from schedmate.readers.code.values.whole_numbers import whole


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


LONGEST_COMPARED = 18
"""Digits of what is compared, which may be times and sizes: those that every shell holds."""


def compare(left: str, operator: str, right: str) -> Condition:
    """Compare two texts or numbers as `test` does."""
    if operator in ("=", "=="):
        return fnmatchcase(left, right[:200])
    if operator == "!=":
        return not fnmatchcase(left, right[:200])
    numeric = {"-eq": 0, "-ne": 1, "-lt": 2, "-le": 3, "-gt": 4, "-ge": 5}
    a, b = (whole(side, LONGEST_COMPARED) for side in (left, right))
    if operator in numeric and a is not None and b is not None:
        return (a == b, a != b, a < b, a <= b, a > b, a >= b)[numeric[operator]]
    return None


def if_block(one: ShellInterpreter, cursor: TokenCursor) -> Condition:
    """Follow `if`: a known condition chooses, an unknown one lets both ways be seen."""
    done, maybe = False, False
    cursor.place += 1
    while True:
        status = condition(one, cursor, "then")
        taken = not done and status is not False
        way(one, cursor, ("elif", "else", "fi"), taken, status is None or maybe, one.assumed)
        done = done or (status is True and not maybe)
        maybe = maybe or status is None
        if cursor.take_word("elif"):
            continue
        if cursor.take_word("else"):
            way(one, cursor, ("fi",), not done, maybe)
        cursor.take_word("fi")
        return None


def way(
    one: ShellInterpreter, cursor: TokenCursor, ends: tuple[str, ...], taken: bool, maybe: bool, assumed: bool = False
) -> None:
    """Follow a branch, or pass over it; one that may not be taken, or only as assumed, does not end the script."""
    if not taken:
        cursor.skip_block(ends)
        return
    start, kept = cursor.place, dict(one.names.variables)
    try:
        with one.shell.maybe(maybe):
            one.block(cursor, ends)
    except (ShellExit, FunctionReturn):
        if not maybe and not assumed:
            raise
        one.names.variables, cursor.place = kept, start
        cursor.skip_block(ends)


def case_block(one: ShellInterpreter, cursor: TokenCursor) -> Condition:
    """Follow `case`."""
    cursor.place += 1
    token = cursor.peek()
    words = one.words_of(token) if token is not None else []
    subject = str(words[0].data) if words else ""
    cursor.place += 1
    cursor.skip_blank()
    cursor.take_word("in")
    done = "${" in subject or "$(" in subject
    while True:
        cursor.skip_blank()
        if cursor.peek() is None or cursor.at_word("esac"):
            break
        if cursor.at_operator("("):
            cursor.place += 1
        patterns: list[str] = []
        while cursor.peek() is not None and not cursor.at_operator(")"):
            if not cursor.at_operator("|"):
                patterns.append(cursor.tokens[cursor.place].text.strip("'\""))
            cursor.place += 1
        cursor.place += 1
        fits = not done and any(fnmatchcase(subject, pattern[:200]) for pattern in patterns)
        way(one, cursor, ("esac",), fits, False)
        done = done or fits
        cursor.take_operator(";;", ";;&")
    cursor.place += 1
    return None


def brace_block(one: ShellInterpreter, cursor: TokenCursor) -> Condition:
    """Follow `{ ...; }`."""
    cursor.place += 1
    one.block(cursor, ("}",))
    cursor.take_word("}")
    return None


def function_block(one: ShellInterpreter, cursor: TokenCursor) -> Condition:
    """Follow `function name { ... }`."""
    cursor.place += 1
    name = cursor.peek_text()
    cursor.place += 1
    while cursor.at_operator("(", ")"):
        cursor.place += 1
    one.define(cursor, name)
    return True


def double_bracket(one: ShellInterpreter, cursor: TokenCursor) -> Condition:
    """Evaluate `[[ ... ]]`, whose operators are no operators."""
    cursor.place += 1
    words: list[Value] = []
    while (token := cursor.peek()) is not None and token.text not in ("]]", "\n"):
        words += [Value(token.text)] if token.is_operator else (one.words_of(token) or [Value("")])
        cursor.place += 1
    cursor.take_word("]]")
    return evaluate(one, [word for word in words if word.data not in ("(", ")")])


COMPOUNDS: dict[str, Callable[[ShellInterpreter, TokenCursor], Condition]] = {
    "if": if_block,
    "for": for_block,
    "select": for_block,
    "while": while_block,
    "until": while_block,
    "case": case_block,
    "{": brace_block,
    "function": function_block,
    "[[": double_bracket,
}
