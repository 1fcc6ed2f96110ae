"""Loops of a script that count, and the programs that they start as the ranks of one job."""

import re2

from schedmate.readers.code.shell.expansion import NOWHERE, arithmetic, expand_one
from schedmate.readers.code.shell.interpreter import ShellInterpreter
from schedmate.readers.code.shell.session import StartedProgram
from schedmate.readers.code.values.value import SourceLocation, Value, unknown
from schedmate.readers.code.values.whole_numbers import whole, whole_count

COUNTS = re2.compile(
    r"^\(\(\s*(\w+)\s*=\s*([^;]+?)\s*;\s*(\w+)\s*(<=?)\s*([^;]+?)\s*;\s*(?:(\w+)\s*\+\+|\+\+\s*(\w+)|(\w+)\s*\+=\s*1)\s*\)\)$"
)
MOST_COUNTED = 4_096

RANKS = frozenset(
    {"RANK", "RANK_ID", "LOCAL_RANK", "rank", "rank_id", "local_rank", "local-rank", "dist_rank", "dist-rank"}
)

"""Under these names a program is told its place among its kind."""


def counted(one: ShellInterpreter, header: str, spot: SourceLocation) -> tuple[str, list[Value]]:
    """Read `((i = 0; i < 8; i++))`: its variable, and what it stands for in each round; none where that is open."""
    match = COUNTS.match(header)
    if match is None:
        return "", []
    name, begin, tested, sign, end, *stepped = match.groups()
    if {name} != {str(tested), *(str(step) for step in stepped if step)}:
        return "", []
    first, last = (bound(one, str(text)) for text in (begin, end))
    if first is None or last is None:
        return str(name), []
    rounds = range(int(first.data), int(last.data) + (sign == "<="))[:MOST_COUNTED]
    return str(name), [Value(str(number), (*last.src, spot)) for number in rounds]


def numbers_of(arguments: list[str]) -> list[int]:
    """Give what `seq` prints: from the first, or one, to the last, by steps."""
    numbers = [number for one in arguments if (number := whole(one)) is not None]
    if not 1 <= len(arguments) <= 3 or len(numbers) < len(arguments):
        return []
    first, last, step = numbers[0] if len(numbers) > 1 else 1, numbers[-1], numbers[1] if len(numbers) > 2 else 1
    return list(range(first, last + (1 if step > 0 else -1), step)[:MOST_COUNTED]) if step else []


RANGE = re2.compile(r"^\{(\d{1,8})\.\.(\d{1,8})(?:\.\.(\d{1,8}))?\}$")


def range_of(word: str, spot: SourceLocation) -> list[Value] | None:
    """Give the numbers of `{0..7}`, which the shell counts down too; None for any other word."""
    match = RANGE.match(word)
    if match is None:
        return None
    first, last, step = int(match.group(1)), int(match.group(2)), max(1, int(match.group(3) or 1))
    step = step if first <= last else -step
    return [Value(str(number), (spot,)) for number in range(first, last + (1 if step > 0 else -1), step)[:MOST_COUNTED]]


def bound(one: ShellInterpreter, formula: str) -> Value | None:
    """Compute where a loop begins or ends."""
    piece = arithmetic(formula, str(expand_one(formula, one.names, NOWHERE).data), one.names)
    known = whole(piece.text)
    return Value(known, piece.src) if known is not None else None


MOST_RANKS = 64
"""More programs than a loop would start on one machine as one job."""


def note_ranks(started: list[StartedProgram], name: str, items: list[Value], spot: SourceLocation) -> None:
    """Keep how many of a program a loop starts, where each is told its place; it is followed as the first of them."""
    for program in started if follow_each_other(items) and len(items) <= MOST_RANKS else ():
        told = told_place(program, name)
        if told is None:
            continue
        count = Value(len(items), (*items[0].src[:1], spot)) if items else unknown("a loop of unknown rounds")
        program.ranks = Value(count.data, count.src or (spot,))
        program.ranks_from_zero = not items or first_number(told, name, int(str(items[0].data))) == 0
        first = items[0] if items else Value("0", (spot,))
        program.words = [first_of(word, name, first) for word in program.words]
        program.environment = {key: first_of(value, name, first) for key, value in program.environment.items()}


def first_number(told: str, name: str, first: int) -> int | None:
    """Give the place of the first round: `$i`, or `$((i - 1))`; None where other numbers take part."""
    if told in (f"${{{name}}}", f"${name}"):
        return first
    less = re2.match(rf"^\$\(\(\s*\$?\{{?{re2.escape(name)}\}}?\s*-\s*(\d{{1,8}})\s*\)\)$", told)
    return first - int(less.group(1)) if less is not None else None


def follow_each_other(items: list[Value]) -> bool:
    """Tell numbers that count places: `--rank 8`, then 16, says how wide an adapter is; where open, they may."""
    numbers = [number for item in items if (number := whole_count(str(item.data))) is not None]
    if len(numbers) < len(items):
        return False
    return not numbers or numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def told_place(program: StartedProgram, name: str) -> str | None:
    """Give by what words a program is told its rank from a loop's variable, in the environment or by an option."""
    stands = re2.compile(rf"\b{re2.escape(name)}\b")
    for variable, given in program.environment.items():
        if variable in RANKS and stands.search(str(given.data)):
            return str(given.data)
    texts = [str(word.data) for word in program.words]
    for place, text in enumerate(texts):
        key, equals, inline = text.partition("=")
        value = inline if equals else texts[place + 1] if place + 1 < len(texts) else ""
        if key.startswith("-") and key.lstrip("-") in RANKS and stands.search(value):
            return value
    return None


def first_of(word: Value, name: str, first: Value) -> Value:
    """Put the first round's value where a word is the loop's variable alone, or an option's value is."""
    text = str(word.data)
    for spelled in (f"${{{name}}}", f"${name}"):
        if text == spelled or text.endswith(f"={spelled}"):
            return Value(f"{text.removesuffix(spelled)}{first.data}", word.src or first.src)
    return word
